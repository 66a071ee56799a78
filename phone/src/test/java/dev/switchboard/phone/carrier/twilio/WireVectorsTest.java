package dev.switchboard.phone.carrier.twilio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.phone.Calls;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.ModelView;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedSession;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Area `twilio-ws` as it passes from one wire to the other, by the ids of the cases.
class WireVectorsTest {
  private static final String NUMBER = "+15550001234";
  private static final String LONG =
      "Your order was shipped on Monday and it will arrive at your door on Friday.";

  private final AtomicReference<Reply> reply = new AtomicReference<>(Reply.nothing());
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final StubWebhook rest = StubWebhook.start();
  private final RealtimeSimulator model =
      RealtimeSimulator.builder().script(view -> reply.get()).start();
  private Calls calls;
  private Exchange.Socket socket;

  @BeforeEach
  void call() {
    Twilio twilio = Twilio.of(Exchange.ACCOUNT, Exchange.TOKEN).withBaseUrl(rest.url(""));
    calls =
        Phone.builder()
            .carrier(twilio)
            .number(NUMBER)
            .publicUrl(Exchange.URL)
            .engine(OpenAiRealtime.of("sk-test").withBaseUrl(model.url()))
            .onTranscript(line -> lines.add(line.role() + ": " + line.text()))
            .onCallEnd((call, reason) -> ends.add(reason))
            .build()
            .answeredBy(
                Agent.builder("Shop")
                    .prompt("You sell.")
                    .store(new InProcessConversations())
                    .build());
    Exchange exchange = new Exchange(twilio, calls.routes());
    Exchange.Answer answer =
        exchange.post(Webhooks.VOICE, Map.of("From", "+14155550100", "To", NUMBER));
    socket = exchange.started(Exchange.token(answer));
    eventually(() -> assertThat(session().received("session.update")).hasSize(1));
  }

  @AfterEach
  void close() {
    socket.gone(1000);
    calls.close();
    model.close();
    rest.close();
  }

  private SimulatedSession session() {
    return model.session();
  }

  private static void eventually(ThrowingRunnable holds) {
    await().pollInterval(Duration.ofMillis(5)).ignoreExceptions().untilAsserted(holds);
  }

  /// What was sent to the carrier.
  private List<JsonNode> sent() {
    return socket.sent.stream().map(one -> Json.text(one).tree()).toList();
  }

  private List<JsonNode> sent(String event) {
    return sent().stream().filter(one -> one.path("event").stringValue().equals(event)).toList();
  }

  private byte[] audio() {
    ByteArrayOutputStream audio = new ByteArrayOutputStream();
    for (JsonNode media : sent("media")) {
      audio.writeBytes(Base64.getDecoder().decode(media.at("/media/payload").stringValue()));
    }
    return audio.toByteArray();
  }

  private void plays(String mark) {
    socket.says("{\"event\":\"mark\",\"streamSid\":\"MZ1\",\"mark\":{\"name\":\"" + mark + "\"}}");
  }

  @Test
  void c231AudioOfTheCallerReachesTheEngineAsItIs() {
    assertThat(Vectors.given("C231").at("/in/media/payload").stringValue())
        .isEqualTo("<160 bytes 0xFF base64>");
    assertThat(Vectors.expect("C231").at("/openai_out/type").stringValue())
        .isEqualTo("input_audio_buffer.append");
    byte[] frame = new byte[160];
    Arrays.fill(frame, (byte) 0xff);
    socket.media(frame, "0");

    eventually(() -> assertThat(session().heard()).isEqualTo(frame));
    byte[] loud = new byte[160];
    for (int i = 0; i < loud.length; i++) {
      loud[i] = (byte) i;
    }
    socket.media(loud, "20");
    eventually(() -> assertThat(session().heard()).hasSize(320).endsWith(loud));
  }

