package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A signal ends `exec` and `chat` in a process of their own.
class SignalTest {
  @TempDir private Path folder;

  @Test
  void aSignalCancelsWhatRunsAndClosesTheTurn() throws IOException, InterruptedException {
    try (StubWebhook webhook = StubWebhook.start()) {
      webhook.answer(StubAnswer.hang());
      Process exec = start("exec", AgentToml.of(folder, webhook));
      OutputStream in = exec.getOutputStream();
      in.write(line());
      in.flush();
      webhook.takeRequest(Duration.ofMinutes(5));

      exec.toHandle().destroy();

      List<String> events = lines(exec);
      assertThat(exec.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(exec.exitValue()).isEqualTo(143);
      assertThat(events.getFirst()).contains("tool_call");
      assertThat(events.get(events.size() - 2)).contains("tool_result", "\"cancelled\"");
      assertThat(events.getLast())
          .isEqualTo("{\"type\":\"done\",\"payload\":{\"stopReason\":\"cancelled\"}}");
    }
  }

  @Tag("slow")
  @Test
  void aSignalCutsTheTurnOffAndEndsTheChat() throws IOException, InterruptedException {
    try (StubWebhook webhook = StubWebhook.start();
        StubModel model = new StubModel()) {
      webhook.answer(StubAnswer.hang());
      model.calls("look", "{}");
      String agent = ChatToml.of(folder, webhook, model.toml(), "");
      Process chat = start("chat", agent, "--json", "-m", "Tables?");
      webhook.takeRequest(Duration.ofMinutes(5));

      chat.toHandle().destroy();

      List<String> events = lines(chat);
      assertThat(chat.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(chat.exitValue()).isEqualTo(143);
      assertThat(events.get(events.size() - 2)).contains("tool_result", "\"cancelled\"");
      assertThat(events.getLast())
          .isEqualTo("{\"type\":\"done\",\"payload\":{\"stopReason\":\"cancelled\"}}");
    }
  }

  @Tag("slow")
  @Test
  void aSignalCancelsACallByHandWhichTellsWhatCameOfIt() throws IOException, InterruptedException {
    try (StubWebhook webhook = StubWebhook.start()) {
      webhook.answer(StubAnswer.hang());
      Process call = joined("tool", "call", AgentToml.of(folder, webhook), "list_tables", "{}");
      webhook.takeRequest(Duration.ofMinutes(5));

      call.toHandle().destroy();

      assertThat(lines(call))
          .last()
          .isEqualTo("switchboard: Tool 'list_tables' was cancelled: the conversation was ended.");
      assertThat(call.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(call.exitValue()).isEqualTo(143);
    }
  }

  @Tag("slow")
  @Test
  void aSignalCancelsAnApprovedCallAndRunsNoOther() throws IOException, InterruptedException {
    try (StubWebhook webhook = StubWebhook.start()) {
      webhook.answer(StubAnswer.hang());
      String agent = asking(webhook);
      for (String id : List.of("c1", "c2")) {
        String call = "{\"id\":\"%s\",\"name\":\"look\",\"arguments\":{}}".formatted(id);
        assertThat(Cli.runWith(call, "exec", "--conversation", "of-" + id, agent).exit()).isZero();
      }
      Process approve = joined("approvals", "approve", "c1", "c2", agent);
      webhook.takeRequest(Duration.ofMinutes(5));

      approve.toHandle().destroy();

      assertThat(lines(approve))
          .endsWith(
              "switchboard: Tool 'look' was cancelled: the conversation was ended.",
              "switchboard: The request 'c2' stays open: a signal has ended the command.");
      assertThat(approve.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(approve.exitValue()).isEqualTo(143);
      assertThat(Cli.run("approvals", "list", agent).out()).contains("c2").doesNotContain("c1");
    }
  }

  private String asking(StubWebhook webhook) {
    return AgentToml.write(
        folder,
        """
        [agent]
        [[agent.tool_rules]]
        tool_name = "look"
        rule_type = { RequiresConsent = {} }
        [[tools]]
        name = "look"
        mode = "read"
        webhook_url = "%s"
        [network]
        allow = ["%s"]
        [storage]
        url = "sqlite:agent.db"
        """
            .formatted(webhook.url(), webhook.hostAndPort()));
  }

  private static byte[] line() {
    return "{\"id\":\"c1\",\"name\":\"list_tables\",\"arguments\":{}}\n"
        .getBytes(StandardCharsets.UTF_8);
  }

  /// The command in a process of its own.
  static Process start(String... arguments) throws IOException {
    return command(arguments).start();
  }

  /// As [#start], with all that it prints on its standard output.
  private static Process joined(String... arguments) throws IOException {
    return command(arguments)
        .redirectError(ProcessBuilder.Redirect.PIPE)
        .redirectErrorStream(true)
        .start();
  }

  private static ProcessBuilder command(String... arguments) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(
            List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes,
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private static List<String> lines(Process process) throws IOException {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      return out.lines().toList();
    }
  }
}
