package dev.switchboard.bench;

import com.sun.net.httpserver.HttpServer;
import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.carrier.twilio.Signature;
import dev.switchboard.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Calls to a [PhoneServer] in a process of its own: this one is the carrier and the engine of all
/// of them, with one thread for the clock and one that reads. On Linux each of the two processes
/// has one core, so that the audio is not late because of what simulates it.
final class PhoneLoad implements AutoCloseable {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
  private static final String UPDATED =
      """
      {"type":"session.updated","session":{"audio":{"input":{"format":{"type":"audio/pcmu"}},\
      "output":{"format":{"type":"audio/pcmu"}}}}}\
      """;

  final PhoneFigures figures = new PhoneFigures();
  private final boolean relay;
  private final boolean strained;
  private final Selector selector = Selector.open();
  private final ServerSocketChannel engines = ServerSocketChannel.open();
  private final HttpServer webhooks;
  private final Process process;
  private final BufferedReader answers;
  private final int port;
  private final OkHttpClient client = new OkHttpClient();
  private final List<PhoneTalk> talks = new CopyOnWriteArrayList<>();
  private volatile boolean closed;
  private int made;

  /// @param kind `ours` or `relay`
  /// @param strained whether tools are webhooks that take 30 seconds, and one whose breaker is open
  PhoneLoad(String kind, boolean strained) throws IOException {
    relay = kind.equals("relay");
    this.strained = strained;
    engines.bind(new InetSocketAddress("127.0.0.1", 0), 256);
    webhooks = webhooks();
    process = process(kind);
    answers = process.inputReader(StandardCharsets.UTF_8);
    port = Integer.parseInt(answers.readLine());
    Thread.ofPlatform().daemon().name("engines").start(this::accept);
    Thread.ofPlatform().daemon().name("reader").start(this::read);
    Thread.ofPlatform().daemon().name("clock").start(this::tick);
  }