  /// The delta has the type of the current interface, marks have names of the contract's.
  @Test
  void c232AudioOfTheEngineReachesTheCallerWithMarks() {
    reply.set(Reply.say("Your order was shipped."));
    session().callerSaid("Where is it?");
    byte[] expected = Speech.of("Your order was shipped.");
    eventually(() -> assertThat(audio()).isEqualTo(expected));
    eventually(() -> assertThat(sent().getLast().path("event").stringValue()).isEqualTo("mark"));

    JsonNode out = Vectors.expect("C232").path("twilio_out");
    assertThat(out.at("/0/event").stringValue()).isEqualTo("media");
    assertThat(out.at("/1/event").stringValue()).isEqualTo("mark");
    assertThat(sent()).allMatch(one -> one.path("streamSid").equals(out.at("/0/streamSid")));
    assertThat(sent("mark")).hasSize((expected.length / 8 + 199) / 200);
    assertThat(sent("mark").getFirst().at("/mark/name").stringValue()).isEqualTo("g1.1");
  }

  @Test
  void c233SpeechOverTheAgentClearsTruncatesAndCancels() {
    reply.set(Reply.say(LONG).held());
    session().callerSaid("Where is it?");
    eventually(() -> assertThat(sent("mark")).hasSizeGreaterThan(5));
    plays("g1.1");
    plays("g1.2");
    session().callerSpeaks();

    JsonNode expected = Vectors.expect("C233");
    eventually(() -> assertThat(sent("clear")).containsExactly(expected.path("twilio_out")));
    for (JsonNode type : expected.path("openai_out")) {
      eventually(() -> assertThat(session().received(type.stringValue())).hasSize(1));
    }
    assertThat(
            session()
                .received("conversation.item.truncate")
                .getFirst()
                .path("audio_end_ms")
                .intValue())
        .isEqualTo(400);
    int before = sent("media").size();
    plays("g1.3"); // returned at the clear
    session().release();
    await().pollDelay(Duration.ofMillis(100)).until(() -> true);
    assertThat(sent("media")).hasSize(before);
  }

  /// The contract's reading: a response that is complete needs no cancel.
  @Test
  void c233ACompleteResponseIsOnlyTruncated() {
    reply.set(Reply.say(LONG));
    session().callerSaid("Where is it?");
    byte[] all = Speech.of(LONG);
    eventually(() -> assertThat(audio()).isEqualTo(all));
    plays("g1.1");
    eventually(() -> assertThat(sent().getLast().path("event").stringValue()).isEqualTo("mark"));
    session().callerSpeaks();

    eventually(() -> assertThat(session().received("conversation.item.truncate")).hasSize(1));
    assertThat(sent("clear")).hasSize(1);
    assertThat(session().received("response.cancel")).isEmpty();
  }

  /// In the contract's words.
  @Test
  void c236AKeyReachesTheModelAsANoteAndStandsInTheTranscript() {
    String digit = Vectors.given("C236").at("/in/dtmf/digit").stringValue();
    socket.says(Vectors.given("C236").path("in").toString());
    for (String key : List.of(digit, "#")) {
      socket.says(
          "{\"event\":\"dtmf\",\"streamSid\":\"MZ1\",\"dtmf\":{\"digit\":\"" + key + "\"}}");
    }

    eventually(() ->
        assertThat(session().lines())
            .extracting(ModelView.Line::text)
            .contains("The caller pressed " + digit + " on the keypad."));
    // The transcript names a key only if the settings say so.
    eventually(() -> assertThat(lines).containsExactly("caller: [DTMF: 1 key]"));
  }

  @Test
  void c238TheEndIsToldOnce() {
    assertThat(Vectors.given("C238").path("in").toString()).contains("stop", "socket close");
    socket.says("{\"event\":\"stop\",\"streamSid\":\"MZ1\",\"stop\":{}}");
    socket.gone(1006);
    socket.says("{\"event\":\"stop\",\"streamSid\":\"MZ1\",\"stop\":{}}");

    eventually(() -> assertThat(calls.count()).isZero());
    eventually(() -> assertThat(ends).containsExactly("hung_up"));
    assertThat(Vectors.expect("C238").path("on_call_end_times").intValue()).isEqualTo(1);
  }
}
