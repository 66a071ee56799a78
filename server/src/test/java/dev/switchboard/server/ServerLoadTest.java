package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Many streams with tools at once, beside a bare Javalin that writes as many events: processor
/// time for an event, latency, memory; no event is lost, doubled or out of order.
@Isolated("it measures")
@Tag("load")
class ServerLoadTest {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final int STREAMS = Math.max(20, (int) (500 * SIZE));
  private static final int EACH = 25; // streams of a principal
  private static final int PACE_MILLIS = 100;
  // user, words, calls and their results, done; behind conversation_started
  private static final int EVENTS =
      2 + (LoadedServer.TOOLS + 1) * LoadedServer.WORDS + 2 * LoadedServer.TOOLS;
  private static final int TURNS = 4;
  // Before these, quick ones until the code is compiled, which takes as much time as all the rest.
  private static final int WARM = 600_000 / STREAMS / EVENTS;
  private static final int SLOW = Math.max(4, (int) (100 * SIZE));
  private static final long NOISE_NANOS = 100_000_000;
  private static final int IDLE = Math.max(100, (int) (2_000 * SIZE));

  @TempDir private Path folder;

  private final List<String> tokens = new ArrayList<>();

  /// What came of a run.
  ///
  /// @param nanos of the processor, for a word, call, result or end that was told
  /// @param told how many those were
  /// @param events that came of them: words that follow each other may come as one
  /// @param seconds that it took
  private record Figures(
      double nanos, long told, long events, double seconds, long median, long late) {}

  /// What came of a server's runs: without slow readers, and beside them.
  private record Served(Figures alone, Figures beside) {}

  @Test
  void costsLittleMoreThanABareServer() throws Exception {
    for (int i = 0; i <= STREAMS / EACH; i++) {
      Path file = folder.resolve("tokens");
      tokens.add(Tokens.open(file, null, Time.SYSTEM).add("p" + i, Role.CHAT));
    }
    Figures echo = echo();
    Served memory = serve("memory");
    Served sqlite = serve("sqlite");
    tell("echo", echo, echo);
    tell("in memory", memory, echo);
    tell("sqlite", sqlite, echo);
    for (Served served : List.of(memory, sqlite)) {
      assertThat(served.beside.seconds).isLessThan(1.5 * served.alone.seconds);
      assertThat(served.beside.late).isLessThan(2 * served.alone.late + NOISE_NANOS);
    }
    assertThat(memory.alone.nanos / echo.nanos).isLessThan(LIMIT);
  }

  private static final double LIMIT =
      Double.parseDouble(System.getProperty("switchboard.load.ratio", "2.5"));

  private static void tell(String what, Served of, Figures echo) {
    tell(what, of.alone, echo);
    tell(what + " beside " + SLOW + " slow readers", of.beside, echo);
  }

  private static void tell(String what, Figures of, Figures echo) {
    System.out.printf(
        "%s: %d streams, %d told in %d events, %.1f us of processor each (%.2f of the echo's),"
            + " %.0f a second, latency p50 %.1f ms, p99 %.1f ms (added %.1f ms)%n",
        what,
        STREAMS,
        of.told,
        of.events,
        of.nanos / 1e3,
        of.nanos / echo.nanos,
        of.told / of.seconds,
        of.median / 1e6,
        of.late / 1e6,
        (of.late - echo.late) / 1e6);
  }

  private static void each(int count, Work work) throws Exception {
    each(Executors.newVirtualThreadPerTaskExecutor(), count, work);
  }

  /// Few at a time, so that a server that begins is not knocked over.
  private static void fewOf(int count, Work work) throws Exception {
    each(Executors.newFixedThreadPool(4), count, work);
  }

