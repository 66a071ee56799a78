package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A server that is killed at any moment of its conversations: nothing that was acknowledged or
/// shown is lost, nothing that settled runs again, and nobody has to ask for it to go on.
class KilledServerTest {
  private static final int CLIENTS = 3;
  private static final int LONGEST_MILLIS = 1_200;

  @TempDir private Path folder;

  private final List<KilledServerClient> clients = new ArrayList<>();
  private final List<Thread> talking = new ArrayList<>();

  /// After which life a call was seen to be settled, by conversation and call.
  private final Map<String, Integer> settled = new HashMap<>();

  private Process process;

  @BeforeEach
  void meet() {
    String token =
        Tokens.open(KilledServer.tokens(folder), null, Time.SYSTEM).add("zoe", Role.OPERATE);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new KilledServerClient("c" + i, token));
    }
  }

  @AfterEach
  void end() {
    clients.forEach(KilledServerClient::leave);
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Test
  @Tag("slow")
  void losesNothingAndDoesNothingTwice() throws Exception {
    kill(5);
  }

  @Test
  @Tag("load")
  void losesNothingAndDoesNothingTwiceInManyDeaths() throws Exception {
    kill(50);
  }

  private void kill(int deaths) throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("moments of death, the server: seed " + seed);
    Random moments = new Random(seed);
    for (int life = 0; life < deaths; life++) {
      live(life);
      TimeUnit.MILLISECONDS.sleep(moments.nextInt(LONGEST_MILLIS));
      process.toHandle().destroyForcibly();
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      clients.forEach(KilledServerClient::hold);
      look(life);
    }
    live(deaths);
    clients.forEach(KilledServerClient::endAfterTurn);
    for (Thread thread : talking) {
      assertThat(thread.join(Duration.ofMinutes(5))).isTrue();
    }
    clients.forEach(KilledServerClient::checkWhole);
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    look(deaths);
    int runs = checkRuns();
    System.out.printf(
        "%d deaths, %d turns, %d events, %d runs, %d calls%n",
        deaths,
        clients.stream().mapToInt(KilledServerClient::turns).sum(),
        clients.stream().mapToInt(client -> client.events().size()).sum(),
        runs,
        settled.size());
    long[] gaps =
        clients.stream()
            .flatMap(client -> client.gaps().stream())
            .mapToLong(nanos -> nanos)
            .sorted()
            .toArray();
    if (gaps.length > 0) {
      System.out.printf(
          "from a death to the end of a turn that it cut off: %d ms at p50, %d ms at most, %d"
              + " turns%n",
          gaps[gaps.length / 2] / 1_000_000, gaps[gaps.length - 1] / 1_000_000, gaps.length);
    }
  }

  /// Starts a server, and lets the clients go on once the approvals are found to be those that are
  /// stored.
  private void live(int life) throws IOException {
    Set<String> open = waiting(false);
    Set<String> asked = waiting(true);
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                KilledServer.class.getName(),
                folder.toString(),
                String.valueOf(life))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int port = port(process.inputReader());
    clients.forEach(client -> client.meet(port));
    assertThat(clients.getFirst().approvals()).containsAll(open).isSubsetOf(asked);
    clients.forEach(KilledServerClient::goOn);
    if (talking.isEmpty()) {
      clients.forEach(client -> talking.add(Thread.ofVirtual().start(client)));
    }
    clients.forEach(KilledServerClient::checkUnharmed);
  }

  private static int port(BufferedReader out) throws IOException {
    String line = out.readLine();
    assertThat(line).startsWith("port ");
    return Integer.parseInt(line.substring(5));
  }

  /// The requests that wait; those too whose answer was being carried out, which are asked again.
  private Set<String> waiting(boolean answered) {
    try (ConversationStore store = store()) {
      Set<String> ids = new HashSet<>();
      for (KilledServerClient client : clients) {
        store.state(client.id()).load().value().waiting().stream()
            .filter(call -> answered || call.isUnanswered())
            .forEach(call -> ids.add(id(call.request())));
      }
      return ids;
    }
  }

  private ConversationStore store() {
    return Storage.sqlite(KilledServer.database(folder), KilledServer.AGENT);
  }

  private static String id(ConsentRequest request) {
    return request.conversation() + ":" + request.id();
  }

  /// What is stored while nobody lives.
  private void look(int life) {
    try (ConversationStore store = store()) {
      for (KilledServerClient client : clients) {
        List<Event.Logged> events = store.events(client.id(), 0, Integer.MAX_VALUE);
        for (int i = 0; i < events.size(); i++) {
          assertThat(events.get(i).number()).isEqualTo(i + 1);
        }
        assertThat(events).hasSizeGreaterThanOrEqualTo(client.events().size());
        Set<String> open = new HashSet<>();
        for (Event.Logged event : events) {
          JsonNode tree = event.event().tree();
          String call = tree.path("payload").path("id").asString("");
          if (tree.path("type").asString().equals("tool_call")
              && store.settledCall(client.id(), call) != null) {
            settled.putIfAbsent(client.id() + " " + call, life);
          }
          if (tree.path("event").asString("").equals("consent_request")) {
            open.add(client.id() + ":" + call);
          } else if (tree.path("event").asString("").equals("consent_answer")) {
            open.remove(client.id() + ":" + call);
          }
        }
        // What is stored may not be told yet, or be told as answered; nothing is told but not so.
        assertThat(
                store.state(client.id()).load().value().waiting().stream()
                    .map(call -> id(call.request()))
                    .toList())
            .containsAll(open);
      }
    }
  }

  private int checkRuns() throws IOException {
    Map<String, Set<String>> keys = new TreeMap<>();
    Map<String, Set<String>> calls = new TreeMap<>();
    Set<String> once = new HashSet<>();
    List<String> lines = Files.readAllLines(KilledServer.runs(folder));
    for (String line : lines) {
      String[] words = line.split(" ");
      String call = words[1] + " " + words[2];
      assertThat(once.add(words[0] + " " + call)).as("twice in a life: " + line).isTrue();
      keys.computeIfAbsent(call, name -> new HashSet<>()).add(words[3]);
      calls.computeIfAbsent(words[3], name -> new HashSet<>()).add(call);
      assertThat(settled).containsKey(call);
      assertThat(Integer.parseInt(words[0]))
          .as("ran after it was settled: " + line)
          .isLessThanOrEqualTo(settled.get(call));
    }
    assertThat(keys.values()).allSatisfy(own -> assertThat(own).hasSize(1));
    assertThat(calls.values()).allSatisfy(own -> assertThat(own).hasSize(1));
    assertThat(keys.keySet()).isEqualTo(settled.keySet());
    return lines.size();
  }
}
