package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.server.access.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many streams with tools at once, beside a bare Javalin that writes as many events: processor
/// time for an event, latency, memory; no event is lost, doubled or out of order.
@Tag("load")
class ServerLoadTest {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final int STREAMS = Math.max(20, (int) (500 * SIZE));
  private static final int EACH = 25; // streams of a principal
  private static final int PACE_MILLIS = 100;
  private static final int TURNS = 5; // the first two are not measured
  private static final int IDLE = Math.max(100, (int) (2_000 * SIZE));
  // user, words, calls and their results, done; behind conversation_started
  private static final int EVENTS =
      2 + (LoadedServer.TOOLS + 1) * LoadedServer.WORDS + 2 * LoadedServer.TOOLS;

  @TempDir private Path folder;

  private final List<String> tokens = new ArrayList<>();

  /// What came of a run.
  ///
  /// @param nanos of the processor, for a word, call, result or end that was told
  /// @param told how many those were
  /// @param events that came of them: words that follow each other may come as one
  private record Figures(double nanos, long told, long events, long median, long late) {}

  @Test
  void costsLittleMoreThanABareServer() throws Exception {
    for (int i = 0; i <= STREAMS / EACH; i++) {
      Path file = folder.resolve("tokens");
      tokens.add(Tokens.open(file, null, Time.SYSTEM).add("p" + i, Role.CHAT));
    }
    Figures echo = echo();
    Figures memory = serve("memory");
    Figures sqlite = serve("sqlite");
    tell("echo", echo, echo);
    tell("in memory", memory, echo);
    tell("sqlite", sqlite, echo);
    assertThat(memory.nanos / echo.nanos).isLessThan(LIMIT);
  }

  private static final double LIMIT =
      Double.parseDouble(System.getProperty("switchboard.load.ratio", "2.5"));

  private static void tell(String what, Figures of, Figures echo) {
    System.out.printf(
        "%s: %d streams, %d told in %d events, %.1f us of processor each (%.2f of the echo's),"
            + " latency p50 %.1f ms, p99 %.1f ms (added %.1f ms)%n",
        what,
        STREAMS,
        of.told,
        of.events,
        of.nanos / 1e3,
        of.nanos / echo.nanos,
        of.median / 1e6,
        of.late / 1e6,
        (of.late - echo.late) / 1e6);
  }

  /// A process that serves.
  private final class Loaded implements AutoCloseable {
    final Process process;
    final BufferedReader out;
    final int port;

