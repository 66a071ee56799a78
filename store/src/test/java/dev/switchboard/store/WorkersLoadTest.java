package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationQueue.Listening;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Load;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Workers on PostgreSQL beside bare JDBC that makes as many transactions with the same rows: once
/// in the threads of its clients, with no queue and no announcement, and once handed over to
/// threads that hear of it, and back. Neither has a loop. Disks sync.
@Tag("load")
@SuppressWarnings("try") // workers are there to be closed
class WorkersLoadTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws Exception {
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("max_connections", "100")
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private static Storage storage() {
    return Storage.shared(
        "postgresql://postgres@localhost:%d/postgres".formatted(server.getPort()), Path.of(""));
  }

  private static ModelReply reply(List<Message> read) {
    return switch (read.getLast()) {
      case Message.User(String text, var files) when text.startsWith("Pay") ->
          ModelReply.calls(RequestedCall.of("id", "pay", "{\"order\":\"A-4711\"}"));
      case Message.User user ->
          ModelReply.calls(RequestedCall.of("id", "look_up", "{\"order\":\"A-4711\"}"));
      case Message.Result result ->
          ModelReply.text("Your order A-4711 is on its way, and will be there tomorrow.");
      case Message.System system -> ModelReply.text("?");
      case Message.Assistant assistant -> ModelReply.text("?");
      case Message.Notice notice -> ModelReply.text("?");
    };
  }

  static AgentBuilder agent(ConversationStore store) {
    return Agent.builder("load")
        .model(ScriptedModel.answering(request -> reply(request.messages())))
        .tools(
            Tool.dynamic("look_up").handler((arguments, context) -> "on its way"),
            Tool.dynamic("pay").handler((arguments, context) -> "paid"))
        .rules(ToolRule.consent("pay"))
        .store(store);
  }

