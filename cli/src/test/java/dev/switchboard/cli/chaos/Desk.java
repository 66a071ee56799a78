package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Payments.Blow;
import dev.switchboard.cli.chaos.Payments.Hit;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.StoreException;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.state.ConversationState;
import dev.switchboard.store.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// An agent that pays bills, run by workers in processes of their own, and a client of its.
final class Desk implements AutoCloseable {
  static final Duration HOLD = Duration.ofSeconds(Trials.LONG ? 3 : 1);

  /// How many bills are paid in a conversation.
  static final int BILLS = 3;

  private static final int CONVERSATIONS = 3;
  private static final String NAME = "Desk";
  private static final String PAY = "Pay " + BILLS + " of ";

  final Payments payments = new Payments();
  final Database database;
  private final PayingModel model = new PayingModel();
  private final Path folder;
  private final String delivery;
  private final Storage storage;
  private final ConversationStore store;
  private final Map<String, WorkerProcess> workers = new ConcurrentHashMap<>();
  private final List<String> calm = new ArrayList<>();
  private int conversations;

  /// What differs in the agent's file from one deployment to the next.
  ///
  /// @param bill the schema of the argument
  /// @param rules tables of rules
  record Version(String bill, String rules) {
    static final Version FIRST = new Version("{ type = \"string\" }", "");

    /// The same with another rule.
    Version with(String type) {
      return new Version(
          bill,
          rules
              + """

              [[agent.tool_rules]]
              tool_name = "pay"
              rule_type = %s
              """
                  .formatted(type));
    }
  }

  /// Conversations that have begun, and the payment in which a blow fell.
  record Struck(List<String> conversations, Hit hit) {}

  /// @param delivery of the tool that pays
  Desk(Path folder, String delivery) {
    this.folder = folder;
    this.delivery = delivery;
    database = Database.start(folder.resolve("data"));
    storage = Storage.shared(database.url(database.port()), folder);
    store = storage.conversations(NAME);
  }

  /// Starts workers of these names, and has them hold a conversation that nothing befalls.
  Desk with(String... names) {
    for (String name : names) {
      start(name);
    }
    workers.values().forEach(WorkerProcess::awaitStart);
    String conversation = say();
    awaitEnd(conversation);
    calm.addAll(transcript(conversation));
    return this;
  }

  WorkerProcess start(String name) {
    return start(name, database.port(), Version.FIRST);
  }