    Loaded(String kind) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1g",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Dslf4j.internal.verbosity=ERROR"));
      String more = System.getProperty("switchboard.load.java");
      if (more != null) {
        command.addAll(List.of(more.replace("KIND", kind).split(" ")));
      }
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              LoadedServer.class.getName(),
              kind,
              String.valueOf(PACE_MILLIS),
              folder.toString()));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      out = process.inputReader();
      port = (int) number();
    }

    long ask(String what) throws IOException {
      process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return number();
    }

    /// The next line that is a number: a profiler says something, too.
    private long number() throws IOException {
      String line = out.readLine();
      while (!line.matches("[0-9]+")) {
        line = out.readLine();
      }
      return Long.parseLong(line);
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }
  }

  /// A connection with one stream; every event is one behind the last.
  private static final class Reader implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final StringBuilder line = new StringBuilder();
    private final StringBuilder head = new StringBuilder();
    private int left; // of the chunk
    private long last;
    private long lastData;

    Reader(int port, String path, String token) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      send(socket, "GET " + path, token, "Accept: text/event-stream", "");
      in = new BufferedInputStream(socket.getInputStream());
      assertThat(raw()).contains("200");
      while (!raw().isEmpty()) {}
    }

    private String raw() throws IOException {
      head.setLength(0);
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new IOException("the stream has ended at event " + last);
        }
        if (c != '\r') {
          head.append((char) c);
        }
      }
      return head.toString();
    }

    private int next() throws IOException {
      if (left == 0) {
        left = Integer.parseInt(raw(), 16);
        if (left == 0) {
          throw new IOException("the stream has ended at event " + last);
        }
      }
      int c = in.read();
      left--;
      if (left == 0) {
        in.skipNBytes(2);
      }
      return c;
    }

    /// Reads so many events, or up to the end of a turn; adds the latency of those that tell when
    /// they were said. How many there were.
    int read(int most, LongStream.Builder latencies) throws IOException {
      long before = lastData;
      boolean done = false;
      while (!done && lastData < before + most) {
        line.setLength(0);
        for (int c = next(); c != '\n'; c = next()) {
          line.append((char) c);
        }
        if (line.indexOf("id: ") == 0) {
          long number = Long.parseLong(line.substring(4));
          assertThat(number).isEqualTo(last + 1);
          last = number;
        } else if (line.indexOf("data: ") == 0) {
          assertThat(++lastData).isEqualTo(last);
          done = line.indexOf("\"type\":\"done\"") >= 0;
          int at = line.indexOf("\"@");
          if (at >= 0) {
            String said = line.substring(at + 2, line.indexOf(" ", at));
            latencies.add(System.nanoTime() - Long.parseLong(said));
          }
        }
      }
      return (int) (lastData - before);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void each(int count, Work work) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
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
    try (Loaded server = new Loaded("echo")) {
      int warm = 2 * EVENTS;
      int measured = (TURNS - 2) * EVENTS;
      each(
          STREAMS,
          i -> {
            try (Reader reader = new Reader(server.port, "/events?events=" + warm, "x")) {
              reader.read(warm, LongStream.builder());
            }
          });
      LongStream.Builder[] latencies = builders();
      long before = server.ask("cpu");
      each(
          STREAMS,
          i -> {
            try (Reader reader = new Reader(server.port, "/events?events=" + measured, "x")) {
              reader.read(measured, latencies[i]);
            }
          });
      long events = (long) STREAMS * measured;
      return figures(server.ask("cpu") - before, events, events, latencies);
    }
  }

  private static LongStream.Builder[] builders() {
    LongStream.Builder[] builders = new LongStream.Builder[STREAMS];
    Arrays.setAll(builders, i -> LongStream.builder());
    return builders;
  }

  private static Figures figures(
      long nanos, long told, long events, LongStream.Builder[] latencies) {
    long[] all =
        Arrays.stream(latencies).flatMapToLong(LongStream.Builder::build).sorted().toArray();
    return new Figures(
        (double) nanos / told, told, events, all[all.length / 2], all[(int) (all.length * 0.99)]);
  }

  private String token(int stream) {
    return tokens.get(stream / EACH);
  }

  private static void send(Socket socket, String line, String token, String more, String body)
      throws IOException {
    String text =
        String.join(
            "\r\n",
            line + " HTTP/1.1",
            "Host: 127.0.0.1:" + socket.getPort(),
            "Authorization: Bearer " + token,
            more,
            "Content-Length: " + body.length(),
            "",
            body);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void post(int port, String token, String path, String body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      send(socket, "POST " + path, token, "Connection: close", body);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 20");
    }
  }

  private static void say(int port, String token, String id, String text) throws IOException {
    post(port, token, "/v1/conversations/" + id + "/turns", "{\"text\":\"" + text + "\"}");
  }

  private Figures serve(String kind) throws Exception {
    try (Loaded server = new Loaded(kind)) {
      Reader[] readers = new Reader[STREAMS];
      each(
          STREAMS,
          i -> {
            create(server.port, token(i), "c" + i);
            String path = "/v1/conversations/c" + i + "/events";
            readers[i] = new Reader(server.port, path, token(i));
          });
      LongStream.Builder[] latencies = builders();
      long before = 0;
      AtomicLong events = new AtomicLong();
      for (int turn = 0; turn < TURNS; turn++) {
        boolean measured = turn >= 2;
        if (turn == 2) {
          before = server.ask("cpu");
        }
        each(
            STREAMS,
            i -> {
              say(server.port, token(i), "c" + i, "Go");
              int came =
                  readers[i].read(
                      Integer.MAX_VALUE / 2, measured ? latencies[i] : LongStream.builder());
              events.addAndGet(measured ? came : 0);
            });
      }
      long nanos = server.ask("cpu") - before;
      tellMemory(kind, server, readers);
      return figures(nanos, (long) STREAMS * (TURNS - 2) * EVENTS, events.get(), latencies);
    }
  }

  private static void create(int port, String token, String id) throws IOException {
    post(
        port,
        token,
        "/v1/agents/" + LoadedServer.AGENT + "/conversations",
        "{\"id\":\"" + id + "\"}");
  }

  private void tellMemory(String kind, Loaded server, Reader[] readers) throws Exception {
    long streaming = server.ask("heap");
    for (Reader reader : readers) {
      reader.close();
    }
    // A stream that is gone is noticed at the next event.
    each(STREAMS, i -> say(server.port, token(i), "c" + i, "short"));
    Thread.sleep(1_000);
    long without = server.ask("heap");
    try (ExecutorService few = Executors.newFixedThreadPool(4)) {
      List<Future<Object>> all = new ArrayList<>();
      for (int i = 0; i < IDLE; i++) {
        String id = "idle" + i;
        all.add(
            few.submit(() -> {
              create(server.port, tokens.getFirst(), id);
              say(server.port, tokens.getFirst(), id, "short");
              return id;
            }));
      }
      for (Future<Object> one : all) {
        one.get();
      }
    }
    Thread.sleep(1_000);
    long idle = server.ask("heap");
    System.out.printf(
        "%s: %.1f KB for a stream, %.1f KB for an idle conversation of one turn%n",
        kind, (streaming - without) / 1e3 / STREAMS, (idle - without) / 1e3 / IDLE);
  }
}
