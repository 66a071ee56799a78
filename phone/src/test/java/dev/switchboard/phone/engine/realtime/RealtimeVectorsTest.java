package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent.Called;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Lost;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineEvent.Spoken;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Area `openai-realtime`, as far as it is the engine's, by the ids of the cases.
///
/// Of C249, C253 and C258 the call decides, and of the hang-up in C254.
class RealtimeVectorsTest {
  private @Nullable AutoCloseable open;

  @AfterEach
  void close() throws Exception {
    if (open != null) {
      open.close();
    }
  }

  private OpenedSession open(Reply... replies) {
    OpenedSession call = OpenedSession.of(RealtimeSimulator.builder().replies(replies));
    open = call;
    return call;
  }

  @Test
  void c245SetsTheSessionUpFirstAndIsReadyAfterSessionUpdated() {
    JsonNode expected = Vectors.expect("C245");
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch updated = new CountDownLatch(1);
    RawEngine server =
        new RawEngine(peer -> {
          peer.upgrade().text("{\"type\":\"session.created\"}");
          order.add(Json.text(peer.read()).tree().path("type").stringValue());
          peer.text(RawEngine.UPDATED);
          updated.countDown();
          peer.drain();
        });
    open = server;
    EventCollector events = new EventCollector();
    EngineSession session =
        OpenAiRealtime.of("sk-test-key")
            .withBaseUrl(server.url())
            .open(OpenedSession.setup(), events);
    events.await(Ready.class);

    assertThat(order).containsExactly(expected.path("out.type").stringValue());
    assertThat(expected.path("ready_after").stringValue()).isEqualTo("session.updated");
    assertThat(updated.getCount()).isZero();
    session.close();
  }

  @Test
  void c246SetsTurnDetectionAndSendsNoHeaderOfTheBeta() {
    ObjectNode expected =
        (ObjectNode) Vectors.expect("C246").path("session.audio.input.turn_detection").deepCopy();
    // Only our own sequencer creates and interrupts.
    expected.put("create_response", false).put("interrupt_response", false);
    expected.putNull("idle_timeout_ms");

    JsonNode update = open().received("session.update", 1).getFirst();

    assertThat(update.at("/session/audio/input/turn_detection"))
        .isEqualTo(Json.text(expected.toString()).tree());
    assertThat(update.at("/session/audio/input/format/type").stringValue()).isEqualTo("audio/pcmu");
    assertThat(update.at("/session/audio/output/format/type").stringValue())
        .isEqualTo("audio/pcmu");
    // The header itself: HostileEngineTest.offersNoCompression.
    assertThat(Vectors.expect("C246").path("no_header").stringValue()).isEqualTo("OpenAI-Beta");
  }

  @Test
  void c247DescribesAToolByFourFields() {
    JsonNode given = Vectors.given("C247").path("tool");
    ToolDefinition tool =
        new ToolDefinition(
            given.path("name").stringValue(),
            given.path("description").stringValue(),
            Json.of(given.path("parameters")),
            false,
            ToolMode.EXTERNAL,
            Json.text("{}"),
            "Use it.",
            List.of(Json.EMPTY_OBJECT),
            "op");
    String update =
        new ClientMessages()
            .session(
                OpenAiRealtime.of("sk-test-key").settings(),
                Transcriber.USUAL,
                new Engine.Setup("", List.of(tool), List.of()),
                true);

    assertThat(Json.text(update).tree().at("/session/tools/0"))
        .isEqualTo(Vectors.expect("C247").path("session.tools[0]"));
  }

  @Test
  void c248GivesACallItsOutputAndThenCreates() {
    JsonNode given = Vectors.given("C248").path("in");
    JsonNode expected = Vectors.expect("C248").path("out");
    String callId = given.path("call_id").stringValue();
    String name = given.path("name").stringValue();
    String arguments = given.path("arguments").stringValue();
    OpenedSession call = open(Reply.call(callId, name, arguments), Reply.nothing());
    call.session.create(OpenedSession.response("r1"));
    assertThat(call.events.await(Called.class).call())
        .isEqualTo(RequestedCall.of(callId, name, arguments));
    call.events.await(Done.class);

    call.session.output(
        new Message.Result(callId, "t", expected.at("/0/item/output").stringValue(), true));
    call.session.create(OpenedSession.response("r2"));
    call.events.await(Done.class, 2);

    List<JsonNode> sent = call.peer().received();
    JsonNode output = sent.get(sent.size() - 2);
    assertThat(output.path("type")).isEqualTo(expected.at("/0/type"));
    assertThat(output.path("item")).isEqualTo(expected.at("/0/item"));
    assertThat(sent.getLast().path("type")).isEqualTo(expected.at("/1/type"));
  }

  @Test
  void c252TellsACallOnceHoweverOftenItIsDelivered() {
    OpenedSession call =
        open(Reply.nothing().andCall("c", "get_order_status", "{}", Reply.Delivery.TWICE));
    call.session.create(OpenedSession.response("r"));
    call.events.await(Done.class);

    assertThat(call.events.all(Called.class))
        .hasSize(Vectors.expect("C252").path("handler_invocations").intValue());
  }

  @Test
  void c254FailsWithoutSessionUpdatedIn15Seconds() {
    RawEngine server =
        new RawEngine(peer -> {
          peer.upgrade().text("{\"type\":\"session.created\"}").read();
          peer.drain();
        });
    open = server;
    ManualTime time = new ManualTime();
    EventCollector events = new EventCollector();
    EngineSession unused =
        OpenAiRealtime.of("sk-test-key")
            .withBaseUrl(server.url())
            .withTime(time)
            .open(OpenedSession.setup(), events);
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(15));

    assertThat(events.await(Lost.class).fatal())
        .isEqualTo(Vectors.expect("C254").path("fails").booleanValue());
    assertThat(events.all()).hasSize(1);
  }

  @Test
  void c256AnErrorIsToldAndTheSessionSurvives() {
    OpenedSession call = open(Reply.say("Still here."));
    call.peer().sendRaw(Json.of(Vectors.given("C256").path("in")).text());

    assertThat(call.events.await(Refused.class).code())
        .isEqualTo(Vectors.given("C256").at("/in/error/code").stringValue());
    call.session.create(OpenedSession.response("r"));
    call.events.await(Done.class);
  }

  @Test
  void c257SpeaksWordForWordWithoutAnItemOfTheUser() {
    String words = Vectors.given("C257").path("first_message").stringValue();
    OpenedSession call = open();
    call.session.create(OpenedSession.aside("first", words));

    assertThat(call.events.await(Spoken.class).text())
        .isEqualTo(Vectors.expect("C257").path("agent_speaks_verbatim").stringValue());
    assertThat(call.peer().lines()).noneMatch(line -> line.role().equals("user"));
    assertThat(call.peer().received("conversation.item.create")).isEmpty();
  }
}
