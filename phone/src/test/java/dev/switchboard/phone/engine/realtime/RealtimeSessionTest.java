package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.Engine.Item;
import dev.switchboard.phone.engine.Engine.Role;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Called;
import dev.switchboard.phone.engine.EngineEvent.Created;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineEvent.Spoken;
import dev.switchboard.phone.engine.EngineEvent.Status;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A session with a simulator that is as strict as the provider.
class RealtimeSessionTest {
  private static final ToolDefinition STATUS = tool("get_order_status", false);
  private static final ToolDefinition RETURN = tool("initiate_return", true);

  private final ManualTime time = new ManualTime();
  private final Listening events = new Listening();
  private @Nullable RealtimeSimulator simulator;
  private @Nullable EngineSession session;

  private static ToolDefinition tool(String name, boolean strict) {
    return new ToolDefinition(
        name,
        "d",
        Json.text("{\"type\":\"object\",\"properties\":{}}"),
        strict,
        ToolMode.READ,
        null,
        null,
        List.of(),
        null);
  }

  @AfterEach
  void close() {
    if (session != null) {
      session.close();
    }
    if (simulator != null) {
      simulator.close();
    }
  }

  private static Engine.Setup setup(Item... history) {
    return new Engine.Setup("You are a shop.", List.of(STATUS, RETURN), List.of(history));
  }

  private OpenAiRealtime engine() {
    return OpenAiRealtime.of("sk-test-key").withBaseUrl(simulator.url()).withTime(time);
  }

  private EngineSession open(RealtimeSimulator.Builder builder, Item... history) {
    simulator = builder.start();
    session = engine().open(setup(history), events);
    events.await(Ready.class);
    return session;
  }

  private static EngineSession.Response response(String id) {
    return new EngineSession.Response(id, false, null, null, ToolChoice.AUTO);
  }

  private static EngineSession.Response aside(String id, String words) {
    return new EngineSession.Response(
        id, true, "Say exactly this: \"" + words + "\"", null, ToolChoice.NONE);
  }