  /// Starts a worker of that name, in the place of one that had it.
  ///
  /// @param port where it reaches the database
  WorkerProcess start(String name, int port, Version version) {
    Path file = folder.resolve(name + ".toml");
    try {
      Path unused = Files.writeString(file, toml(name, port, version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    WorkerProcess worker = WorkerProcess.start(file, folder.resolve(name + ".log"));
    WorkerProcess before = workers.put(name, worker);
    if (before != null) {
      before.close();
    }
    return worker;
  }

  private String toml(String worker, int port, Version version) {
    return """
    [agent]
    name = "%s"
    model = %s
    limits = { consent_timeout = "10m" }

    [[tools]]
    name = "pay"
    mode = "external"
    webhook_url = "%s"
    delivery = "%s"
    parameters = { type = "object", properties = { bill = %s } }

    [network]
    allow = ["%s"]

    [storage]
    url = "%s"

    [cluster]
    workers = true
    hold = "%ds"
    %s
    """
        .formatted(
            NAME,
            model.toml(),
            payments.url(worker),
            delivery,
            version.bill,
            payments.hostAndPort(),
            database.url(port),
            HOLD.toSeconds(),
            version.rules);
  }

  WorkerProcess worker(String name) {
    return Objects.requireNonNull(workers.get(name));
  }

  /// The worker that is not of that name, of two.
  WorkerProcess otherThan(String name) {
    return worker(
        workers.keySet().stream().filter(one -> !one.equals(name)).findFirst().orElseThrow());
  }

  /// Begins conversations, and has a blow fall in one of their payments, of which some are still to
  /// be made.
  ///
  /// @param unanswered whether the worker has no answer before it falls
  /// @param falls takes the name of the worker that made the payment
  Struck strike(SplittableRandom random, boolean unanswered, Consumer<String> falls)
      throws Exception {
    Duration after = Duration.ofNanos(random.nextLong(Duration.ofMillis(60).toNanos()));
    int nth = random.nextInt(1, CONVERSATIONS * BILLS - 2);
    CompletableFuture<List<String>> said = new CompletableFuture<>();
    CompletableFuture<Hit> hit =
        payments.strike(
            new Blow(
                nth,
                after,
                unanswered,
                worker -> {
                  List<String> unused = said.join();
                  falls.accept(worker);
                }));
    said.complete(Stream.generate(this::say).limit(CONVERSATIONS).toList());
    return new Struck(said.join(), hit.get(5, TimeUnit.MINUTES));
  }

  /// Hands in a sentence in a conversation of its own, whose id is returned.
  String say() {
    String conversation = "c" + ++conversations + ".";
    assertThat(submit(conversation, new Input.Said("first", PAY + conversation))).isTrue();
    return conversation;
  }

  /// The same while the database may be away: handed in again under its id until it is kept.
  String sayUntilKept() {
    String conversation = "c" + ++conversations + ".";
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> {
          boolean unused = submit(conversation, new Input.Said("first", PAY + conversation));
          return true;
        });
    return conversation;
  }

  /// Hands in a sentence that has one bill paid.
  String sayOne() {
    String conversation = "c" + ++conversations + ".";
    assertThat(submit(conversation, new Input.Said("first", "Pay 1 of " + conversation))).isTrue();
    return conversation;
  }

  /// @throws StoreException when it cannot be kept
  boolean submit(String conversation, Input input) {
    return Objects.requireNonNull(store.queue())
        .submit(conversation, "local", InputJson.line(input));
  }

  ConversationState await(String conversation, Predicate<ConversationState> wanted) {
    ConversationState[] found = new ConversationState[1];
    Awaitility.await(conversation)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> {
          found[0] = store.state(conversation).load().value();
          return wanted.test(found[0]);
        });
    return found[0];
  }

  /// Waits for the end of its first turn, and until no worker has it any more.
  void awaitEnd(String conversation) {
    ConversationState unused =
        await(conversation, state -> state.loop().last() != null && state.lease().until() == null);
  }

  /// Waits until a person is asked for the first time, and returns what about.
  ConsentRequest awaitRequest(String conversation) {
    return await(conversation, state -> state.loop().waiting() && !state.unanswered().isEmpty())
        .unanswered()
        .getFirst();
  }

  /// How long it takes from that moment until all of these have ended.
  Duration untilEnd(List<String> said, long sinceNanos) {
    said.forEach(this::awaitEnd);
    return Duration.ofNanos(System.nanoTime() - sinceNanos);
  }

  /// Its lines and results without what differs each time.
  List<String> transcript(String conversation) {
    List<String> lines = new ArrayList<>();
    for (ConversationStore.Line line : store.lines(conversation, 1_000)) {
      lines.add(line.key() + " " + line.entry().text().replaceAll("\"at\":\"[^\"]*\",?", ""));
    }
    for (SettledCall call : results(conversation)) {
      lines.add(call.call().id() + " " + call.result().code() + " " + call.result().text());
    }
    return lines.stream().map(line -> line.replace(conversation.replace(".", ""), "C")).toList();
  }

  List<SettledCall> results(String conversation) {
    return store.settledCalls(conversation, 1);
  }

  static String bill(String conversation, int number) {
    return conversation.replace(".", "") + "/" + number;
  }

  /// Checks that all bills of the conversation were paid under one key each, that each call has one
  /// result, and that its transcript is that of a conversation which nothing befell.
  void checkPaid(String conversation) {
    assertThat(transcript(conversation)).as(conversation).isEqualTo(calm);
    for (int number = 1; number <= BILLS; number++) {
      payments.checkOnce(bill(conversation, number));
    }
    checkRead();
  }

  /// Checks that each call of which the model has read had one result.
  void checkRead() {
    model.checkRead();
  }

  /// Checks that this worker takes up a conversation when it is the only one.
  void checkServes(String worker) {
    WorkerProcess other = otherThan(worker);
    other.stop();
    try {
      String next = say();
      awaitEnd(next);
      checkPaid(next);
      assertThat(payments.worker(Desk.bill(next, 1))).isEqualTo(worker);
    } finally {
      other.go();
    }
  }

  /// Every row that is kept of these conversations.
  List<String> rows(List<String> conversations) {
    List<String> rows = new ArrayList<>();
    String ids = String.join("','", conversations);
    for (String table : List.of("line", "event", "input")) {
      rows.addAll(
          database.rows(
              "SELECT row_to_json(t)::text FROM %s t WHERE conversation IN ('%s') ORDER BY 1"
                  .formatted(table, ids)));
    }
    rows.addAll(
        database.rows(
            "SELECT row_to_json(t)::text FROM conversation t WHERE id IN ('%s') ORDER BY 1"
                .formatted(ids)));
    return rows;
  }

  /// What the workers have printed.
  String logs() {
    StringBuilder logs = new StringBuilder();
    workers.forEach((name, worker) -> logs.append(name).append(":\n").append(worker.said()));
    return logs.toString();
  }

  @Override
  public void close() {
    workers.values().forEach(WorkerProcess::close);
    store.close();
    storage.close();
    model.close();
    payments.close();
    database.close();
  }
}
