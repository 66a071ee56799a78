package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.LongNode;

/// A program is ended together with all that it has started.
class EndOfProgramTest {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private StdioTransport transport;

  private void start() throws IOException {
    McpWay.Program program = new McpWay.Program(Fake.words(Fake.SESSIONS), null, Map.of());
    transport = StdioTransport.start("fake", program, 1 << 20, PATIENCE);
    transport.listen(inbox());
  }

  @AfterEach
  void close() {
    transport.close();
  }

  private Transport.Inbox inbox() {
    return new Transport.Inbox() {
      @Override
      public void handle(RpcMessage.Notification notification) {}

      @Override
      public void asked(
          RpcMessage.Request request, java.util.function.Consumer<RpcMessage.Answer> answer) {}

      @Override
      public void lost() {
        lost.incrementAndGet();
      }
    };
  }

  private String run(String script) throws IOException, InterruptedException {
    var params = Codec.object().put("name", "run");
    params.putObject("arguments").put("script", script);
    RpcMessage.Request request =
        new RpcMessage.Request(LongNode.valueOf(ids.incrementAndGet()), "tools/call", params);
    RpcMessage.Answer answer = transport.exchange(request, Map.of(), inbox(), action -> {});
    return ((RpcMessage.Result) answer).result().at("/content/0/text").asString();
  }

  private ProcessHandle process(String script) throws IOException, InterruptedException {
    return ProcessHandle.of(Long.parseLong(run(script))).orElseThrow();
  }

  private static void assertEnded(List<ProcessHandle> processes) {
    for (ProcessHandle one : processes) {
      await().until(() -> !one.isAlive() || isZombie(one));
    }
  }

  /// Whether it has ended, and nobody has asked how.
  private static boolean isZombie(ProcessHandle process) throws IOException {
    Path stat = Path.of("/proc/" + process.pid() + "/stat");
    return Files.exists(stat) && Files.readString(stat).contains(") Z ");
  }

  @Test
  void thatEndsWithItsInput() throws Exception {
    start();
    List<ProcessHandle> processes = List.of(process("pid"), process("spawn"));
    transport.close();
    assertEnded(processes);
    assertThat(transport.isLost()).isTrue();
    // The thread that reads its output tells it where that saw the end first.
    await().untilAsserted(() -> assertThat(lost).hasValue(1));
  }

  @Test
  void thatIgnoresTheEndOfItsInput() throws Exception {
    start();
    List<ProcessHandle> processes = List.of(process("spawn"), process("deaf\npid"));
    transport.close();
    assertEnded(processes);
  }

  @Test
  void thatIgnoresBeingToldToEnd() throws Exception {
    start();
    List<ProcessHandle> processes = List.of(process("spawn"), process("stubborn\ndeaf\npid"));
    transport.close();
    assertEnded(processes);
  }

  @Test
  void whoseInputIsFull() throws Exception {
    start();
    List<ProcessHandle> processes = List.of(process("spawn"), process("deaf\npid"));
    var params = Codec.object().put("text", "x".repeat(1_000_000));
    transport.post(new RpcMessage.Notification("notifications/large", params));
    transport.post(new RpcMessage.Notification("notifications/large", params));
    transport.close();
    assertEnded(processes);
  }

  @Test
  void thatWasKilled() throws Exception {
    start();
    ProcessHandle orphan = process("spawn");
    ProcessHandle server = process("pid");
    server.destroyForcibly();
    await().until(transport::isLost);
    transport.close();
    assertEnded(List.of(server, orphan));
  }
}
