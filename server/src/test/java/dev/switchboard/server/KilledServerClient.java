package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A client of a server that dies and comes back: it sends each turn until that is acknowledged,
/// takes its stream up again where it broke off, and answers each request until that is
/// acknowledged. It checks that what it reads has no gaps, and that the same number is the same
/// bytes.
final class KilledServerClient implements Runnable {
  private static final int OVERLAP = 4;

  private final String id;
  private final String token;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> events = new ArrayList<>(); // guarded by itself
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private volatile int port;
  private volatile boolean held = true;
  private volatile boolean ending;
  private volatile boolean left;
  private final AtomicInteger turns = new AtomicInteger();
  private final List<Long> gaps =
      new CopyOnWriteArrayList<>(); // nanos from a death to a turn's end
  private volatile boolean following;
  private volatile long cut; // nanos of the first death in this turn; 0 for none

  KilledServerClient(String id, String token) {
    this.id = id;
    this.token = token;
  }

  String id() {
    return id;
  }

  int turns() {
    return turns.get();
  }

  void meet(int number) {
    port = number;
  }

  /// The server has died.
  void hold() {
    held = true;
    if (following && cut == 0) {
      cut = System.nanoTime();
    }
  }

  /// For each turn that was cut off by a death, the nanoseconds from there to its end.
  List<Long> gaps() {
    return gaps;
  }

  void goOn() {
    held = false;
  }

  void endAfterTurn() {
    ending = true;
  }

  void leave() {
    left = true;
  }

  /// The data of the events that were read.
  List<String> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  void checkUnharmed() {
    assertThat(fault.get()).as("client " + id).isNull();
  }

  @Override
  public void run() {
    try {
      while (!left && !ending) {
        int turn = turns.get();
        String said = (turn % 2 == 1 ? "ask" : "do") + turn;
        begin(said);
        following = true;
        follow(said);
        ended();
        turns.incrementAndGet();
      }
    } catch (Throwable e) {
      fault.set(e);
    }
  }

  private void ended() {
    following = false;
    if (cut != 0) {
      gaps.add(System.nanoTime() - cut);
      cut = 0;
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofMinutes(5))
        .header("Authorization", "Bearer " + token);
  }

