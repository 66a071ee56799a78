package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Route;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/// The console while things happen: two people answer the same requests, the focus stays, what
/// changes is said aloud, and foreign text is never more than text.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
class BrowserLiveTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser();

  private static final String SCRIPT =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e";
  private static final String ARGUMENTS = Json.of(Map.of("text", SCRIPT)).text();

  private final CountDownLatch slow = new CountDownLatch(1);
  private final TestServer server =
      new TestServer(
          agent ->
              agent
                  .store(new InProcessConversations())
                  .memory(new InProcessMemory())
                  .blocks(
                      List.of(
                          Block.of("Desk", "guest", Block.Kind.WORKING)
                              .withDescription(SCRIPT)
                              .withValue(SCRIPT))),
          tool("local_run", "done"),
          tool("get_words", SCRIPT),
          Tool.dynamic("get_broken")
              .description(SCRIPT)
              .retry(RetryPolicy.NONE)
              .handler(arguments -> {
                throw new IllegalStateException(SCRIPT);
              }),
          Tool.dynamic("get_slowly")
              .timeout(Duration.ofMinutes(1))
              .handler(arguments -> {
                slow.await();
                return "there";
              }));

  private static Tool tool(String name, String result) {
    String schema =
        """
        {"type":"object","properties":{"text":{"type":"string","description":"<b>words</b>"}}}\
        """;
    return Tool.dynamic(name, schema).handler(arguments -> result);
  }

  @AfterEach
  void close() {
    slow.countDown();
    server.close();
  }

  private void begin(String id, String text) {
    server.operator.post(
        "/v1/agents/Desk/conversations", Json.of(Map.of("id", id, "text", text)).text());
  }

  private void ask(String id) {
    server.model.answers(BrowserLiveTest::reply).answers(BrowserLiveTest::reply);
    begin(id, "Run it for " + id);
    await().until(() -> status(id).equals("waiting"));
  }

  private static ModelReply reply(ModelRequest request) {
    return request.messages().getLast() instanceof Message.User(String text, var files)
        ? ModelReply.calls(RequestedCall.of("", "local_run", Json.of(Map.of("text", text)).text()))
        : ModelReply.text("Very well.");
  }

  private String status(String id) {
    return server.operator.get("/v1/conversations/" + id).json().path("status").asString();
  }

  @Test
  void whatOneAnswersIsGoneForTheOtherAtOnce() {
    List.of("c1", "c2", "c3").forEach(this::ask);
    ConsolePage first = BROWSER.window(server, server.operator);
    ConsolePage second = BROWSER.window(server, server.yan);
    List.of(first, second)
        .forEach(page -> {
          page.press("g a");
          assertThat(page.find(".inbox > li")).hasCount(3);
        });
    first.press("j j");
    first.sees(".inbox > li.open", "c3");

    second.press("a");
    assertThat(first.find(".inbox > li")).hasCount(2);
    assertThat(first.find(".inbox")).not().containsText("c1");
    first.isAt(".inbox > li.open .ask-row").sees(".badge", "2");

    second.press("j j a");
    first.sees(".inbox > li.open .outcome", "Approved by yan").misses(".inbox .open .actions");
    first.isAt(".inbox > li.open .ask-row");
    first.press("a k");
    assertThat(first.find(".inbox > li")).hasCount(1);
    first.sees(".inbox > li.open", "c2").sees(".inbox .ask.open .actions");
  }

  @Test
  void whoAnswersSecondIsToldWhoWasFirst() {
    ask("c1");
    ConsolePage late = BROWSER.window(server, server.operator);
    late.page().route(Pattern.compile("/v1/events$"), Route::abort);
    late.go("/approvals");
    late.sees(".ask.open");
    String id = server.yan.get("/v1/approvals").json().path("items").path(0).path("id").asString();
    server.yan.post("/v1/approvals/" + id, "{\"decision\":\"approve\"}");

    late.press("d =Never Enter");

    late.sees(".trouble", "yan").sees(".outcome", "Approved by yan").misses(".ask .actions");
    BROWSER.expects("status of 409");
    BROWSER.expects("Failed to load resource: net::ERR_FAILED");
  }

  @Test
  void theFocusStaysAndNewsAreSaidAloud() {
    server.model.calls("get_slowly", "{}").says("All is well.");
    ConsolePage page = BROWSER.window(server, server.operator);
    page.begin("Look");
    page.sees(".call-row .running");
    page.tabTo(".heading button:text-is('Cancel the turn')");
    slow.countDown();
    page.sees("[role=status][aria-live=polite]", "All is well.");
    page.misses(".heading button:text-is('Cancel the turn')");
    assertThat(page.page().evaluate("document.activeElement.closest('.heading') !== null"))
        .as("the focus is beside where it was")
        .isEqualTo(true);

    page.press("m =Half");
    ask("c2");
    page.sees("[role=status][aria-live=polite]", "request waits for approval.").isAt("#say");
    page.type(" a sentence");
    assertThat(page.find("#say")).hasValue("Half a sentence");
    page.press("Escape g c");
    page.sees(".rows a");
    page.press("j j");
    String at = (String) page.page().evaluate("document.activeElement.getAttribute('href')");
    begin("c3", "Hi");
    page.sees(".rows a[href$=c3]");
    assertThat(page.page().evaluate("document.activeElement.getAttribute('href')")).isEqualTo(at);
  }

  @Test
  void ofWhatWasAnsweredTheNewestIsFirst() {
    List.of("c1", "c2", "c3").forEach(this::ask);
    ConsolePage page = BROWSER.window(server, server.operator);
    page.press("g a");
    for (String id : List.of("c1", "c2")) {
      page.sees(".inbox > li.open", id).sees(".ask.open");
      page.press("a");
      page.sees(".inbox > li.open .outcome");
      page.press("j");
    }

    page.tabTo(".filters select");
    page.press("ArrowDown");

    assertThat(page.find(".inbox > li .label")).containsText(new String[] {"c2", "c1"});
    page.sees(".last-lines", "Run it for c2");
    page.press("ArrowUp");
    assertThat(page.find(".inbox > li .label")).containsText(new String[] {"c3"});
  }

  @Test
  void theFormKeepsTheSchemasFieldsAndTheButtonsStayInSight() {
    ask("c1");
    ConsolePage page = BROWSER.window(server, server.operator);
    page.size(1280, 700);
    page.press("g a");
    page.sees(".ask.open");
    page.press("e");
    page.isAt(".editor input");

    page.tabTo(".editor textarea");
    page.press("Control+a");
    page.type("{\"text\":7,\"more\":true,\n" + "\n".repeat(30) + "\"last\":1}");

    assertThat(page.find(".editor input").first()).hasValue("7");
    assertThat(page.find(".editor .name"))
        .containsText(
            new String[] {"text optional", "more not in the schema", "last not in the schema"});
    assertThat(page.find(".ask .actions .primary")).isInViewport();
    page.tabTo(".editor input");
    page.press("Control+a");
    page.type("Ada");
    page.sees(".diff .new", "\"text\": \"Ada\"");
    assertThat(page.find(".ask .actions .primary")).isInViewport();
  }

  @Test
  void whoTalksAnswersWhatTheirConversationAsks() {
    server.model.answers(BrowserLiveTest::reply).answers(BrowserLiveTest::reply);
    ConsolePage page = BROWSER.window(server, server.zoe);
    page.begin("Run it");
    page.sees(".ask.open").sees(".heading button", "Deny all pending");
    page.press("Escape w a");

    page.sees(".transcript", "Very well.");
  }

  @Test
  void scriptIsShownAsText() {
    server
        .model
        .calls("get_words", ARGUMENTS)
        .calls("get_broken", "{}")
        .says(SCRIPT)
        .and()
        .calls("local_run", ARGUMENTS);
    ConsolePage page = BROWSER.window(server, server.operator);
    page.page()
        .onDialog(dialog -> {
          throw new AssertionError("script ran: " + dialog.message());
        });
    begin("c1", SCRIPT);
    page.go("/conversations/c1");
    page.sees(".ask.open .code", "<script>alert(1)");
    page.sees(".said-by.user", "onerror=alert(2)>").sees(".said-by.text", "<script>alert(1)");
    page.press("j Enter");
    page.sees(".details", "<script>alert(1)");
    page.press("w e");
    page.sees(".editor");
    page.visit("/approvals");
    page.sees(".ask.open .code", "\\u202e").sees(".last-lines", "<script>");
    page.visit("/tools?tool=get_broken");
    page.sees(".chosen", "<script>alert(1)");
    page.visit("/memory?q=script");
    page.sees(".chosen", "onerror");
    page.visit("/?principal=" + "%3Cimg%20src=x%20onerror=alert(4)%3E");
    page.sees(".empty");
    page.visit("/conversations/%3Cimg%20src=x%20onerror=alert(5)%3E");
    page.sees("h1", "<img src=x").sees(".trouble");
    BROWSER.expects("status of 404");
    assertThat(page.find("#app img, #app script")).hasCount(0);
  }

  /// The core lets no such name in, so that only the answer of another server can bring them.
  @Test
  void scriptInNamesIsShownAsText() {
    server.operator.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\"}");
    List<String> events =
        List.of(
            "{'type':'agent','event':'user','payload':{'id':'u','text':'%s'}}",
            "{'type':'tool_call','mode':'%s','payload':{'id':'%s','name':'%s','arguments':{'%s':'%s'}}}",
            "{'type':'loader-hint','taskId':'%s','kind':'%s','hint':'%s'}",
            "{'type':'agent','event':'retry','payload':{'taskId':'%s','attempt':1,'cause':'%s','pauseMs':1}}",
            "{'type':'tool_result','payload':{'callId':'%s','success':false,'code':'%s','error':'%s','violation':'%s',"
                + "'faults':[{'pointer':'%s','expected':'%s','found':'%s'}],"
                + "'data':{'preview':'%s','undo':{'name':'%s','arguments':{}}}}}",
            "{'type':'agent','event':'%s','payload':{'%s':'%s'}}",
            "{'type':'error','message':'%s','cause':'%s'}",
            "{'type':'done','payload':{'stopReason':'%s','unmet':['%s']}}");
    StringBuilder items = new StringBuilder();
    for (String event : events) {
      items
          .append(items.isEmpty() ? "" : ",")
          .append(
              "{\"number\":%d,\"at\":\"2026-01-01T00:00:00Z\",\"event\":"
                  .formatted(items.length() + 1))
          .append(event.replace("'", "\"").replace("%s", "<img src=x onerror=alert(3)>"))
          .append("}");
    }
    ConsolePage page = BROWSER.window(server, server.operator);
    page.page()
        .onDialog(dialog -> {
          throw new AssertionError("script ran: " + dialog.message());
        });
    page.page()
        .route(
            Pattern.compile("/c1/events.*limit"),
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"items\":[" + items + "]}")));
    page.page().route(Pattern.compile("/c1/events.after=[0-9]+$"), Route::abort);
    page.visit("/conversations/c1");
    page.sees(".call-row", "<img src=x");
    page.press("j Enter");
    page.sees(".details .fault", "<img src=x").sees(".details .code", "<img src=x");
    page.sees(".transcript .note", "<img src=x");
    assertThat(page.find("#app img, #app script")).hasCount(0);
    BROWSER.expects("net::ERR_FAILED");
  }
}
