package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restate.common.Slice;
import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.endpoint.definition.AsyncResult;
import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.sdk.http.vertx.RestateHttpServer;
import dev.restate.serde.Serde;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many conversations a second there are beside what the bare engine does: as many entries of
/// its journal of the same size, and the same rows written to the same storage.
@Tag("load")
@SuppressWarnings("try") // workers are there to be closed
class ThroughputLoadTest {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final int ENTRIES = 2;
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Map<Integer, Long> REPLIED = new ConcurrentHashMap<>();
  private static final Queue<Long> EFFECTS = new ConcurrentLinkedQueue<>();

  @TempDir Path folder;

  private static ModelReply reply(List<Message> read) {
    if (!(read.getLast() instanceof Message.User)) {
      return ModelReply.text("Your order A-4711 is on its way, and will be there tomorrow.");
    }
    int number = NUMBERS.incrementAndGet();
    REPLIED.put(number, System.nanoTime());
    return ModelReply.calls(
        RequestedCall.of("id", "look_up", "{\"order\":\"A-%d\"}".formatted(number)));
  }

  /// The effect between the model's reply and the call that it asks for: that it is kept.
  private static String called(String order) {
    Long replied = REPLIED.remove(Integer.valueOf(order.substring(2)));
    if (replied != null) {
      EFFECTS.add(System.nanoTime() - replied);
    }
    return "on its way";
  }

  private static Agent agent(ConversationStore store) {
    return Agent.builder("load")
        .model(ScriptedModel.answering(request -> reply(request.messages())))
        .tools(
            Tool.dynamic("look_up")
                .handler((arguments, context) -> called(arguments.tree().path("order").asString())))
        .store(store)
        .build();
  }

  /// Does what a turn does, without a turn: the entries, and the rows.
  private static final class Bare {
    private final ConversationStore storage;
    private final List<Writing> writings;
    private final byte[] entry;

    Bare(ConversationStore storage, List<Writing> writings, byte[] entry) {
      this.storage = storage;
      this.writings = writings;
      this.entry = entry;
    }

    ServiceDefinition service() {
      return ServiceDefinition.of(
          "bare",
          ServiceType.VIRTUAL_OBJECT,
          List.of(
              HandlerDefinition.of(
                  "take",
                  HandlerType.EXCLUSIVE,
                  Serde.withContentType("application/json", Serde.RAW),
                  Serde.VOID,
                  (engine, in, out, hook) -> {
                    CompletableFuture<Slice> end = new CompletableFuture<>();
                    Thread.ofVirtual().start(() -> run(engine, end));
                    return end;
                  })));
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run(HandlerContext engine, CompletableFuture<Slice> end) {
      try {
        var unused = engine.set("turn", Slice.wrap("x")).get();
        int half = writings.size() / 2;
        writings.subList(0, half).forEach(writing -> write(engine.objectKey(), writing));
        for (int i = 0; i < ENTRIES; i++) {
          AsyncResult<Slice> run =
              engine
                  .submitRun("effects", completer -> completer.proposeSuccess(Slice.wrap(entry)))
                  .get();
          var ignored = run.poll().get();
        }
        writings
            .subList(half, writings.size())
            .forEach(writing -> write(engine.objectKey(), writing));
        end.complete(Slice.EMPTY);
      } catch (Throwable thrown) {
        end.completeExceptionally(thrown);
      }
    }

    private void write(String id, Writing writing) {
      Replacement state = writing.state();
      Cell.Version<ConversationState> known = storage.state(id).load();
      Writing own =
          new Writing(
              state == null ? null : new Replacement(known, state.next()),
              writing.lines(),
              writing.calls(),
              writing.events());
      assertThat(storage.write(id, 0, own).outcome()).isEqualTo(ConversationStore.Outcome.DONE);
    }
  }