  /// The answer to that request, which is sent until it succeeds.
  private HttpResponse<String> send(String path, String key, String body, Set<Integer> known)
      throws InterruptedException {
    while (!left) {
      pause();
      try {
        HttpResponse<String> response =
            http.send(
                request(path)
                    .header("Idempotency-Key", key)
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
        if (response.statusCode() / 100 == 2) {
          return response;
        }
        assertThat(response.statusCode()).as(path + " " + response.body()).isIn(known);
      } catch (IOException e) {
        // It is dead, and comes back.
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IllegalStateException("given up");
  }

  private void pause() throws InterruptedException {
    while (held && !left) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private void begin(String said) throws InterruptedException {
    if (turns.get() == 0) {
      send(
          "/v1/agents/" + KilledServer.AGENT + "/conversations",
          "first",
          Json.of(Map.of("id", id)).text(),
          Set.of());
    }
    send(
        "/v1/conversations/" + id + "/turns",
        said,
        Json.of(Map.of("text", said)).text(),
        Set.of(409, 503));
  }

  /// Reads until that turn is at rest.
  private void follow(String said) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isDone(said) && !left) {
      assertThat(System.nanoTime()).as("no end of " + said + " after " + events()).isLessThan(end);
      pause();
      int overlap = ThreadLocalRandom.current().nextInt(OVERLAP);
      try (Stream<String> lines = stream(Math.max(0, events().size() - overlap))) {
        Iterator<String> each = lines.iterator();
        long number = 0;
        while (!isDone(said) && each.hasNext()) {
          String line = each.next();
          if (line.startsWith("id: ")) {
            number = Long.parseLong(line.substring(4));
          } else if (line.startsWith("data: ")) {
            read(number, line.substring(6));
          }
        }
      } catch (IOException | UncheckedIOException e) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  private Stream<String> stream(long after) throws IOException, InterruptedException {
    HttpResponse<Stream<String>> response =
        http.send(
            request("/v1/conversations/" + id + "/events")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", String.valueOf(after))
                .build(),
            BodyHandlers.ofLines());
    if (response.statusCode() != 200) {
      String body = String.join("\n", response.body().toList());
      assertThat(response.statusCode()).as("from " + after + ": " + body).isIn(429, 503);
      return Stream.empty();
    }
    return response.body();
  }

  private void read(long number, String data) throws InterruptedException {
    synchronized (events) {
      if (number <= events.size()) {
        assertThat(data).isEqualTo(events.get((int) number - 1));
        return;
      }
      assertThat(number).isEqualTo(events.size() + 1);
      events.add(data);
    }
    JsonNode event = Json.text(data).tree();
    if (event.path("event").asString("").equals("consent_request")) {
      String request = id + ":" + event.path("payload").path("id").asString();
      send("/v1/approvals/" + request, request + number, "{\"decision\":\"approve\"}", Set.of(503));
    }
  }

  /// Whether all of that turn has been read.
  private boolean isDone(String said) {
    List<String> read = events();
    int from = read.size() - 1;
    while (from >= 0 && !read.get(from).contains("\"event\":\"user\"")) {
      from--;
    }
    return from >= 0
        && read.get(from).contains("\"text\":\"" + said + "\"")
        && read.getLast().contains("\"type\":\"done\"")
        && !read.getLast().contains("consent_pending");
  }

  /// The requests that are listed as open.
  Set<String> approvals() {
    Set<String> ids = new HashSet<>();
    get("/v1/approvals?status=pending")
        .path("items")
        .forEach(item -> ids.add(item.path("id").asString()));
    return ids;
  }

  private JsonNode get(String path) {
    try {
      return Json.text(http.send(request(path).build(), BodyHandlers.ofString()).body()).tree();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The log as it is at last: what was read, and for each turn one sentence, all words once, one
  /// request and one answer each time it asks, and one end.
  void checkWhole() {
    checkUnharmed();
    JsonNode page = get("/v1/conversations/" + id + "/events?limit=10000");
    assertThat(page.path("items")).hasSize(events().size());
    String run = "";
    Turn turn = new Turn();
    List<Turn> all = new ArrayList<>();
    for (JsonNode item : page.path("items")) {
      JsonNode event = item.path("event");
      if (event.path("event").asString("").equals("user")) {
        run = event.path("payload").path("text").asString();
        turn = new Turn();
        turn.said = run;
        all.add(turn);
      }
      turn.add(item.path("number").asLong(), event);
    }
    assertThat(all).hasSize(turns.get());
    all.forEach(Turn::check);
  }

  private static final class Turn {
    private final Map<Long, String> words = new java.util.TreeMap<>();
    private final List<String> types = new ArrayList<>();
    private String said = "";

    void add(long number, JsonNode event) {
      String type = event.path("type").asString();
      if (type.equals("content")) {
        words.put(number, event.path("content").asString());
      } else if (event.path("event").asString("").equals("reply_restarted")) {
        long from = event.path("payload").path("from").asLong();
        words.keySet().removeIf(known -> known >= from);
      } else if (type.equals("agent")) {
        types.add(event.path("event").asString());
      } else if (type.equals("done")) {
        types.add(event.path("payload").path("stopReason").asString());
      } else {
        types.add(type);
      }
    }

    void check() {
      assertThat(String.join("", words.values())).isEqualTo(KilledServer.words(said));
      // Where it died while the call ran, the person is asked again.
      String asked = "(consent_request (consent_pending )*consent_answer (consent_pending )*)+";
      String pattern =
          "user (tool_call tool_result ){%d}tool_call %stool_result end_turn"
              .formatted(KilledServer.STEPS - 1, said.startsWith("ask") ? asked : "");
      assertThat(String.join(" ", types)).as(said).matches(pattern);
    }
  }
}
