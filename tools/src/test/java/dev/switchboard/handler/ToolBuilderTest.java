package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.rule.RuleType;
import dev.switchboard.tool.ToolMode;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolBuilderTest {
  @Test
  void infersTheModeAndWhatFollowsFromIt() {
    Tool reader = Tool.dynamic("Get_it").handler(arguments -> 1);
    assertThat(reader.definition().mode()).isEqualTo(ToolMode.READ);
    assertThat(reader.options().parallel()).isTrue();
    assertThat(reader.options().onInterrupt()).isEqualTo(ToolOptions.InterruptPolicy.CANCEL);
    Tool destroyer = Tool.dynamic("drop_it").handler(arguments -> 1);
    assertThat(destroyer.options().retry().maxRetries()).isZero();
    assertThat(destroyer.options().parallel()).isFalse();
    assertThat(Tool.dynamic("drop_it").mode(ToolMode.READ).handler(a -> 1).options().parallel())
        .isTrue();
  }

  @Test
  void boundsACallByWhatItsAttemptsAndPausesNeed() {
    assertThat(Tool.dynamic("t").handler(arguments -> 1).options().deadline())
        .isBetween(Duration.ofMillis(31_500), Duration.ofMillis(31_700));
    assertThat(Tool.dynamic("delete_t").handler(arguments -> 1).options().deadline())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void holdsWhatTheRulesWantToKnow() {
    Tool plain = Tool.dynamic("t").handler(arguments -> 1);
    assertThat(plain.options().repeatLimit()).isEqualTo(3);
    assertThat(plain.definition().operationKey()).isNull();
    assertThat(plain.definition().json().tree().has("operationKey")).isFalse();
    assertThat(plain.rules()).isEmpty();

    Tool tool =
        Tool.dynamic("t")
            .repeatLimit(0)
            .operationKey("action")
            .rules(new RuleType.MaxCalls(1), new RuleType.ExitLoop())
            .handler(arguments -> 1);
    assertThat(tool.options().repeatLimit()).isZero();
    assertThat(tool.definition().json().tree().path("operationKey").stringValue())
        .isEqualTo("action");
    assertThat(tool.rules()).containsExactly(new RuleType.MaxCalls(1), new RuleType.ExitLoop());
    assertThatThrownBy(() -> Tool.dynamic("t").repeatLimit(-1).handler(arguments -> 1))
        .hasMessage("repeat_limit must not be negative");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "ä", "a.b"})
  void refusesANameThatModelsRefuse(String name) {
    assertThatThrownBy(() -> Tool.dynamic(name).handler(arguments -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64 letters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"transfer_call", "end_call"})
  void c006RefusesReservedNames(String name) {
    assertThatThrownBy(() -> Tool.dynamic(name).handler(arguments -> 1))
        .hasMessage("'%s' is a reserved name", name);
  }

  @Test
  void refusesWhatContradictsItself() {
    assertThatThrownBy(() -> Tool.dynamic("t").header("X-Key", "1").handler(arguments -> 1))
        .hasMessage("tool 't': network and header are for a webhook");
    ToolHandler.Typed<String> typed = (arguments, context) -> arguments;
    assertThatThrownBy(() -> Tool.dynamic("t").answeredBy(typed))
        .hasMessage("tool 't': this handler takes a typed tool's arguments; use Tool.typed");
    assertThatThrownBy(() -> Tool.dynamic("t").inline().reassurance("x").handler(arguments -> 1))
        .hasMessage(
            "tool 't': inline is for a handler that answers at once, without reassurance or"
                + " webhook");
    assertThatThrownBy(
            () -> Tool.dynamic("t").inline().webhook(URI.create("https://api.example.com/x")))
        .hasMessageStartingWith("tool 't': inline is for");
  }

  @Test
  @SuppressWarnings("NullAway") // what an application may do
  void refusesAToolThatNothingAnswers() {
    String fault = "tool 't' requires either 'webhook_url' or 'handler'";
    Tool.DynamicBuilder.Handler none = null;
    Tool.DynamicBuilder.ContextHandler noneWithContext = null;
    assertThatThrownBy(() -> Tool.dynamic("t").handler(none)).hasMessage(fault);
    assertThatThrownBy(() -> Tool.dynamic("t").handler(noneWithContext)).hasMessage(fault);
    assertThatThrownBy(() -> Tool.dynamic("t").answeredBy(null)).hasMessage(fault);
    Tool.TypedBuilder.Handler<Size, Object> noneTyped = null;
    assertThatThrownBy(() -> Tool.typed("t", Size.class).handler(noneTyped)).hasMessage(fault);
  }

  record Size(int of) {}

  @Test
  void takesNoDescriptionForAnEmptyOne() {
    Tool tool = Tool.dynamic("t").description(null).handler(arguments -> 1);
    assertThat(tool.definition().description()).isEmpty();
  }

  @Test
  void refusesAResponseLimitThatFitsNothing() {
    assertThatThrownBy(() -> Tool.dynamic("t").responseLimit(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("response_limit must be at least 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type",
        "content-encoding",
        "Idempotency-Key",
        "webhook-id",
        "Webhook-Signature",
        "webhook-anything"
      })
  void refusesHeadersThatEachRequestSaysForItself(String header) {
    assertThatThrownBy(
            () -> Tool.dynamic("t").header(header, "x").webhook(URI.create("https://a.example/")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tool 't': header '" + header + "' is made for each request and cannot be set");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Expect", "Proxy-Authorization", "proxy-connection", "Keep-Alive", "Host", "TE"})
  void refusesHeadersOfTheConnection(String header) {
    assertThatThrownBy(
            () -> Tool.dynamic("t").header(header, "x").webhook(URI.create("https://a.example/")))
        .hasMessage("tool 't': header '" + header + "' is made by the client");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://10.0.0.7/x | 10.0.0.7 is private (10.0.0.0/8); allow a private service that you"
            + " trust with GuardedHttp.allowing(\"host:port\")",
        "http://db.internal/x | db.internal is a name for inner services (*.internal); allow a"
            + " private service that you trust with GuardedHttp.allowing(\"host:port\")",
        "ftp://10.0.0.7/x | only http and https URLs are opened",
        "http://me@10.0.0.7/x | the URL holds user info",
        "/orders | only http and https URLs are opened",
      })
  void aBlockedUrlHasARemedyWhereThereIsOne(String url, String reason) {
    assertThatThrownBy(() -> Tool.dynamic("t").webhook(URI.create(url)))
        .hasMessage("tool 't': webhook URL blocked: " + reason);
  }

  @Test
  void takesHeadersOfItsOwn() {
    assertThat(
            Tool.dynamic("t")
                .header("Authorization", "Bearer x")
                .header("User-Agent", "bistro")
                .webhook(URI.create("https://a.example/")))
        .isNotNull();
  }
}
