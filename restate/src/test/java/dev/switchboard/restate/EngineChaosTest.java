package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.harness.Ports;
import dev.switchboard.loop.Input;
import dev.switchboard.restate.PayingWorker.Rule;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.ConversationState;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Processes die, and the network hangs, in the middle of payments: each is made once by its key,
/// each call has one result, and each turn comes to its end.
///
/// `-Dswitchboard.chaos=20` says how many trials there are of each, `-Dswitchboard.seed=7` the seed
/// of the first, `-Dswitchboard.chaos.long=true` gives hangs their whole length.
@Tag("servers")
class EngineChaosTest {
  private static final int CONVERSATIONS = 12;
  private static final int WORKERS = 2;
  private static final int MEGABYTES = 256; // of a small disk
  private static final int ROOM = 1 << 20; // bytes that it has left when payments begin
  private static final boolean LONG = Boolean.getBoolean("switchboard.chaos.long");

  private static final Duration FULL = LONG ? Duration.ofSeconds(20) : Duration.ofSeconds(3);

  @TempDir Path folder;

  /// What the trials of one kind came to, for the table that `build/chaos` prints.
  private record Found(String checked, long first, int runs, int again, Duration slowest) {
    Found with(Found next) {
      return new Found(
          checked,
          Math.min(first, next.first),
          runs + next.runs,
          again + next.again,
          slowest.compareTo(next.slowest) > 0 ? slowest : next.slowest);
    }
  }

  private static final Map<String, Found> FOUND = new ConcurrentHashMap<>();

  @AfterAll
  static void tellAll() {
    FOUND.forEach((what, found) ->
        System.out.printf(
            Locale.ROOT,
            "chaos | Restate: %s | %d | %d | %s; %d of %d payments asked for again | %d%n",
            what,
            found.first,
            found.runs,
            found.checked,
            found.again,
            found.runs * CONVERSATIONS,
            found.slowest.toMillis()));
  }

  static LongStream seeds() {
    Long seed = Long.getLong("switchboard.seed");
    long first = seed == null ? new Random().nextInt(1_000_000) : seed;
    return LongStream.range(first, first + Integer.getInteger("switchboard.chaos", 2));
  }

  /// An engine, workers, and what they are seen by.
  private final class World implements AutoCloseable {
    private final Random random;
    private final @Nullable SmallDisk disk;
    private final Engine engine;
    private final Balancer network = Balancer.start();
    private final List<PayingWorker> workers = new ArrayList<>();
    private final Storage storage;
    private final ConversationStore store;
    private final RestateEngine known;

    World(long seed) throws IOException {
      this(seed, WORKERS, Rule.NONE, null);
    }

    /// @param small the folder that is on a disk of its own, null for none
    World(long seed, int count, Rule rule, @Nullable String small) throws IOException {
      random = new Random(seed);
      for (String name : List.of("attempts", "effects", "engine", "storage")) {
        Files.createDirectory(folder.resolve(name));
      }
      disk = small == null ? null : SmallDisk.at(folder.resolve(small), MEGABYTES);
      storage = Storage.open(PayingWorker.STORAGE, folder);
      store = storage.conversations(PayingWorker.AGENT);
      engine = Engine.start(folder.resolve("engine"));
      known = RestateEngine.at(engine.address());
      for (int i = 0; i < count; i++) {
        startWorker(rule);
      }
      workers.forEach(PayingWorker::awaitStarted);
      if (disk != null) {
        disk.fill(ROOM);
      }
    }

    private PayingWorker startWorker(Rule rule) {
      int port = Ports.free();
      PayingWorker worker = PayingWorker.start(engine, port, network.address(), folder, rule);
      network.add(port);
      workers.add(worker);
      return worker;
    }

    boolean submit(String conversation, Input input) {
      return new RestateQueue(known, PayingWorker.AGENT).submit(conversation, input);
    }

    void say() {
      for (int i = 0; i < CONVERSATIONS; i++) {
        assertThat(submit("c" + i, new Input.Said("said", "Pay."))).isTrue();
      }
    }

    /// The pid of the worker that has begun one of the payments, in the middle of all of them.
    long begin() {
      say();
      int wanted = 1 + random.nextInt(CONVERSATIONS);
      File[] attempts =
          Awaitility.await()
              .pollInterval(Duration.ofMillis(2))
              .until(() -> PayingWorker.attempts(folder), all -> all.length >= wanted);
      pass(Duration.ofMillis(random.nextInt(200)));
      return Long.parseLong(attempts[attempts.length - 1].getName().replaceAll("-.*", ""));
    }