  private static HttpServer webhooks() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 256);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/slow",
        exchange -> {
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30));
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    server.createContext(
        "/broken",
        exchange -> {
          exchange.sendResponseHeaders(500, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private Process process(String kind) throws IOException {
    List<String> command = onCore("-c", 0);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dslf4j.internal.verbosity=ERROR"));
    String more = System.getProperty("phone.java");
    if (more != null) {
      command.addAll(List.of(more.replace("KIND", kind).split(" ")));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PhoneServer.class.getName(), kind));
    command.add("ws://127.0.0.1:" + engines.socket().getLocalPort() + "/v1");
    command.add("127.0.0.1:" + webhooks.getAddress().getPort());
    return new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
  }

  /// Has this process run on the second core.
  static void takeCore() throws IOException {
    List<String> command = onCore("-acp", 1);
    if (!command.isEmpty()) {
      command.add(String.valueOf(ProcessHandle.current().pid()));
      Process taken = new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).start();
      if (taken.onExit().join().exitValue() != 0) {
        throw new IOException("taskset failed");
      }
    }
  }

  /// How a command on that core begins; empty where there is no `taskset`.
  private static List<String> onCore(String option, int core) {
    Path taskset = Path.of("/usr/bin/taskset");
    return Files.exists(taskset)
        ? new ArrayList<>(List.of(taskset.toString(), option, String.valueOf(core)))
        : new ArrayList<>();
  }

  // -- the engine

  private void accept() {
    while (!closed) {
      try {
        SocketChannel socket = engines.accept();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        PhoneWire wire = PhoneWire.accept(socket);
        wire.listen(selector, new Session(wire)::take);
        wire.send("{\"type\":\"session.created\",\"session\":{}}");
      } catch (IOException e) {
        if (!closed) {
          System.err.println("an engine's session was not opened: " + e);
        }
      }
    }
  }

  /// One session, whose call is known by its first audio.
  private final class Session {
    private final PhoneWire wire;
    private @Nullable PhoneTalk talk;

    Session(PhoneWire wire) {
      this.wire = wire;
    }

    void take(String text) {
      PhoneTalk known = talk;
      if (text.startsWith("{\"type\":\"input_audio_buffer.append\"")) {
        if (known == null) {
          talk = talks.get(PhoneTalk.number(text));
          talk.engine(wire);
        }
        PhoneTalk.heard(text, figures);
      } else if (text.startsWith("{\"type\":\"session.update\"")) {
        wire.send(UPDATED);
      } else if (known != null) {
        known.toEngine(text);
      }
    }
  }

  private void read() {
    try {
      while (!closed) {
        selector.select(key -> ((PhoneWire) key.attachment()).read());
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  // -- the carrier

  /// The calls' ticks, spread over the 20 ms.
  private void tick() {
    long begin = System.nanoTime();
    for (long tick = 1; !closed; tick++) {
      List<PhoneTalk> all = List.copyOf(talks);
      for (int i = 0; i < all.size(); i++) {
        await(begin + tick * TICK + i * TICK / all.size());
        all.get(i).tick();
      }
      await(begin + tick * TICK + TICK);
    }
  }

  private static void await(long moment) {
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /// Has so many calls be on.
  void calls(int count) throws IOException {
    while (talks.size() < count) {
      int number = talks.size();
      made++;
      String id = "CA%032x".formatted(made);
      String token = relay ? "" : announce(id);
      SocketChannel socket = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      String path = "/phone/twilio/media";
      String signature = signature("wss" + PhoneServer.URL.substring(5) + path, Map.of());
      PhoneWire wire =
          PhoneWire.connect(
              socket,
              "GET %s HTTP/1.1\r\nHost: %s\r\n%s: %s\r\n"
                  .formatted(path, host(), Signature.HEADER, signature));
      PhoneTalk talk = new PhoneTalk(number, figures, relay, strained);
      wire.listen(selector, talk::toCarrier);
      talk.begin(wire, id, token);
      talks.add(talk);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!talk.isConnected()) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("no engine was asked for");
        }
        pause(Duration.ofMillis(1));
      }
    }
  }

  private static String host() {
    return PhoneServer.URL.substring("https://".length());
  }

  private static String signature(String url, Map<String, List<String>> fields) {
    return Signature.of(ApiKey.of(PhoneServer.TOKEN), url, fields);
  }

  /// Tells of a call; its token.
  private String announce(String id) throws IOException {
    String path = "/phone/twilio/voice";
    Map<String, String> fields =
        new TreeMap<>(
            Map.of(
                "CallSid",
                id,
                "AccountSid",
                PhoneServer.ACCOUNT,
                "From",
                "+14155550100",
                "To",
                PhoneServer.NUMBER,
                "CallStatus",
                "ringing",
                "Direction",
                "inbound"));
    FormBody.Builder form = new FormBody.Builder();
    Map<String, List<String>> signed = new HashMap<>();
    fields.forEach((name, value) -> {
      form.add(name, value);
      signed.put(name, List.of(value));
    });
    Request request =
        new Request.Builder()
            .url("http://127.0.0.1:" + port + path)
            .header("Host", host())
            .header(Signature.HEADER, signature(PhoneServer.URL + path, signed))
            .post(form.build())
            .build();
    try (Response response = client.newCall(request).execute()) {
      String twiml = response.body().string();
      Matcher token = TOKEN.matcher(twiml);
      if (!token.find()) {
        throw new IOException("no call: " + response.code() + " " + twiml);
      }
      return token.group(1);
    }
  }

  /// The milliseconds of processor time that a call takes in a second, while figures are gathered
  /// for so long.
  double measure(Duration length) throws IOException {
    figures.clear();
    long before = ask("processor");
    long begin = System.nanoTime();
    pause(length);
    double seconds = (System.nanoTime() - begin) / 1e9;
    long used = ask("processor") - before;
    long lost = talks.stream().filter(PhoneTalk::isLost).count();
    if (lost > 0) {
      throw new IllegalStateException(lost + " calls were lost");
    }
    return used / 1e6 / seconds / talks.size();
  }

  static void pause(Duration length) {
    Time.SYSTEM.pause(new Time.Signal(), length);
  }

  /// How much heap is in use, in bytes.
  long heap() throws IOException {
    return ask("heap");
  }

  private long ask(String what) throws IOException {
    process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return Long.parseLong(answers.readLine());
  }

  /// Hangs all calls up.
  void hangUp() {
    talks.forEach(PhoneTalk::end);
    talks.clear();
  }

  /// `ours` or `relay`.
  @Override
  public String toString() {
    return relay ? "relay" : "ours";
  }

  @Override
  public void close() throws IOException {
    closed = true;
    process.getOutputStream().close();
    process.onExit().join();
    engines.close();
    selector.close();
    webhooks.stop(0);
  }
}
