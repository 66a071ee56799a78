package dev.switchboard.mcp.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Codec;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A program that does in a call what no server should: the call has one result, and others go on.
class FaultyProgramTest {
  private static Fake fake;

  @BeforeAll
  static void start() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
  }

  @AfterAll
  static void close() {
    fake.close();
  }

  /// Tells that the conversation goes on.
  private void assertThatItGoesOn() {
    assertThat(fake.run("say well").text()).isEqualTo("well");
  }

  @Test
  void hangs() {
    ToolResult result = fake.brief("await late\nsay too late");

    assertThat(result.code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(result.error()).doesNotContain("too late");
    await().until(() -> !fake.seen("notifications/cancelled").isEmpty());
    assertThat(fake.run("release late\nsay well").text()).isEqualTo("well");
    assertThatItGoesOn();
  }

  static Stream<String> floods() {
    return Stream.of(
        "times 20000 garbage $n",
        "times 20000"
            + " {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":$n}}",
        "times 20000 {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}",
        "times 20000"
            + " {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":$id,\"progress\":$n,\"message\":\"step"
            + " $n\"}}",
        "times 20000 {\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"ping\"}",
        "times 20000"
            + " {\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
        "times 20000"
            + " {\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[]}}",
        "times 20000 {\"jsonrpc\":\"2.0\",\"id\":\"x$n\",\"result\":{}}");
  }

  @ParameterizedTest
  @MethodSource("floods")
  void floodsItsOutput(String flood) {
    String gate = UUID.randomUUID().toString();
    CompletableFuture<ToolResult> before = fake.running("await " + gate + "\nsay before");

    assertThat(fake.run(flood + "\nsay through").text()).isEqualTo("through");
    assertThat(fake.run("release " + gate + "\nsay well").text()).isEqualTo("well");
    assertThat(before.join().text()).isEqualTo("before");
    assertThat(fake.events.stream().filter(Event.LoaderHint.class::isInstance).count())
        .isLessThan(300);
  }

  static Stream<String> answersThatAreNone() {
    return Stream.of(
        "out {\"jsonrpc\":\"2.0\",\"id\":\"$id\",\"result\":{}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id.0,\"result\":{}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":[$id],\"result\":{}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"x\"}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"method\":7}",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"method\":\"ping\",\"params\":",
        "out " + "[".repeat(5_000));
  }

  static Stream<String> answersThatCannotBeRead() {
    String deep = "[".repeat(300) + "]".repeat(300);
    return Stream.of(
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":" + deep + "}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"a\":1,\"a\":2}}",
        "out {\"jsonrpc\":\"2.0\",\"result\":{\"a\":1,\"a\":2},\"id\":$id}",
        "out {\"id\":$id,\"result\":{}}",
        "out [7,{\"id\":$id,\"result\":{}}]",
        "out {\"jsonrpc\":\"1.0\",\"id\":$id,\"result\":{}}",
        "out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":7}");
  }

  @ParameterizedTest
  @MethodSource("answersThatCannotBeRead")
  void answersWithWhatCannotBeRead(String script) {
    ToolResult result = fake.run(script);

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error())
        .contains("MCP server 'fake': the server's answer is not a message of MCP: ");
    assertThatItGoesOn();
  }

  @Test
  void answersWithAGoodAnswerBesideABadOne() {
    assertThat(
            fake.run(
                    "out [7,{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":"
                        + "[{\"type\":\"text\",\"text\":\"well\"}]}}]")
                .text())
        .isEqualTo("well");
  }

  @ParameterizedTest
  @MethodSource("answersThatAreNone")
  void answersWithWhatIsNotAnAnswer(String script) {
    assertThat(fake.brief(script).code()).isEqualTo(ResultCode.TIMEOUT);
    assertThatItGoesOn();
  }

  @Test
  void answersTwice() {
    assertThat(fake.run("say once\nsay twice").text()).isEqualTo("once");
    assertThatItGoesOn();
  }

  @Test
  void answersWithAnotherType() {
    ToolResult result =
        fake.run("out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"resultType\":\"task\"}}");
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThatItGoesOn();
  }

  @Test
  void answersWithALineOf100Megabytes() {
    String gate = UUID.randomUUID().toString();
    CompletableFuture<ToolResult> before = fake.running("await " + gate + "\nsay before");

    long allocated = allocatedByReading();
    ToolResult result = fake.run("long 100000000");

    assertThat(allocatedByReading() - allocated).isLessThan(20_000_000);
    assertThat(result.code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    assertThat(fake.run("release " + gate + "\nsay well").text()).isEqualTo("well");
    assertThat(before.join().text()).isEqualTo("before");
  }

  /// What the thread that reads the program's messages has allocated so far, in bytes.
  private static long allocatedByReading() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("mcp fake reads"))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.threadId()))
        .max()
        .orElseThrow();
  }

  @Test
  void complainsWithoutEnd() {
    CompletableFuture<ToolResult> complaining = fake.running("error this is bad");
    for (int i = 0; i < 20; i++) {
      assertThatItGoesOn();
    }
    assertThat(complaining).isNotDone();
  }

  @Test
  void refusesACall() {
    assertThat(error(-32602, "no such thing").code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    ToolResult failed = error(-32603, "x".repeat(1_000_000));
    assertThat(failed.code()).isEqualTo(ResultCode.FAILED);
    assertThat(requireNonNull(failed.error()).length()).isLessThan(1_000);
    assertThatItGoesOn();
  }

  private ToolResult error(int code, String message) {
    var error = Codec.object().put("code", code).put("message", message);
    return fake.run("out {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":" + error + "}");
  }
}