    /// Stops a worker while none writes: a process that is stopped in a transaction keeps a SQLite
    /// file locked. On several machines the storage is PostgreSQL, which ends such a transaction.
    void stopBetweenWrites(PayingWorker worker) {
      Path file = folder.resolve("storage").resolve("paying.db");
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA busy_timeout = 10000");
        statement.execute("BEGIN IMMEDIATE");
        worker.stop();
        statement.execute("ROLLBACK");
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    /// Leaves the small disk without room for that long.
    void fullFor(Duration time) throws IOException {
      fill();
      pass(time);
      Objects.requireNonNull(disk).empty();
    }

    void fill() throws IOException {
      Objects.requireNonNull(disk).fill(0);
    }

    /// How many turns have come to their end.
    long ended() {
      return IntStream.range(0, CONVERSATIONS)
          .filter(i -> store.state("c" + i).load().value().loop().last() != null)
          .count();
    }

    void pass(Duration time) {
      try {
        boolean unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /// How long it has taken from then until all have come to their end.
    Duration end(long since) {
      for (int i = 0; i < CONVERSATIONS; i++) {
        String id = "c" + i;
        ConversationState state = awaitEnd(id);
        assertThat(state.loop().last().reason()).isEqualTo(StopReason.END_TURN);
      }
      Duration all = Duration.ofNanos(System.nanoTime() - since);
      IntStream.range(0, CONVERSATIONS).forEach(i -> check("c" + i));
      assertThat(PayingWorker.effects(folder)).isEqualTo(CONVERSATIONS);
      return all;
    }

    private ConversationState awaitEnd(String id) {
      try {
        return Awaitility.await()
            .pollInterval(Duration.ofMillis(20))
            .until(() -> store.state(id).load().value(), now -> now.loop().last() != null);
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(
            "%s does not end%nthe engine: %s%nthe workers: %s"
                .formatted(id, engine.log(), PayingWorker.log(folder)),
            e);
      }
    }

    /// All that the storage has of the conversations.
    List<Object> stored() {
      List<Object> all = new ArrayList<>();
      for (int i = 0; i < CONVERSATIONS; i++) {
        all.add(store.state("c" + i).load().value());
        all.add(store.settledCalls("c" + i, 1));
        all.add(store.lines("c" + i, 100));
      }
      return all;
    }

    /// The request for consent of that conversation, waited for.
    ConsentRequest awaitRequest(String id) {
      return Awaitility.await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> store.state(id).load().value().unanswered(), open -> !open.isEmpty())
          .getFirst();
    }

    /// Answers a request; the one result of its call, waited for.
    ToolResult answered(ConsentRequest request, Answer answer) {
      String id = request.conversation();
      assertThat(submit(id, new Input.Answered("answer", request.id(), answer))).isTrue();
      Awaitility.await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> store.state(id).load().value().loop().last() != null);
      List<SettledCall> calls = store.settledCalls(id, 1);
      assertThat(calls).hasSize(1);
      return calls.getFirst().result();
    }

    /// Has a worker of another version take the place of the one that runs.
    void deploy(Rule rule) {
      workers.getLast().end();
      startWorker(rule).awaitStarted();
    }

    private void check(String id) {
      assertThat(store.settledCalls(id, 1))
          .singleElement()
          .satisfies(call -> assertThat(call.result().success()).isTrue());
      assertThat(store.lines(id, 100))
          .extracting(Line::key)
          // Another version of the agent begins its requests anew.
          .filteredOn(key -> !key.contains("/open/"))
          .containsExactly(
              "turn1/input",
              "turn1/round1/model",
              "turn1/round1/end",
              "turn1/round2/model",
              "turn1/round2/end",
              "turn1/end");
    }

    void tell(String what, long seed, Duration length) {
      int begun = PayingWorker.attempts(folder).length;
      System.out.printf(
          "%s, seed %d: %d payments begun %d times, all turns ended after %d ms%n",
          what, seed, CONVERSATIONS, begun, length.toMillis());
      String checked = "one payment a key, one result a call, the whole transcript";
      Found found = new Found(checked, seed, 1, begun - CONVERSATIONS, length);
      FOUND.merge(what, found, Found::with);
    }

    @Override
    public void close() {
      workers.forEach(PayingWorker::close);
      network.close();
      known.close();
      engine.close();
      storage.close();
      if (disk != null) {
        disk.close();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aWorkerIsKilledInAPayment(long seed) throws IOException {
    try (World world = new World(seed)) {
      long pid = world.begin();
      long since = System.nanoTime();
      world.workers.stream().filter(one -> one.pid() == pid).forEach(PayingWorker::kill);
      Duration length = world.end(since);
      world.tell("a worker is killed", seed, length);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allWorkersAreKilledInPaymentsAndOneIsStarted(long seed) throws IOException {
    try (World world = new World(seed)) {
      world.begin();
      long since = System.nanoTime();
      world.workers.forEach(PayingWorker::kill);
      world.startWorker(Rule.NONE).awaitStarted();
      Duration length = world.end(since);
      world.tell("all workers are killed", seed, length);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theEngineIsKilledInAPayment(long seed) throws IOException {
    try (World world = new World(seed)) {
      world.begin();
      long since = System.nanoTime();
      world.engine.kill();
      world.pass(Duration.ofMillis(world.random.nextInt(500)));
      world.engine.start();
      Duration length = world.end(since);
      world.tell("the engine is killed", seed, length);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aWorkerIsStoppedInAPaymentAndWakes(long seed) throws IOException {
    try (World world = new World(seed)) {
      long pid = world.begin();
      long since = System.nanoTime();
      PayingWorker stopped =
          world.workers.stream().filter(one -> one.pid() == pid).findFirst().orElseThrow();
      world.stopBetweenWrites(stopped);
      world.pass(Duration.ofMillis(world.random.nextInt(500)));
      world.network.leaveOut(stopped.port);
      Duration length = world.end(since);
      List<Object> stored = world.stored();
      world.pass(LONG ? Duration.ofSeconds(30) : Duration.ofSeconds(3));
      stopped.go();
      world.pass(Duration.ofSeconds(2));
      assertThat(world.stored()).isEqualTo(stored);
      world.tell("a worker is stopped", seed, length);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoVersionsAreDeployedWhileApprovalsWait(long seed) throws IOException {
    try (World world = new World(seed, 1, Rule.CONSENT, null)) {
      world.say();
      List<ConsentRequest> asked =
          IntStream.range(0, CONVERSATIONS).mapToObj(i -> world.awaitRequest("c" + i)).toList();
      long since = System.nanoTime();
      world.deploy(Rule.FORBIDDEN);
      int refused = 1 + world.random.nextInt(CONVERSATIONS - 2);
      for (ConsentRequest request : asked.subList(0, refused)) {
        assertThat(world.answered(request, Answer.approveOnce()).code())
            .isEqualTo(ResultCode.RULE_VIOLATION);
      }
      world.deploy(Rule.CONSENT);
      assertThat(world.answered(asked.get(refused), Answer.deny("no")).code())
          .isEqualTo(ResultCode.CONSENT_DENIED);
      List<ConsentRequest> paid = asked.subList(refused + 1, CONVERSATIONS);
      for (ConsentRequest request : paid) {
        assertThat(world.answered(request, Answer.approveOnce()).success()).isTrue();
      }
      Duration length = Duration.ofNanos(System.nanoTime() - since);
      assertThat(PayingWorker.effects(folder)).isEqualTo(paid.size());
      assertThat(PayingWorker.attempts(folder)).hasSize(paid.size());
      System.out.printf(
          "two versions are deployed, seed %d: %d approved and refused, %d paid, %d ms%n",
          seed, refused, paid.size(), length.toMillis());
      String checked = "what the rules refuse is not paid, one result a call, each paid once";
      Found found = new Found(checked, seed, 1, 0, length);
      FOUND.merge("two versions are deployed", found, Found::with);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theNetworkToTheWorkersHangsInAPayment(long seed) throws IOException {
    try (World world = new World(seed)) {
      world.begin();
      long since = System.nanoTime();
      world.network.hang(true);
      world.pass(LONG ? Duration.ofSeconds(20) : Duration.ofSeconds(3));
      world.network.hang(false);
      Duration length = world.end(since);
      world.tell("the network hangs", seed, length);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theDiskOfTheStorageIsFullInAPayment(long seed) throws IOException {
    try (World world = new World(seed, WORKERS, Rule.NONE, "storage")) {
      world.say();
      world.pass(Duration.ofMillis(world.random.nextInt(400)));
      long since = System.nanoTime();
      world.fullFor(FULL);
      assertThat(world.ended()).isLessThan(CONVERSATIONS);
      Duration length = world.end(since);
      world.tell("the disk of the storage is full", seed, length);
    }
  }

  /// It goes on in the room that its files have; started again, it would need more.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theDiskOfTheEngineIsFullAndTheEngineIsKilled(long seed) throws IOException {
    try (World world = new World(seed, WORKERS, Rule.NONE, "engine")) {
      world.say();
      world.pass(Duration.ofMillis(world.random.nextInt(200)));
      long since = System.nanoTime();
      world.fill();
      world.pass(Duration.ofMillis(world.random.nextInt(200)));
      world.engine.kill();
      world.fullFor(FULL);
      assertThat(world.ended()).isLessThan(CONVERSATIONS);
      world.engine.start();
      Duration length = world.end(since);
      world.tell("the disk of the engine is full, and it is killed", seed, length);
    }
  }
}
