package dev.switchboard.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalCommandTest {
  private static final String ANYTHING =
      """
      {"type":"object","properties":{"a":{"type":"string"},"n":{"type":"number"},
      "list":{"type":"array","items":{"type":"string"}}}}\
      """;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir private Path folder;

  private static ToolResult call(LocalCommand command, String arguments) {
    return call(command, arguments, new ManualTime());
  }

  private static ToolResult call(LocalCommand command, String arguments, Time time) {
    Tool tool =
        Tool.dynamic("run", ANYTHING)
            .mode(ToolMode.READ)
            .timeout(TIMEOUT)
            .retry(RetryPolicy.DEFAULT.withMaxRetries(0))
            .answeredBy(command);
    ToolExecutor executor = ToolExecutor.builder().tools(tool).time(time).build();
    return executor.execute(
        new ToolCall("c1", "run", dev.switchboard.json.Json.text(arguments)),
        ToolSession.builder("s").build());
  }

  /// Prints each of its arguments on a line, in brackets.
  private static LocalCommand printing(String... words) {
    String[] all = new String[words.length + 4];
    all[0] = "sh";
    all[1] = "-c";
    all[2] = "for word; do echo \"[$word]\"; done";
    all[3] = "print";
    System.arraycopy(words, 0, all, 4, words.length);
    return LocalCommand.of(all);
  }

  private static String text(ToolResult result) {
    assertThat(result.success()).as(String.valueOf(result.error())).isTrue();
    return String.valueOf(result.text());
  }

  @Test
  void eachArgumentIsWholeInItsPlace() {
    assertThat(
            text(call(printing("x={a}", "-n", "{n}"), "{\"a\":\"; rm -rf / $HOME `id`\",\"n\":3}")))
        .isEqualTo("[x=; rm -rf / $HOME `id`]\n[-n]\n[3]");
    assertThat(text(call(printing("{a}"), "{\"a\":\"two words\\nand a line\"}")))
        .isEqualTo("[two words\nand a line]");
    assertThat(text(call(printing("{a}"), "{\"a\":\"{n}\",\"n\":1}"))).isEqualTo("[{n}]");
  }

  @Test
  void aWordWhoseArgumentIsMissingIsLeftOut() {
    assertThat(text(call(printing("one", "{a}", "x={n}"), "{}"))).isEqualTo("[one]");
  }

  @Test
  void aListBecomesAWordForEachItem() {
    assertThat(text(call(printing("{list}"), "{\"list\":[\"a b\",\"c\"]}")))
        .isEqualTo("[a b]\n[c]");
    assertThat(text(call(printing("one", "{list}"), "{\"list\":[]}"))).isEqualTo("[one]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":\"--output=/etc/passwd\"}", "{\"a\":\"-o\"}", "{\"a\":\"-\"}"})
  void noArgumentIsReadAsAnOption(String arguments) {
    ToolResult result = call(printing("{a}"), arguments);
    assertThat(result.success()).isFalse();
    assertThat(result.error()).contains("'a' must not begin with '-'");
    assertThat(text(call(printing("--", "{a}"), arguments))).startsWith("[--]\n[-");
    assertThat(text(call(printing("x{a}"), arguments))).startsWith("[x-");
  }

  @Test
  void aNegativeNumberIsNotAnOption() {
    assertThat(text(call(printing("{n}"), "{\"n\":-1.5}"))).isEqualTo("[-1.5]");
  }

  @Test
  void whatNoProgramCanBeGivenIsRefused() {
    assertThat(call(printing("{a}"), "{\"a\":\"x\\u0000y\"}").error()).contains("NUL");
    assertThat(call(printing("{a}"), "{\"a\":\"" + "x".repeat(100_001) + "\"}").error())
        .contains("100,000 characters");
  }

  @Test
  void aFolderWithoutANameIsThatOfThisProcess() {
    assertThat(text(call(LocalCommand.of("pwd").in(Path.of("")), "{}")))
        .isEqualTo(Path.of("").toAbsolutePath().toString());
  }

  @Test
  void anExitCodeIsAFailureWithTheEndOfStandardError() {
    ToolResult result =
        call(
            LocalCommand.of("sh", "-c", "yes begin | head -c 9000 >&2; echo last >&2; exit 3"),
            "{}");
    assertThat(result.success()).isFalse();
    assertThat(result.error()).contains("exit code 3: ").endsWith("last").hasSizeLessThan(600);
  }

  @Test
  void aProgramThatIsNotThereIsToldByItsName() {
    assertThat(call(LocalCommand.of("no-such-program-here"), "{}").error())
        .isEqualTo("the program 'no-such-program-here' cannot be started");
  }

  @Test
  void ofTheEnvironmentOnlyWhatIsNamedIsPassedOn() {
    assertThat(text(call(LocalCommand.of("env").environment(Map.of("NAMED", "yes")), "{}")).lines())
        .contains("NAMED=yes")
        .allMatch(line -> line.matches("(HOME|PATH|NAMED|SWITCHBOARD_PROCESS|PWD|SHLVL|_)=.*"));
  }

  @Test
  void allArgumentsCanComeAsJson() {
    ToolResult result = call(LocalCommand.of("cat").jsonInput(), "{\"a\":\"x\",\"n\":2}");
    assertThat(text(result)).isEqualTo("{\"a\":\"x\",\"n\":2}");
    assertThat(String.valueOf(result.data())).contains("\"n\":2");
  }

  @Test
  void aProgramMayWriteBeforeItReads() {
    LocalCommand large =
        LocalCommand.of("sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x; cat | wc -c")
            .jsonInput();
    String much = "y".repeat(90_000);
    assertThat(text(call(large, "{\"a\":\"" + much + "\"}"))).hasSizeGreaterThan(60_000);
  }

  @Test
  void moreOutputThanItMayIsRefused() {
    ToolResult result = call(LocalCommand.of("yes").outputLimit(1_000), "{}");
    assertThat(result.code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
  }

  @Test
  void itRunsInItsFolder() throws Exception {
    Files.writeString(folder.resolve("here.txt"), "found");
    assertThat(text(call(LocalCommand.of("cat", "here.txt").in(folder), "{}"))).isEqualTo("found");
  }

  @Test
  void whatItHasStartedEndsWithIt() {
    Path pids = folder.resolve("pids");
    LocalCommand nest =
        LocalCommand.of("sh", "-c", "sleep 3600 & echo $! > pids; sleep 3600; echo done")
            .in(folder);
    ManualTime time = new ManualTime();
    CompletableFuture<ToolResult> result =
        CompletableFuture.supplyAsync(() -> call(nest, "{}", time));
    await().until(() -> Files.exists(pids) && Files.readString(pids).endsWith("\n"));
    time.advance(TIMEOUT);
    assertThat(result.join().code()).isEqualTo(ResultCode.TIMEOUT);
    await()
        .until(() -> {
          long pid = Long.parseLong(Files.readString(pids).strip());
          return ProcessHandle.of(pid).flatMap(one -> one.info().command()).isEmpty();
        });
  }

  @Test
  void whatASuccessLeavesEndsWithIt() {
    String script = "(setsid sleep 600 >/dev/null 2>&1 & echo $!)";
    ToolResult result = call(LocalCommand.of("sh", "-c", script), "{}");
    long pid = Long.parseLong(text(result));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> ProcessHandle.of(pid).flatMap(one -> one.info().command()).isEmpty());
  }

  @Test
  void aToolOfItAsksByDefault() {
    Tool tool = Tool.dynamic("get_date").answeredBy(LocalCommand.of("date"));
    assertThat(tool.definition().mode()).isEqualTo(ToolMode.LOCAL);
  }

  @Test
  void theProgramCannotBeAnArgument() {
    assertThatThrownBy(() -> LocalCommand.of("{a}"))
        .hasMessage("the program of a command cannot be an argument");
    assertThatThrownBy(LocalCommand::of).hasMessage("a command begins with the name of a program");
  }
}