  private static void each(ExecutorService executor, int count, Work work) throws Exception {
    try (ExecutorService threads = executor) {
      List<Future<Object>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        Callable<Object> one =
            () -> {
              work.with(number);
              return number;
            };
        all.add(threads.submit(one));
      }
      for (Future<Object> one : all) {
        one.get();
      }
    }
  }

  private interface Work {
    void with(int number) throws Exception;
  }

  private Figures echo() throws Exception {
    try (LoadedProcess server = new LoadedProcess("echo", PACE_MILLIS, folder)) {
      int warm = WARM * EVENTS;
      int measured = TURNS * EVENTS;
      each(
          STREAMS,
          i -> {
            try (LoadReader reader =
                new LoadReader(server.port(), "/events?quick&events=" + warm, "x")) {
              reader.read(warm, LongStream.builder());
            }
          });
      return measured(
          server,
          latencies -> {
            AtomicInteger events = new AtomicInteger();
            each(
                STREAMS,
                i -> {
                  try (LoadReader reader =
                      new LoadReader(server.port(), "/events?events=" + measured, "x")) {
                    events.addAndGet(reader.read(measured, latencies[i]));
                  }
                });
            return events.get();
          });
    }
  }

  /// What is measured, with the latencies of each stream.
  private interface Run {
    /// How many events came.
    int events(LongStream.Builder[] latencies) throws Exception;
  }

  private static Figures measured(LoadedProcess server, Run run) throws Exception {
    LongStream.Builder[] latencies = builders();
    long began = System.nanoTime();
    long before = server.ask("cpu");
    int events = run.events(latencies);
    long nanos = server.ask("cpu") - before;
    long told = (long) STREAMS * TURNS * EVENTS;
    long[] all =
        Arrays.stream(latencies).flatMapToLong(LongStream.Builder::build).sorted().toArray();
    return new Figures(
        (double) nanos / told,
        told,
        events,
        (System.nanoTime() - began) / 1e9,
        all[all.length / 2],
        all[(int) (all.length * 0.99)]);
  }

  private static LongStream.Builder[] builders() {
    LongStream.Builder[] builders = new LongStream.Builder[STREAMS];
    Arrays.setAll(builders, i -> LongStream.builder());
    return builders;
  }

  private String token(int stream) {
    return tokens.get(stream / EACH);
  }

  private static void post(int port, String token, String path, String body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      LoadReader.send(socket, "POST " + path, token, "Connection: close", body);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 20");
    }
  }

  private static void say(int port, String token, String id, String text) throws IOException {
    post(port, token, "/v1/conversations/" + id + "/turns", "{\"text\":\"" + text + "\"}");
  }

  private Served serve(String kind) throws Exception {
    try (LoadedProcess server = new LoadedProcess(kind, PACE_MILLIS, folder)) {
      LoadReader[] readers = new LoadReader[STREAMS];
      fewOf(
          STREAMS,
          i -> {
            create(server.port(), token(i), "c" + i);
            String path = "/v1/conversations/c" + i + "/events";
            readers[i] = new LoadReader(server.port(), path, token(i));
          });
      for (int turn = 0; turn < WARM; turn++) {
        int unused = turn(server, readers, "quick", builders());
      }
      Figures alone = measured(server, latencies -> turns(server, readers, latencies));
      Figures beside;
      try (SlowReaders slow = new SlowReaders(server.port(), SLOW, this::token)) {
        slow.await();
        beside = measured(server, latencies -> turns(server, readers, latencies));
      }
      tellMemory(kind, server, readers);
      return new Served(alone, beside);
    }
  }

  private int turns(LoadedProcess server, LoadReader[] readers, LongStream.Builder[] latencies)
      throws Exception {
    int events = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      events += turn(server, readers, "Go", latencies);
    }
    return events;
  }

  /// A turn of each conversation; how many events came.
  private int turn(
      LoadedProcess server, LoadReader[] readers, String text, LongStream.Builder[] latencies)
      throws Exception {
    AtomicInteger events = new AtomicInteger();
    each(
        STREAMS,
        i -> {
          say(server.port(), token(i), "c" + i, text);
          events.addAndGet(readers[i].read(Integer.MAX_VALUE / 2, latencies[i]));
        });
    return events.get();
  }

  private static void create(int port, String token, String id) throws IOException {
    post(
        port,
        token,
        "/v1/agents/" + LoadedServer.AGENT + "/conversations",
        "{\"id\":\"" + id + "\"}");
  }

  private void tellMemory(String kind, LoadedProcess server, LoadReader[] readers)
      throws Exception {
    long streaming = server.ask("heap");
    for (LoadReader reader : readers) {
      reader.close();
    }
    // A stream that is gone is noticed at the next event.
    each(STREAMS, i -> say(server.port(), token(i), "c" + i, "short"));
    Thread.sleep(1_000);
    long without = server.ask("heap");
    fewOf(
        IDLE,
        i -> {
          create(server.port(), tokens.getFirst(), "idle" + i);
          say(server.port(), tokens.getFirst(), "idle" + i, "short");
        });
    Thread.sleep(1_000);
    long idle = server.ask("heap");
    System.out.printf(
        "%s: %.1f KB for a stream, %.1f KB for an idle conversation of one turn%n",
        kind, (streaming - without) / 1e3 / STREAMS, (idle - without) / 1e3 / IDLE);
  }
}
