package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A program that ends, or is not there at all.
@Tag("slow")
class LostProgramTest {
  @TempDir Path folder;
  private Fake fake;

  @AfterEach
  void close() {
    if (fake != null) {
      fake.close();
    }
  }

  private ToolRegistry.Source.State state() {
    return fake.executor.sources().getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {Fake.SESSIONS, Fake.STATELESS})
  void diesInACall(String revision) {
    fake = Fake.of(Fake.server(revision));
    CompletableFuture<ToolResult> other = fake.running("out {}\nawait never");
    await().until(() -> !fake.seen("await never").isEmpty());

    ToolResult result = fake.run("exit 3");

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.fallback()).isTrue();
    assertThat(result.error())
        .isEqualTo(
            "Tool failed after 1 attempt: MCP server 'fake': the server has ended with exit code"
                + " 3");
    assertThat(other.join().error()).isEqualTo(result.error());
    assertThat(fake.run("say well").text()).isEqualTo("well");
  }

  @Test
  void answersAndDiesAtOnce() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    assertThat(fake.run("say done\nexit 0").text()).isEqualTo("done");
  }

  @Test
  void doesNotReadItsInput() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    ProcessHandle process = ProcessHandle.of(Long.parseLong(fake.run("pid").text())).orElseThrow();
    String large = "say " + "x".repeat(200_000);

    assertThat(fake.brief("deaf").code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(fake.brief(large).code()).isEqualTo(ResultCode.TIMEOUT);
    process.destroyForcibly();
    await().until(() -> "well".equals(fake.run("say well").text()));
  }

  @Test
  void itsCallIsMadeOnceMoreOnlyWhereThatIsStated() throws IOException {
    Path count = folder.resolve("count");
    String script = "append " + count + "\nexit 0";
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS)
                .policy(
                    "run",
                    (tool, handler, usual) ->
                        tool.mode(usual)
                            .retry(
                                RetryPolicy.DEFAULT
                                    .withMaxRetries(1)
                                    .withPauses(Duration.ZERO, Duration.ZERO))));
    fake.run(script);
    assertThat(Files.size(count)).isEqualTo(2);
    fake.close();

    fake = Fake.of(Fake.server(Fake.SESSIONS));
    fake.run(script);
    assertThat(Files.size(count)).isEqualTo(3);
  }

  @Test
  void opensTheBreaker() {
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS, "server/discover=exit 1")
                .policy(
                    "run",
                    (tool, handler, usual) ->
                        tool.mode(usual).breaker(new BreakerOptions(2, Duration.ofHours(1)))));
    assertThat(state().ready()).isFalse();
    fake.close();

    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS)
                .policy(
                    "run",
                    (tool, handler, usual) ->
                        tool.mode(usual).breaker(new BreakerOptions(2, Duration.ofHours(1)))));
    fake.run("exit 1");
    fake.run("exit 1");
    ToolResult open = fake.run("say well");
    assertThat(open.code()).isEqualTo(ResultCode.CIRCUIT_OPEN);
    assertThat(state().tools()).contains("fake__run");
  }

  @Test
  void doesNotExist() {
    fake = Fake.of(McpTools.program("fake", "/no/such/program"));
    assertThat(state().ready()).isFalse();
    assertThat(state().detail()).isEqualTo("the program '/no/such/program' cannot be started");
    assertThat(fake.run("say x").code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
  }

  @Test
  void isRequired() {
    assertThatThrownBy(() -> Fake.of(McpTools.program("fake", "/no/such/program").required()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "MCP server 'fake' did not start: the program '/no/such/program'"
                + " cannot be started");
  }

  @Test
  void diesAtItsStart() {
    fake = Fake.of(Fake.server(Fake.SESSIONS, "start=complain no licence\nexit 9"));
    assertThat(state().detail()).isEqualTo("the server has ended with exit code 9: no licence");
  }

  @Test
  void appearsLater() throws IOException {
    Path there = folder.resolve("there");
    fake = Fake.of(Fake.server(Fake.SESSIONS, "start=unless " + there + " exit 9"));
    assertThat(state().ready()).isFalse();

    Files.createFile(there);
    await().until(() -> state().ready());
    assertThat(fake.run("say well").text()).isEqualTo("well");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "initialize=out"
            + " {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"1999-01-01\"}}",
        "initialize=out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}",
        "initialize=out"
            + " {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":\"no\"}}",
        "server/discover=out"
            + " {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"supportedVersions\":[\"2031-01-01\"]}}",
        "tools/list=out"
            + " {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":\"no\"}}",
        "tools/list=out"
            + " {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[],\"nextCursor\":\"on$n\"}}",
        "tools/list=long 20000000"
      })
  void cannotBeSpokenWith(String script) {
    fake = Fake.of(Fake.server(Fake.SESSIONS, script));
    assertThat(state().ready()).as(state().detail()).isEqualTo(script.contains("nextCursor"));
  }

  @Test
  void doesNotAnswerInTimeAtItsStart() {
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS, "server/discover=await never", "initialize=await never")
                .timeout(Duration.ofMillis(400)));
    assertThat(state().detail()).isEqualTo("no answer within 400 ms");
  }

  @Test
  void answersWhatItDoesNotKnowByWhatIsNoMessage() {
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS, "server/discover=out {\"id\":$id,\"error\":\"unknown\"}"));
    assertThat(state().ready()).as(state().detail()).isTrue();
  }

  @Test
  void saysAtItsStartWhatCannotBeRead() {
    fake =
        Fake.of(
            Fake.server(
                Fake.SESSIONS,
                "tools/list=out {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":" + "[".repeat(300)));
    assertThat(state().detail())
        .startsWith("the server's answer is not a message of MCP: The message ");
  }

  @Test
  void doesNotAnswerAtItsStart() {
    fake = Fake.of(Fake.server(Fake.SESSIONS, "server/discover=await never"));
    assertThat(state().ready()).isTrue();
    fake.close();

    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS, "tools/list=await never").timeout(Duration.ofMillis(400)));
    assertThat(state().ready()).isFalse();
    assertThat(List.of(state().detail())).containsExactly("no answer within 400 ms");
  }
}