  /// A store of whose writes that is told, and how many nanoseconds each took.
  static ConversationStore watched(ConversationStore store, Write write) {
    return (ConversationStore)
        Proxy.newProxyInstance(
            WorkersLoadTest.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              long before = System.nanoTime();
              Object answer = method.invoke(store, arguments);
              if (method.getName().equals("write")) {
                write.done((Writing) arguments[arguments.length - 1], System.nanoTime() - before);
              }
              return answer;
            });
  }

  interface Write {
    void done(Writing writing, long nanos);
  }

  /// Waits for turns to come to rest, as a server does: by what workers announce.
  private static final class Rests implements Consumer<Announcement> {
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();

    CompletableFuture<Void> of(String conversation) {
      return awaited.computeIfAbsent(conversation, unused -> new CompletableFuture<>());
    }

    @Override
    public void accept(Announcement told) {
      if (told.topic() == Topic.RESTED) {
        boolean unused = of(told.conversation()).complete(null);
      }
    }
  }

  record Figures(double perSecond, double median, double p99) {
    static Figures of(long[] took, double seconds) {
      Arrays.sort(took);
      return new Figures(
          took.length / seconds,
          took[took.length / 2] / 1e6,
          took[(int) (took.length * 0.99)] / 1e6);
    }

    @Override
    public String toString() {
      return "%7.1f/s, p50 %6.1f ms, p99 %6.1f ms".formatted(perSecond, median, p99);
    }
  }

  static Figures measure(int clients, int turns, IntConsumer turn) throws Exception {
    long[] took = new long[turns];
    AtomicInteger next = new AtomicInteger();
    long began = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        all.add(
            threads.submit(() -> {
              for (int n = next.getAndIncrement(); n < turns; n = next.getAndIncrement()) {
                long before = System.nanoTime();
                turn.accept(NUMBERS.incrementAndGet());
                took[n] = System.nanoTime() - before;
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    return Figures.of(took, (System.nanoTime() - began) / 1e9);
  }

  /// Talks to the workers, whichever there are.
  private static final class Clients implements AutoCloseable {
    private final Storage storage = storage();
    private final ConversationStore store = storage.conversations("load");
    private final Agent agent = agent(store).build();
    private final Rests rests = new Rests();
    private final Listening listening = Objects.requireNonNull(store.queue()).listen(rests);

    void turn(int number) {
      String id = "c" + number;
      CompletableFuture<Void> rest = rests.of(id);
      assertThat(agent.queue().submit(id, new Input.Said("said", "Where is my order A-4711?")))
          .isTrue();
      try {
        rest.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError(id, e);
      }
    }

    @Override
    public void close() {
      listening.close();
      agent.close();
      storage.close();
    }
  }

  /// A process's worth of a worker, with connections of its own.
  private record Working(Storage opened, Agent working, Agent.Worker worker)
      implements AutoCloseable {
    static Working start(Write write) {
      Storage storage = storage();
      Agent agent =
          agent(watched(storage.conversations("load"), write)).time(storage.time()).build();
      return new Working(storage, agent, agent.work(Agent.Cluster.USUAL));
    }

    @Override
    public void close() {
      worker.close();
      working.close();
      opened.close();
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }

  @Test
  void besideBareJdbc() throws Exception {
    try (Clients clients = new Clients()) {
      List<Writing> writings = new CopyOnWriteArrayList<>();
      try (Working recording = Working.start((writing, nanos) -> writings.add(writing))) {
        // Of one that has done many: what is told while a class is loaded is written by itself.
        for (int i = 0; i < 300; i++) {
          writings.clear();
          clients.turn(NUMBERS.incrementAndGet());
        }
      }
      Load.tell("%d transactions of a turn beside its input and claim", writings.size());
      ConcurrentLinkedQueue<Long> effects = new ConcurrentLinkedQueue<>();
      try (BareTurns bare = new BareTurns(server, List.copyOf(writings));
          BareWorker handed = new BareWorker(server, List.copyOf(writings));
          Working worker = Working.start((writing, nanos) -> effects.add(nanos))) {
        // Until little is compiled any more.
        for (int i = 0; i < 2; i++) {
          measure(64, Load.of(5_000), bare::turn);
          measure(64, Load.of(5_000), handed::turn);
          measure(64, Load.of(5_000), clients::turn);
        }
        // As the server does by itself after a minute: until then it plans for empty tables.
        execute("ANALYZE");
        for (int count : new int[] {1, 16, 64, 256}) {
          int turns = Load.of(count == 1 ? 300 : 1_500);
          for (int i = 0; i < 3; i++) {
            Figures peer = measure(count, turns, bare::turn);
            Figures other = measure(count, turns, handed::turn);
            effects.clear();
            Figures ours = measure(count, turns, clients::turn);
            long[] each = effects.stream().mapToLong(Long::longValue).toArray();
            Load.tell(
                "%3d clients: bare %s; handed over %s; workers %s; shares %.2f and %.2f; a write"
                    + " %s",
                count,
                peer,
                other,
                ours,
                ours.perSecond / peer.perSecond,
                ours.perSecond / other.perSecond,
                Figures.of(each, 1));
          }
        }
      }
    }
  }

  @Test
  void growsWithWorkers() throws Exception {
    try (Clients clients = new Clients()) {
      for (int count : new int[] {1, 2, 4, 1, 2, 4}) {
        List<Working> workers = new ArrayList<>();
        try {
          for (int i = 0; i < count; i++) {
            workers.add(Working.start((writing, nanos) -> {}));
          }
          measure(64, Load.of(300), clients::turn);
          Load.tell("%d workers: %s", count, measure(64, Load.of(1_500), clients::turn));
        } finally {
          workers.forEach(Working::close);
        }
      }
    }
  }

  @Test
  void holdsParkedConversations() throws Exception {
    int parked = Load.of(100_000);
    int woken = Load.of(1_000);
    try (Clients clients = new Clients()) {
      String request = park(clients, parked);
      Runtime memory = Runtime.getRuntime();
      System.gc();
      long heap = memory.totalMemory() - memory.freeMemory();
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      try (Working worker = Working.start((writing, nanos) -> {})) {
        measure(1, 1, clients::turn);
        // A connection counts what it has done when it next does something.
        pause(12_000);
        long before = number(TRANSACTIONS);
        pause(30_000);
        long queries = number(TRANSACTIONS) - before;
        System.gc();
        Load.tell(
            "%d parked: %.2f transactions a second, %d more threads, %.1f MB more heap",
            parked,
            queries / 30.0,
            ManagementFactory.getThreadMXBean().getThreadCount() - threads,
            (memory.totalMemory() - memory.freeMemory() - heap) / 1e6);
        long began = System.nanoTime();
        List<CompletableFuture<Void>> rests = new ArrayList<>();
        for (int i = 1; i <= woken; i++) {
          String id = "parked" + i;
          rests.add(clients.rests.of(id));
          String asked = request.replace("original", id);
          assertThat(
                  clients
                      .agent
                      .queue()
                      .submit(id, new Input.Answered("answer", asked, Answer.approveOnce())))
              .isTrue();
        }
        double handedIn = (System.nanoTime() - began) / 1e9;
        CompletableFuture.allOf(rests.toArray(CompletableFuture[]::new))
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Load.tell(
            "%d woken: handed in after %.2f s, at rest after %.2f s",
            woken, handedIn, (System.nanoTime() - began) / 1e9);
        assertThat(clients.store.state("parked1").load().value().loop().last()).isNotNull();
      }
    }
  }

  private static final String TRANSACTIONS =
      "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'postgres'";

  private static void pause(long millis) throws InterruptedException {
    assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
  }

  /// The request that a conversation waits with, of which there are so many copies then.
  private static String park(Clients clients, int parked) throws Exception {
    try (Working worker = Working.start((writing, nanos) -> {})) {
      CompletableFuture<Void> rest = clients.rests.of("original");
      boolean unused = clients.agent.queue().submit("original", new Input.Said("said", "Pay."));
      rest.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    for (String table : List.of("conversation", "line", "event")) {
      String id = table.equals("conversation") ? "id" : "conversation";
      execute(
          """
          DO $$ DECLARE names text; texts text; BEGIN
            SELECT string_agg(column_name, ', '), string_agg(
              CASE WHEN column_name = '%2$s' THEN '''parked'' || n'
                WHEN column_name IN ('state', 'entry', 'event', 'key')
                  THEN 'replace(' || column_name || ', ''original'', ''parked'' || n)'
                ELSE column_name END, ', ')
            INTO names, texts FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = '%1$s';
            EXECUTE 'INSERT INTO %1$s (' || names || ') SELECT ' || texts
              || ' FROM %1$s, generate_series(1, %3$d) AS n WHERE %2$s = ''original''';
          END $$
          """
              .formatted(table, id, parked));
    }
    execute("ANALYZE");
    return clients.store.state("original").load().value().unanswered().getFirst().id();
  }
}
