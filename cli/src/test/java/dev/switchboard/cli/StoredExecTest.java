package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubWebhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `exec` goes on where an earlier process, of whatever end, has left off.
class StoredExecTest {
  @TempDir private Path folder;
  private StubWebhook webhook;
  private String agent;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    webhook.answer(200, "{\"done\": true}");
    agent = StoredToml.of(folder, webhook, "");
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  private Cli exec(String conversation, String lines) {
    return Cli.runWith(lines, "exec", "--conversation", conversation, agent);
  }

  private static String call(String id, String tool) {
    return "{\"id\":\"%s\",\"name\":\"%s\",\"arguments\":{}}\n".formatted(id, tool);
  }

  @Test
  void limitsHoldOverSeveralProcesses() {
    exec("v-1", call("a", "search"));

    assertThat(exec("v-1", call("b", "search")).out()).contains("\"success\":true");
    assertThat(exec("v-1", call("c", "search")).out()).contains("MAX_CALLS_EXCEEDED");
    assertThat(exec("v-2", call("c", "search")).out()).contains("\"success\":true");
    assertThat(webhook.requests()).hasSize(3);
  }

  @Test
  void pausesHoldOverAllConversations() {
    exec("v-1", call("a", "report"));

    assertThat(exec("v-2", call("a", "report")).out()).contains("COOLDOWN");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void theSameIdGivesTheStoredResult() {
    String first = result(exec("v-1", call("a", "search")));

    assertThat(result(exec("v-1", call("a", "search")))).isEqualTo(first);
    assertThat(exec("v-1", call("a", "report")).out()).contains("duplicate_id");
    assertThat(webhook.requests()).hasSize(1);
  }

  private static String result(Cli cli) {
    return cli.out().lines().filter(line -> line.contains("tool_result")).findFirst().orElse("");
  }

  @Test
  void aRequestSurvivesTheKillingOfItsProcess() throws IOException, InterruptedException {
    Process exec = process();
    try (BufferedReader out = exec.inputReader(StandardCharsets.UTF_8)) {
      send(exec, call("p", "pay"));
      until(out, "consent_request");
      exec.toHandle().destroyForcibly();
      assertThat(exec.waitFor(5, TimeUnit.MINUTES)).isTrue();
    }

    assertThat(Cli.run("approvals", "approve", "p", agent).exit()).isZero();
    assertThat(result(exec("v-1", call("p", "pay")))).contains("\"success\":true");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Tag("slow")
  @Test
  void showsTheResultOfACallThatWasApprovedElsewhere() throws IOException, InterruptedException {
    Process exec = process();
    List<String> events = new ArrayList<>();
    try (BufferedReader out = exec.inputReader(StandardCharsets.UTF_8)) {
      send(exec, call("p", "pay"));
      until(out, "consent_request");
      assertThat(Cli.run("approvals", "approve", "p", "--always", agent).exit()).isZero();
      assertThat(until(out, "consent_answer"))
          .contains("\"decision\":\"approve_always\"", System.getProperty("user.name"));
      events.add(until(out, "tool_result"));
      send(exec, call("p", "pay") + call("q", "pay"));
      exec.getOutputStream().close();
      out.lines().forEach(events::add);
      assertThat(exec.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      exec.toHandle().destroyForcibly();
    }

    assertThat(events.getFirst()).contains("\"callId\":\"p\"", "\"success\":true");
    assertThat(events).filteredOn(event -> event.contains("tool_result")).hasSize(3);
    assertThat(events.getLast()).contains("end_turn");
    assertThat(webhook.requests()).hasSize(2);
  }

  private Process process() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "exec",
            "--conversation",
            "v-1",
            agent)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void send(Process exec, String lines) throws IOException {
    OutputStream in = exec.getOutputStream();
    in.write(lines.getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private static String until(BufferedReader out, String word) throws IOException {
    String line = out.readLine();
    while (line != null && !line.contains(word)) {
      line = out.readLine();
    }
    return String.valueOf(line);
  }
}