  /// What a turn writes.
  private static List<Writing> writings(Engine engine, Path folder) throws Exception {
    List<Writing> writings = Collections.synchronizedList(new ArrayList<>());
    try (Storage storage = Storage.open("sqlite:recorded.db", folder);
        ConversationStore store = storage.conversations("load")) {
      WatchedStorage recording = new WatchedStorage(store, writings::add);
      try (Agent agent = agent(recording);
          RestateEngine at = RestateEngine.at(engine.address());
          RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
        HttpClient http = HttpClient.newHttpClient();
        for (int i = 0; i < 30; i++) {
          writings.clear();
          call(http, engine, ConversationObject.service("load"), "recorded" + i);
        }
      }
    }
    return writings;
  }

  private static void call(HttpClient http, Engine engine, String service, String key) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(engine.ingress() + "/" + service + "/" + key + "/take"))
              .header("content-type", "application/json")
              .timeout(Duration.ofSeconds(60))
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      InputJson.write(new Input.Said("said", "Where is my order A-4711?")).text()))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private record Figures(double perSecond, double median, double p99) {
    @Override
    public String toString() {
      return "%7.1f/s, p50 %6.1f ms, p99 %6.1f ms".formatted(perSecond, median, p99);
    }
  }

  private static final AtomicInteger RUNS = new AtomicInteger();

  private static Figures measure(Engine engine, String service, int clients, int turns)
      throws Exception {
    String run = "r" + RUNS.incrementAndGet() + "-";
    long[] took = new long[turns];
    AtomicInteger next = new AtomicInteger();
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    long began = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        all.add(
            threads.submit(() -> {
              for (int n = next.getAndIncrement(); n < turns; n = next.getAndIncrement()) {
                long before = System.nanoTime();
                call(http, engine, service, run + n);
                took[n] = System.nanoTime() - before;
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Arrays.sort(took);
    return new Figures(turns / seconds, took[turns / 2] / 1e6, took[(int) (turns * 0.99)] / 1e6);
  }

  @Test
  void besideTheBareEngine() throws Exception {
    try (Engine engine = Engine.start(folder);
        Storage storage = Storage.open("sqlite:load.db", folder);
        ConversationStore store = storage.conversations("load");
        ConversationStore bareStore = storage.conversations("bare");
        RestateEngine at = RestateEngine.at(engine.address())) {
      List<Writing> writings = writings(engine, folder);
      System.out.println(
          "writes of a turn: " + writings.stream().map(ThroughputLoadTest::size).toList());
      byte[] entry = "x".repeat(1500).getBytes(java.nio.charset.StandardCharsets.UTF_8);
      HttpServer bare =
          RestateHttpServer.fromEndpoint(
              Endpoint.bind(new Bare(bareStore, writings, entry).service()).build());
      int port = bare.listen(0).toCompletionStage().toCompletableFuture().get().actualPort();
      at.register(URI.create("http://127.0.0.1:" + port), true);
      try (Agent agent = agent(store);
          RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
        String ours = ConversationObject.service("load");
        int warm = (int) (1500 * SCALE);
        measure(engine, "bare", 16, warm);
        measure(engine, ours, 16, warm);
        for (int clients : new int[] {1, 16, 64, 256}) {
          int turns = (int) ((clients == 1 ? 400 : 3000) * SCALE);
          for (int i = 0; i < 3; i++) {
            Figures b = measure(engine, "bare", clients, turns);
            EFFECTS.clear();
            Figures o = measure(engine, ours, clients, turns);
            long[] effects = EFFECTS.stream().mapToLong(Long::longValue).sorted().toArray();
            System.out.printf(
                "%3d clients: bare %s; conversations %s; share %.2f; an effect, p50 %.1f ms, p99"
                    + " %.1f ms%n",
                clients,
                b,
                o,
                o.perSecond / b.perSecond,
                effects[effects.length / 2] / 1e6,
                effects[(int) (effects.length * 0.99)] / 1e6);
          }
        }
      }
    }
  }

  private static String size(Writing writing) {
    return (writing.state() == null ? "" : "state ")
        + writing.lines().size()
        + " lines "
        + writing.calls().size()
        + " calls "
        + writing.events().size()
        + " events";
  }
}