  private List<JsonNode> received(String type, int count) {
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> simulator.session().received(type).size() >= count);
    return simulator.session().received(type);
  }

  @Test
  void speaksAndToldInOrder() {
    open(RealtimeSimulator.builder().replies(Reply.say("Hello there")));

    session.create(response("r1"));

    Done done = events.await(Done.class);
    Created created = events.await(Created.class);
    assertThat(created.request()).isEqualTo("r1");
    assertThat(done.response()).isEqualTo(created.response());
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
    assertThat(done.usage()).isEqualTo(new ModelReply.Usage(1, 2));
    assertThat(events.audio(created.response())).isEqualTo(Speech.of("Hello there"));
    assertThat(events.await(Spoken.class).text()).isEqualTo("Hello there");
    assertThat(events.all().getFirst()).isInstanceOf(Ready.class);
    assertThat(events.all().getLast()).isInstanceOf(Done.class);
  }

  @Test
  void leavesStrictOutOnceItWasRefusedAndRemembers() {
    simulator = RealtimeSimulator.of();
    OpenAiRealtime engine = engine();
    try (EngineSession first = engine.open(setup(), events)) {
      events.await(Ready.class);
      List<JsonNode> updates = received("session.update", 2);
      assertThat(updates.getFirst().at("/session/tools/1/strict").asBoolean()).isTrue();
      assertThat(updates.getFirst().at("/session/tools/0").has("strict")).isFalse();
      assertThat(updates.getLast().at("/session/tools/1").has("strict")).isFalse();
      assertThat(first.dropped()).isZero();
    }
    session = engine.open(setup(), events);
    events.await(Ready.class, 2);
    assertThat(simulator.session().received("session.update")).hasSize(1);
  }

  @Test
  void sendsStrictOnceWhereItIsTaken() {
    open(RealtimeSimulator.builder().takingStrict());

    assertThat(simulator.session().received("session.update")).hasSize(1);
    assertThat(simulator.session().session().at("/tools/1/strict").asBoolean()).isTrue();
  }

  @Test
  void tellsACallOnceAndItsResultGoesBack() {
    open(
        RealtimeSimulator.builder()
            .replies(
                Reply.say("Let me look.")
                    .andCall("c1", "get_order_status", "{\"id\":1}", Reply.Delivery.TWICE)
                    .andCall("c2", "get_order_status", "{\"id\":2}", Reply.Delivery.INCOMPLETE)
                    .andCall("c3", "initiate_return", "{", Reply.Delivery.USUAL)));

    session.create(response("r1"));
    events.await(Done.class);
    session.output("c1", "{\"status\":\"shipped\"}");
    session.output("c1", "again");
    session.output("cx", "unknown");

    assertThat(events.all(Called.class))
        .extracting(Called::call)
        .containsExactly(
            RequestedCall.of("c1", "get_order_status", "{\"id\":1}"),
            RequestedCall.of("c3", "initiate_return", "{"));
    List<Refused> refused = events.await(Refused.class, 2);
    assertThat(refused).extracting(Refused::request).containsExactly(null, null);
    assertThat(simulator.session().lines().getLast().text()).isEqualTo("{\"status\":\"shipped\"}");
  }

  @Test
  void replaysHistoryBeforeItIsReady() {
    open(
        RealtimeSimulator.builder(),
        new Item(Role.USER, "Where is it?"),
        new Item(Role.ASSISTANT, "On its way."),
        new Item(Role.SYSTEM, "The result came late."));

    received("conversation.item.create", 3);
    await()
        .untilAsserted(() ->
            assertThat(simulator.session().lines())
                .extracting(line -> line.role() + " " + line.text())
                .containsExactly(
                    "user Where is it?", "assistant On its way.", "system The result came late."));
    assertThat(events.all(Refused.class)).isEmpty();
  }

  @Test
  void truncatesAndDeletes() {
    open(
        RealtimeSimulator.builder().replies(Reply.say("one two three four").andSay("five").held()));
    session.create(response("r1"));
    String first = events.await(Spoken.class, 2).getFirst().item();
    String second = events.all(Spoken.class).getLast().item();
    int all =
        events.all(EngineEvent.Audio.class).stream()
            .filter(piece -> piece.item().equals(first))
            .mapToInt(piece -> piece.audio().length / MuLaw.SAMPLES_PER_MS)
            .sum();
    session.truncate(first, 0, all + 1);
    assertThat(events.await(Refused.class).code()).isEqualTo("invalid_value");
    session.truncate(first, 0, all / 2);
    session.delete(second);
    String response = events.all(Created.class).getFirst().response();
    session.cancel(response);

    assertThat(events.await(Done.class).status()).isEqualTo(Status.CANCELLED);
    assertThat(events.all(Done.class).getFirst().reason()).isEqualTo("client_cancelled");
    assertThat(simulator.session().lines())
        .singleElement()
        .extracting(line -> line.text())
        .isEqualTo("one two");
  }

  @Test
  void speaksAsideWhileAResponseRunsAndRefusesASecondOne() {
    open(RealtimeSimulator.builder().replies(Reply.silence()));
    session.create(response("r1"));
    session.create(aside("f1", "One moment."));
    session.create(response("r2"));

    assertThat(events.await(Spoken.class).text()).isEqualTo("One moment.");
    Refused refused = events.await(Refused.class);
    assertThat(refused.request()).isEqualTo("r2");
    assertThat(refused.code()).isEqualTo(Refused.RESPONSE_ACTIVE);
    assertThat(events.await(Created.class, 2))
        .extracting(Created::request)
        .containsExactly("r1", "f1");
    assertThat(simulator.session().lines()).isEmpty();
  }

  @Test
  void hearsTheCaller() {
    open(RealtimeSimulator.builder().transcripts("Where is my order?"));
    byte[] words = Speech.of("Where is my order?");
    for (int from = 0; from < words.length; from += 160) {
      session.hear(java.util.Arrays.copyOfRange(words, from, from + 160));
    }
    for (int i = 0; i < 20; i++) {
      session.hear(MuLaw.silence(Duration.ofMillis(20)));
      await().pollInterval(Duration.ofMillis(1)).until(() -> true);
    }
    EngineEvent.Committed committed = events.await(EngineEvent.Committed.class);
    assertThat(events.await(EngineEvent.Transcribed.class))
        .isEqualTo(new EngineEvent.Transcribed(committed.item(), "Where is my order?"));
    assertThat(events.all())
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("Ready", "SpeechStarted", "SpeechStopped", "Committed", "Transcribed");
    assertThat(simulator.session().received("response.create")).isEmpty();
  }

  @Test
  void losesASessionThatIsNotSetUpIn15Seconds() {
    simulator = RealtimeSimulator.of();
    Listening other = new Listening();
    session =
        engine()
            .open(
                setup(),
                event -> {
                  simulator.session().stall();
                  other.accept(event);
                });
    other.await(Ready.class);
  }
}
