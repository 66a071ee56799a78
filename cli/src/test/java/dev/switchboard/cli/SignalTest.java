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

  private static byte[] line() {
    return "{\"id\":\"c1\",\"name\":\"list_tables\",\"arguments\":{}}\n"
        .getBytes(StandardCharsets.UTF_8);
  }

  /// The command in a process of its own.
  static Process start(String... arguments) throws IOException {
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
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static List<String> lines(Process process) throws IOException {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      return out.lines().toList();
    }
  }
}
