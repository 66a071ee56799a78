package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ExecRunTest {
  private static final int CALLS = 20_000;

  @Test
  void answersEveryIdOfALongLineThatASignalEndsInTheMiddle() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EventLines events = new EventLines(new PrintStream(out, true, StandardCharsets.UTF_8));
    ToolSession session = ToolSession.builder("c").events(events::show).build();
    AtomicReference<Runnable> signal = new AtomicReference<>(() -> {});
    AtomicReference<Thread> ending = new AtomicReference<>(Thread.currentThread());
    Tool first =
        Tool.dynamic("create_first")
            .handler(arguments -> {
              ending.set(Thread.startVirtualThread(signal.get()));
              Awaitility.await().until(session::cancelled);
              return "made";
            });
    Tool other = Tool.dynamic("get_other").handler(arguments -> "never");
    ExecRun run =
        new ExecRun(
            ToolExecutor.of(first, other), new ExecRun.Options(false, false), session, events);
    signal.set(run::cancel);

    run.takeAll(new LineReader(new ByteArrayInputStream(line().getBytes(StandardCharsets.UTF_8))));
    ending.get().join();

    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines)
        .filteredOn(line -> line.startsWith("{\"type\":\"tool_result\""))
        .hasSize(CALLS + 1)
        .filteredOn(line -> line.contains("\"cancelled\""))
        .hasSize(CALLS);
    assertThat(lines.getLast())
        .isEqualTo("{\"type\":\"done\",\"payload\":{\"stopReason\":\"cancelled\"}}");
    assertThat(lines).filteredOn(line -> line.startsWith("{\"type\":\"done\"")).hasSize(1);
  }

  private static String line() {
    return IntStream.range(0, CALLS)
        .mapToObj(n -> "{\"id\":\"c" + n + "\",\"name\":\"get_other\",\"arguments\":{}}")
        .collect(
            Collectors.joining(
                ",", "[{\"id\":\"f\",\"name\":\"create_first\",\"arguments\":{}},", "]\n"));
  }
}
