package dev.switchboard.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpEndpointTest {
  private static final String ANYTHING = "{\"type\":\"object\",\"additionalProperties\":true}";
  private static final Duration SOON = Duration.ofMinutes(5);

  private final StubWebhook service = StubWebhook.start();

  @AfterEach
  void close() {
    service.close();
  }

  private ToolResult call(
      String method, String path, UnaryOperator<HttpEndpoint.Builder> set, String arguments) {
    HttpEndpoint endpoint =
        set.apply(HttpEndpoint.of(method, "http://" + service.hostAndPort() + path))
            .network(GuardedHttp.allowing(service.hostAndPort()))
            .build();
    Tool tool =
        Tool.dynamic("ask", ANYTHING)
            .retry(
                endpoint.mayRepeat(ToolMode.READ)
                    ? new RetryPolicy(
                        2, Duration.ofMillis(1), Duration.ofMillis(1), RetryPolicy.On.ANY)
                    : RetryPolicy.NONE)
            .answeredBy(endpoint);
    return ToolExecutor.of(tool)
        .execute(new ToolCall("c1", "ask", Json.text(arguments)), ToolSession.builder("s").build());
  }

  private StubRequest sent(
      String method, String path, UnaryOperator<HttpEndpoint.Builder> set, String arguments) {
    service.answer(200, "{}");
    ToolResult result = call(method, path, set, arguments);
    assertThat(result.success()).as(String.valueOf(result.error())).isTrue();
    return service.takeRequest(SOON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE", "POST", "PUT", "PATCH", "QUERY"})
  void everyMethodDoesWithoutABody(String method) {
    StubRequest request = sent(method, "/orders", HttpEndpoint.Builder::noBody, "{}");

    assertThat(request.method()).isEqualTo(method);
    assertThat(request.body()).isEmpty();
    assertThat(request.header("Content-Type")).isNull();
  }

  @Test
  void argumentsStandInPathAndQuery() {
    StubRequest request =
        sent(
            "GET",
            "/orders/{id}",
            set -> set.query("expand", "tags", "none").header("Authorization", "Bearer k"),
            "{\"id\":\"ORD 1\",\"expand\":\"all&more=1\",\"tags\":[\"a b\",\"c\"]}");
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.path()).isEqualTo("/orders/ORD%201?expand=all%26more%3D1&tags=a%20b&tags=c");
    assertThat(request.header("Authorization")).isEqualTo("Bearer k");
    assertThat(request.header("Content-Type")).isNull();
    assertThat(request.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"größe", "氏名", "मूल्य", "gro\u0308ße", "\ud835\udc65", "_é.2-b"})
  void anArgumentOfAnyScriptHasAPlace(String name) {
    StubRequest request =
        sent(
            "POST",
            "/x/{" + name + "}/y",
            set -> set.query(name).header("X-Size", "a {" + name + "}"),
            "{\"" + name + "\":\"4 2\"}");
    assertThat(request.path()).startsWith("/x/4%202/y?").endsWith("=4%202");
    assertThat(request.header("X-Size")).isEqualTo("a 4 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b | /x/a%2Fb/y",
        "a?b=c | /x/a%3Fb%3Dc/y",
        "a#b | /x/a%23b/y",
        "../../admin | /x/..%2F..%2Fadmin/y",
        "%2e%2e | /x/%252e%252e/y",
        "a;b | /x/a%3Bb/y",
        "ä€ | /x/%C3%A4%E2%82%AC/y",
        "@evil.example | /x/%40evil.example/y",
        "a:b | /x/a%3Ab/y",
        "//evil.example/z | /x/%2F%2Fevil.example%2Fz/y",
        "..\\..\\admin | /x/..%5C..%5Cadmin/y",
        "..%2f..%2fadmin | /x/..%252f..%252fadmin/y",
        "..;/admin | /x/..%3B%2Fadmin/y",
        "{name} | /x/%7Bname%7D/y",
        "'a\r\nHost: evil.example' | /x/a%0D%0AHost%3A%20evil.example/y",
        "a\0b | /x/a%00b/y",
        "... | /x/.../y",
      })
  void aPathValueStaysInItsPlace(String value, String path) {
    assertThat(sent("GET", "/x/{id}/y", set -> set, "{\"id\":" + Json.of(value) + "}").path())
        .isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FORM | a&admin=1 | q=a%26admin%3D1",
        "FORM | a#b | q=a%23b",
        "FORM | a+b c | q=a%2Bb%20c",
        "FORM | %26admin=1 | q=%2526admin%3D1",
        "FORM | a;admin=1 | q=a%3Badmin%3D1",
        "FORM | 'a\r\nX-Evil: 1' | q=a%0D%0AX-Evil%3A%201",
        "DEEP_OBJECT | a]&admin[x | q=a%5D%26admin%5Bx",
        "JSON | \"},{\"a | q=%22%5C%22%7D%2C%7B%5C%22a%22",
        "PIPE_DELIMITED | 'a|b' | q=a%7Cb",
      })
  void aQueryValueStaysInItsPlace(HttpEndpoint.Style style, String value, String query) {
    String arguments = "{\"q\":" + Json.of(value) + "}";
    assertThat(sent("GET", "/x", set -> set.parameter("q", "q", style, false), arguments).path())
        .isEqualTo("/x?" + query);
  }

  @Test
  void namesOfMembersStayInTheirPlaceToo() {
    String arguments = "{\"q\":{\"a]&admin\":\"1\",\"b=c\":\"2\"}}";
    assertThat(
            sent(
                    "GET",
                    "/x",
                    set -> set.parameter("q", "q", HttpEndpoint.Style.DEEP_OBJECT, true),
                    arguments)
                .path())
        .isEqualTo("/x?q%5Ba%5D%26admin%5D=1&q%5Bb%3Dc%5D=2");
    assertThat(
            sent(
                    "GET",
                    "/x",
                    set -> set.parameter("q", "q", HttpEndpoint.Style.FORM, true),
                    arguments)
                .path())
        .isEqualTo("/x?a%5D%26admin=1&b%3Dc=2");
    assertThat(sent("POST", "/x", HttpEndpoint.Builder::form, "{\"a&admin\":\"1&b=2\"}").body())
        .isEqualTo("a%26admin=1%26b%3D2");
  }

  @ParameterizedTest
  @CsvSource(value = {"'a\r\nX-Evil: 1'", "'a\nb'", "'a\0b'", "'ä'", "'a\u007f'"})
  void aHeaderValueIsOneLineOfAscii(String value) {
    ToolResult result =
        call(
            "GET",
            "/h",
            set -> set.parameter("q", "X-Q", HttpEndpoint.Style.HEADER, false),
            "{\"q\":" + Json.of(value) + "}");
    assertThat(result.error()).contains("header 'X-Q' holds characters that no header may");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void anArgumentIsNotAHeaderOfTheClient() {
    for (String header : List.of("Host", "content-length", "Transfer-Encoding", "Connection")) {
      assertThatThrownBy(() ->
              HttpEndpoint.get("https://api.example.com/x")
                  .parameter("q", header, HttpEndpoint.Style.HEADER, false)
                  .build())
          .hasMessageContaining("is made by the client");
    }
  }

  @ParameterizedTest
  @CsvSource(value = {"..", ".", "''"})
  void aPathValueIsNotAStepAndNotEmpty(String value) {
    ToolResult result = call("DELETE", "/orders/{id}", set -> set, "{\"id\":\"" + value + "\"}");
    assertThat(result.success()).isFalse();
    assertThat(result.error()).containsAnyOf("must not be");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void aMissingPathValueSendsNothing() {
    assertThat(call("GET", "/orders/{id}", set -> set, "{}").error())
        .contains("'id' must not be empty: it is a part of the URL");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void whatStandsNowhereElseIsTheBody() {
    StubRequest request =
        sent(
            "POST",
            "/orders/{id}",
            set -> set.query("dry").header("X-Org", "{org}"),
            "{\"id\":\"1\",\"dry\":true,\"org\":\"acme\",\"name\":\"x\",\"items\":[1,{\"a\":2}]}");
    assertThat(request.path()).isEqualTo("/orders/1?dry=true");
    assertThat(request.header("X-Org")).isEqualTo("acme");
    assertThat(request.header("Content-Type")).isEqualTo("application/json");
    assertThat(request.body()).isEqualTo("{\"name\":\"x\",\"items\":[1,{\"a\":2}]}");
  }

  @Test
  void aBodyCanBeAForm() {
    StubRequest request =
        sent(
            "POST",
            "/f",
            HttpEndpoint.Builder::form,
            "{\"a\":\"x y&z\",\"l\":[1,2],\"o\":{\"k\":1}}");
    assertThat(request.header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(request.body()).isEqualTo("a=x%20y%26z&l=1&l=2&o=%7B%22k%22%3A1%7D");
  }

  @Test
  void aBodyCanHaveAFormOfItsOwn() {
    Json template =
        Json.text(
            "{\"order\":{\"id\":\"{id}\",\"note\":\"by {who}:"
                + " {id}\",\"gone\":\"{missing}\"},\"v\":2,\"all\":[\"{id}\",\"{missing}\"]}");
    assertThat(sent("POST", "/t", set -> set.body(template), "{\"id\":7,\"who\":\"{id}\"}").body())
        .isEqualTo("{\"order\":{\"id\":7,\"note\":\"by {id}: 7\"},\"v\":2,\"all\":[7]}");
  }

  @Test
  void aHeaderTakesNoLineBreak() {
    ToolResult result =
        call("GET", "/h", set -> set.header("X-Org", "{org}"), "{\"org\":\"a\\r\\nX-Evil: 1\"}");
    assertThat(result.success()).isFalse();
    assertThat(result.error()).contains("header 'X-Org' holds characters that no header may");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void fieldsOfAFormHaveStylesAndNames() {
    StubRequest request =
        sent(
            "POST",
            "/f",
            set ->
                set.form()
                    .field("meta", "metadata", HttpEndpoint.Style.DEEP_OBJECT, true)
                    .field("ids", "ids", HttpEndpoint.Style.FORM, false),
            "{\"meta\":{\"a\":{\"b\":[1,{\"c\":2}]}},\"ids\":[1,2],\"rest\":3}");
    assertThat(request.body())
        .isEqualTo(
            "metadata%5Ba%5D%5Bb%5D%5B0%5D=1&metadata%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=2&ids=1,2&rest=3");
  }

  @Test
  void cookiesStandInTheirHeader() {
    StubRequest request =
        sent(
            "GET",
            "/c",
            set ->
                set.header("Cookie", "key=k")
                    .parameter("who", "who", HttpEndpoint.Style.COOKIE, true)
                    .parameter("none", "none", HttpEndpoint.Style.COOKIE, true),
            "{\"who\":\"a; key=other\"}");
    assertThat(request.header("Cookie")).isEqualTo("key=k; who=a%3B%20key%3Dother");
  }

  @Test
  void aBodyCanBeATextOrMissing() {
    StubRequest text =
        sent(
            "POST",
            "/t",
            set -> set.textBody("words").header("Content-Type", "text/plain"),
            "{\"words\":\"a\\nb\"}");
    assertThat(text.body()).isEqualTo("a\nb");
    assertThat(text.header("Content-Type")).isEqualTo("text/plain");
    for (StubRequest none :
        List.of(
            sent("POST", "/n", HttpEndpoint.Builder::noBody, "{}"),
            sent("DELETE", "/n", set -> set.jsonBody().mayHaveNoBody(), "{}"))) {
      assertThat(none.body()).isEmpty();
      assertThat(none.header("Content-Type")).isNull();
    }
  }

  @Test
  void theStatusAloneSaysWhetherItSucceeded() {
    service.answer(200, "{\"success\":false,\"terminal\":true}");
    ToolResult result = call("GET", "/s", set -> set, "{}");
    assertThat(result.success()).isTrue();
    assertThat(result.isTerminal()).isFalse();
    assertThat(result.data()).hasToString("{\"success\":false,\"terminal\":true}");
  }

  @Test
  void aPartOfTheAnswerCanBeTheResult() {
    service.answer(200, "{\"order\":{\"items\":[{\"id\":5}]}}");
    assertThat(call("GET", "/r", set -> set.result("$.order.items[0]"), "{}").text())
        .isEqualTo("{\"id\":5}");
    assertThat(call("GET", "/r", set -> set.result("/order/items/0/id"), "{}").text())
        .isEqualTo("5");
    assertThat(call("GET", "/r", set -> set.result("$.nothing"), "{}").error())
        .contains("HTTP 200: the answer has no $.nothing");
  }

  @Test
  void textIsHandedOnAndErrorsCarryTheirBody() {
    service.answer(200, "plain words");
    assertThat(call("GET", "/w", set -> set, "{}").text()).isEqualTo("plain words");
    service.answer(404, "no such order");
    assertThat(call("GET", "/w", set -> set, "{}").error()).contains("HTTP 404: no such order");
  }

  @Test
  void onlyWhatMayBeRepeatedIsTriedAgain() {
    service.answer(503, "");
    assertThat(call("GET", "/again", set -> set, "{}").success()).isFalse();
    assertThat(service.requests()).hasSize(3);
    assertThat(call("POST", "/once", set -> set, "{}").success()).isFalse();
    assertThat(service.requests()).hasSize(4);
    assertThat(
            call("POST", "/key", set -> set.idempotencyHeader("Idempotency-Key"), "{}").success())
        .isFalse();
    assertThat(service.requests()).hasSize(7);
    assertThat(service.requests().subList(4, 7).stream().map(one -> one.header("Idempotency-Key")))
        .doesNotContainNull()
        .containsOnly(service.requests().getLast().header("Idempotency-Key"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,READ",
    "HEAD,READ",
    "POST,EXTERNAL",
    "PUT,EXTERNAL",
    "PATCH,SAFE_WRITE",
    "DELETE,DESTRUCTIVE"
  })
  void itsModeFollowsFromTheMethod(String method, ToolMode mode) {
    Tool tool =
        Tool.dynamic("get_x")
            .answeredBy(HttpEndpoint.of(method, "https://api.example.com/x").build());
    assertThat(tool.definition().mode()).isEqualTo(mode);
    boolean reads = mode == ToolMode.READ;
    assertThat(tool.options().retry().maxRetries() > 0).isEqualTo(reads);
  }

  @Test
  void noHostIsAnArgumentAndNoneIsInside() {
    assertThatThrownBy(() -> HttpEndpoint.get("https://{host}/x").build())
        .hasMessage("the host of a URL cannot be an argument");
    assertThatThrownBy(() -> HttpEndpoint.get("http://127.0.0.1/x").build())
        .hasMessageContaining("URL blocked");
    assertThatThrownBy(() -> HttpEndpoint.get("https://api.example.com/x").result("x..y").build())
        .hasMessageContaining("neither a path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SIMPLE | false | /p/3,4",
        "SIMPLE | true | /p/3,4",
        "LABEL | false | /p/.3,4",
        "LABEL | true | /p/.3.4",
        "MATRIX | false | /p/;id=3,4",
        "MATRIX | true | /p/;id=3;id=4",
        "FORM | false | /p/?id=3,4",
        "FORM | true | /p/?id=3&id=4",
        "SPACE_DELIMITED | false | /p/?id=3%204",
        "PIPE_DELIMITED | false | /p/?id=3%7C4",
      })
  void listsAreWrittenInEachStyle(HttpEndpoint.Style style, boolean explode, String target) {
    String path = style.isOfQuery() ? "/p/" : "/p/{ids}";
    assertThat(
            sent("GET", path, set -> set.parameter("ids", "id", style, explode), "{\"ids\":[3,4]}")
                .path())
        .isEqualTo(target);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SIMPLE | false | /p/R,100,G,200",
        "SIMPLE | true | /p/R=100,G=200",
        "LABEL | true | /p/.R=100.G=200",
        "MATRIX | false | /p/;id=R,100,G,200",
        "MATRIX | true | /p/;R=100;G=200",
        "FORM | false | /p/?id=R,100,G,200",
        "FORM | true | /p/?R=100&G=200",
        "DEEP_OBJECT | true | /p/?id%5BR%5D=100&id%5BG%5D=200",
        "JSON | false | /p/?id=%7B%22R%22%3A100%2C%22G%22%3A200%7D",
      })
  void objectsAreWrittenInEachStyle(HttpEndpoint.Style style, boolean explode, String target) {
    String path = style.isOfQuery() ? "/p/" : "/p/{ids}";
    assertThat(
            sent(
                    "GET",
                    path,
                    set -> set.parameter("ids", "id", style, explode),
                    "{\"ids\":{\"R\":100,\"G\":200}}")
                .path())
        .isEqualTo(target);
  }
}
