package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Called;
import dev.switchboard.phone.engine.EngineEvent.Created;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineEvent.Spoken;
import dev.switchboard.phone.engine.EngineEvent.Status;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.ModelView;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.Speech;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A session with a simulator that is as strict as the provider.
class RealtimeSessionTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  private @Nullable OpenedSession call;

  @AfterEach
  void close() {
    if (call != null) {
      call.close();
    }
  }

  private OpenedSession open(RealtimeSimulator.Builder builder, Message... history) {
    call = OpenedSession.of(builder, history);
    return call;
  }

  @Test
  void tellsAResponseInItsOrder() {
    OpenedSession call = open(RealtimeSimulator.builder().replies(Reply.say("Hello there")));

    call.session.create(OpenedSession.response("r1"));

    Done done = call.events.await(Done.class);
    Created created = call.events.await(Created.class);
    assertThat(created.request()).isEqualTo("r1");
    assertThat(done.response()).isEqualTo(created.response());
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
    assertThat(done.usage()).isEqualTo(new ModelReply.Usage(1, 2));
    assertThat(done.reason()).isNull();
    assertThat(call.events.audio(created.response())).isEqualTo(Speech.of("Hello there"));
    assertThat(call.events.all(Spoken.class))
        .singleElement()
        .extracting(Spoken::text)
        .isEqualTo("Hello there");
    assertThat(
            call.events.all(EngineEvent.Words.class).stream()
                .map(EngineEvent.Words::delta)
                .collect(Collectors.joining()))
        .isEqualTo("Hello there");
    assertThat(kinds(call.events).distinct())
        .containsExactly("Ready", "Created", "Words", "Audio", "Spoken", "Done");
  }

  @Test
  void tellsAPreambleFromTheAnswer() {
    OpenedSession call =
        open(RealtimeSimulator.builder().replies(Reply.preamble("One moment.").andSay("Hello")));
    call.session.create(OpenedSession.response("r1"));
    call.events.await(Done.class);

    List<EngineEvent.Audio> audio = call.events.all(EngineEvent.Audio.class);
    List<String> items = audio.stream().map(EngineEvent.Audio::item).distinct().toList();
    assertThat(items).hasSize(2);
    assertThat(audio).allMatch(one -> one.preamble() == one.item().equals(items.getFirst()));
    assertThat(call.events.all(Spoken.class))
        .extracting(Spoken::text)
        .containsExactly("One moment.", "Hello");
  }

  private static Stream<String> kinds(EventCollector events) {
    return events.all().stream().map(event -> event.getClass().getSimpleName());
  }

  @Test
  void leavesStrictOutOnceItWasRefusedAndRemembers() {
    OpenedSession call = open(RealtimeSimulator.builder());
    List<JsonNode> updates = call.received("session.update", 2);
    assertThat(updates.getFirst().at("/session/tools/1/strict").asBoolean()).isTrue();
    assertThat(updates.getFirst().at("/session/tools/0").has("strict")).isFalse();
    assertThat(updates.getLast().at("/session/tools/1").has("strict")).isFalse();

    try (EngineSession second = call.engine.open(OpenedSession.setup(), call.events)) {
      call.events.await(Ready.class, 2);
      assertThat(call.peer().received("session.update")).hasSize(1);
      assertThat(second.dropped()).isZero();
    }
  }

  private static final String IN_WORDS = LiveSession.resultInWords("look_up", "gold");
  private static final Message[] LOOKED_UP = {
    new Message.Assistant(
        "", List.of(RequestedCall.of("call_1", "look_up", "{\"caller\":\"+1\"}"))),
    new Message.Result("call_1", "look_up", "gold", true)
  };

  @Test
  void aCallOfTheRuntimeIsAddedAsACallAndItsOutput() {
    OpenedSession call = open(RealtimeSimulator.builder(), LOOKED_UP);
    call.session.add(new Message.Notice("Later."));
    List<JsonNode> items = call.received("conversation.item.create", 3);
    assertThat(items.get(0).path("item").toString())
        .isEqualTo(
            "{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"look_up\","
                + "\"arguments\":\"{\\\"caller\\\":\\\"+1\\\"}\"}");
    assertThat(items.get(1).path("item").toString())
        .isEqualTo(
            "{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":\"gold\"}");
    assertThat(call.peer().lines())
        .extracting(line -> line.role() + " " + line.text())
        .startsWith("call look_up {\"caller\":\"+1\"}", "output gold");
  }

  @Test
  void aServerThatRefusesItGetsItsTextOnceAndLaterAtOnce() {
    OpenedSession call = open(RealtimeSimulator.builder().refusingCalls(), LOOKED_UP);
    List<JsonNode> items = call.received("conversation.item.create", 3);
    assertThat(items.get(2).path("item").path("role").stringValue()).isEqualTo("user");
    assertThat(items.get(2).path("item").at("/content/0/text").stringValue()).isEqualTo(IN_WORDS);
    List.of(LOOKED_UP).forEach(call.session::add);
    assertThat(call.received("conversation.item.create", 4).get(3).path("item").path("type"))
        .hasToString("\"message\"");
    assertThat(call.peer().lines())
        .extracting(line -> line.role() + " " + line.text())
        .containsExactly("user " + IN_WORDS, "user " + IN_WORDS);
    assertThat(call.events.all(EngineEvent.Lost.class)).isEmpty();
  }

  @Test
  void anOutputThatAloneIsRefusedIsAddedAsTextToo() {
    // The same call twice: the second output is refused.
    OpenedSession call =
        open(RealtimeSimulator.builder(), LOOKED_UP[0], LOOKED_UP[1], LOOKED_UP[0], LOOKED_UP[1]);
    List<JsonNode> items = call.received("conversation.item.create", 5);
    assertThat(items.get(4).path("item").at("/content/0/text").stringValue()).isEqualTo(IN_WORDS);
  }

  @Test
  void callsToolsStrictWhereThatIsTaken() {
    OpenedSession call = open(RealtimeSimulator.builder().takingStrict());

    assertThat(call.peer().received("session.update")).hasSize(1);
    assertThat(call.peer().session().at("/tools/1/strict").asBoolean()).isTrue();
  }

  @Test
  void tellsACompletedCallOnceAndTakesItsResult() {
    OpenedSession call =
        open(
            RealtimeSimulator.builder()
                .replies(
                    Reply.say("Let me look.")
                        .andCall("c1", "get_order_status", "{\"id\":1}", Reply.Delivery.TWICE)
                        .andCall("c2", "get_order_status", "{\"id\":2}", Reply.Delivery.INCOMPLETE)
                        .andCall("c3", "initiate_return", "{")));

    call.session.create(OpenedSession.response("r1"));
    call.events.await(Done.class);
    call.session.output(new Message.Result("c1", "t", "{\"status\":\"shipped\"}", true));
    call.session.output(new Message.Result("c1", "t", "again", true));
    call.session.output(new Message.Result("cx", "t", "of no call", true));

    assertThat(call.events.all(Called.class))
        .extracting(Called::call)
        .containsExactly(
            RequestedCall.of("c1", "get_order_status", "{\"id\":1}"),
            RequestedCall.of("c3", "initiate_return", "{"));
    List<Refused> refused = call.events.await(Refused.class, 2);
    assertThat(refused).extracting(Refused::request).containsOnlyNulls();
    assertThat(call.peer().lines().getLast().text()).isEqualTo("{\"status\":\"shipped\"}");
  }

  @Test
  void replaysHistory() {
    OpenedSession call =
        open(
            RealtimeSimulator.builder().replies(Reply.nothing()),
            new Message.User("Where is it?"),
            new Message.Assistant("On its way.", List.of()),
            new Message.Notice("The result came late."));

    call.session.create(OpenedSession.response("r"));
    call.events.await(Done.class);

    assertThat(call.peer().lines())
        .extracting(line -> line.role() + " " + line.text())
        .containsExactly(
            "user Where is it?", "assistant On its way.", "system The result came late.");
    assertThat(call.events.all(Refused.class)).isEmpty();
  }

  @Test
  void whatIsSentBeforeItIsReadyWaits() {
    call =
        OpenedSession.early(
            RealtimeSimulator.builder().replies(Reply.say("Hi")),
            session -> {
              session.send(new byte[10_000]);
              session.create(OpenedSession.response("early"));
            });

    assertThat(call.events.await(Created.class).request()).isEqualTo("early");
    call.events.await(Done.class);
    assertThat(call.session.dropped()).isEqualTo(250);
    await()
        .untilAsserted(() -> {
          // What waits goes out with what the caller says next, where the connection is behind.
          call.session.send(new byte[0]);
          assertThat(call.peer().heard()).hasSize(8_000);
        });
    assertThat(call.events.all().getFirst()).isEqualTo(new Ready());
  }

  @Test
  void truncatesNeverMoreThanWasSentAndDeletes() {
    OpenedSession call =
        open(
            RealtimeSimulator.builder()
                .replies(Reply.say("one two three four").andSay("five").held()));
    call.session.create(OpenedSession.response("r1"));
    String first = call.events.await(Spoken.class, 2).getFirst().item();
    String second = call.events.all(Spoken.class).getLast().item();
    int sent =
        call.events.all(EngineEvent.Audio.class).stream()
            .filter(piece -> piece.item().equals(first))
            .mapToInt(piece -> piece.audio().length / MuLaw.SAMPLES_PER_MS)
            .sum();

    call.session.truncate(first, 0, sent + 1);
    assertThat(call.events.await(Refused.class).code()).isEqualTo("invalid_value");
    call.session.truncate(first, 0, sent / 2);
    call.session.delete(second);
    call.session.cancel(call.events.all(Created.class).getFirst().response());

    Done done = call.events.await(Done.class);
    assertThat(done.status()).isEqualTo(Status.CANCELLED);
    assertThat(done.reason()).isEqualTo("client_cancelled");
    assertThat(call.peer().lines())
        .singleElement()
        .extracting(ModelView.Line::text)
        .isEqualTo("one two");
  }

  @Test
  void speaksAsideDuringResponseAndRefusesSecondOne() {
    OpenedSession call = open(RealtimeSimulator.builder().replies(Reply.silence()));

    call.session.create(OpenedSession.response("r1"));
    call.session.create(OpenedSession.aside("f1", "One \"moment\"."));
    call.session.create(OpenedSession.response("r2"));

    assertThat(call.events.await(Spoken.class).text()).isEqualTo("One \"moment\".");
    Refused refused = call.events.await(Refused.class);
    assertThat(refused.request()).isEqualTo("r2");
    assertThat(refused.code()).isEqualTo(Refused.RESPONSE_ACTIVE);
    assertThat(call.events.await(Created.class, 2))
        .extracting(Created::request)
        .containsExactly("r1", "f1");
    assertThat(call.peer().lines()).isEmpty();
  }

  @Test
  void aConflictMayNotSayWhichResponseItIsAbout() {
    OpenedSession call = open(RealtimeSimulator.builder().replies(Reply.silence()).namingNoEvent());

    call.session.create(OpenedSession.response("r1"));
    call.session.create(OpenedSession.response("r2"));

    Refused refused = call.events.await(Refused.class);
    assertThat(refused.request()).isNull();
    assertThat(refused.code()).isEqualTo(Refused.RESPONSE_ACTIVE);
  }

  @Test
  void cancellingWhatIsOverIsRefusedAndHarmless() {
    OpenedSession call =
        open(RealtimeSimulator.builder().replies(Reply.say("Hi"), Reply.say("Ho")));
    call.session.create(OpenedSession.response("r1"));
    call.session.cancel(call.events.await(Done.class).response());

    assertThat(call.events.await(Refused.class).code()).isEqualTo("response_cancel_not_active");
    call.session.create(OpenedSession.response("r2"));
    call.events.await(Done.class, 2);
  }

  @Test
  void tellsWhyAResponseWasNotCompleted() {
    OpenedSession call =
        open(
            RealtimeSimulator.builder()
                .replies(
                    Reply.fail("inference_rate_limit_exceeded"), Reply.say("a b").incomplete()));

    call.session.create(OpenedSession.response("r1"));
    Done failed = call.events.await(Done.class);
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.reason()).startsWith("inference_rate_limit_exceeded: ");
    call.session.create(OpenedSession.response("r2"));
    Done incomplete = call.events.await(Done.class, 2).getLast();
    assertThat(incomplete.status()).isEqualTo(Status.INCOMPLETE);
    assertThat(incomplete.reason()).isEqualTo("max_output_tokens");
  }

  @Test
  void offersAResponseOtherToolsAndInstructions() {
    OpenedSession call =
        open(RealtimeSimulator.builder().replies(Reply.nothing(), Reply.nothing()));

    call.session.create(
        new EngineSession.Response(
            "r1", null, null, "Be brief.", List.of(OpenedSession.RETURN), ToolChoice.REQUIRED));
    call.session.create(OpenedSession.response("r2"));

    JsonNode first = call.received("response.create", 2).getFirst().path("response");
    assertThat(first.path("instructions").stringValue()).isEqualTo("Be brief.");
    assertThat(first.path("tool_choice").stringValue()).isEqualTo("required");
    assertThat(first.path("tools"))
        .singleElement()
        .satisfies(tool -> assertThat(tool.has("strict")).isFalse());
    JsonNode second = call.peer().received("response.create").getLast().path("response");
    assertThat(second.propertyNames()).containsExactly("output_modalities", "metadata");
  }

  @Test
  void hearsTheCaller() {
    OpenedSession call = open(RealtimeSimulator.builder().transcripts("Where is my order?"));
    byte[] words = Speech.of("Where is my order?");
    for (int from = 0; from < words.length; from += 160) {
      call.session.send(Arrays.copyOfRange(words, from, from + 160));
      // As from a line: not a second ahead of what is on its way.
      int heard = from - 4_000;
      await().pollInterval(MOMENT).until(() -> call.peer().heard().length >= heard);
    }
    await()
        .pollInterval(MOMENT)
        .until(() -> {
          call.session.send(MuLaw.silence(Duration.ofMillis(20)));
          return !call.events.all(EngineEvent.Transcribed.class).isEmpty();
        });

    EngineEvent.Committed committed = call.events.await(EngineEvent.Committed.class);
    assertThat(call.events.await(EngineEvent.Transcribed.class))
        .isEqualTo(new EngineEvent.Transcribed(committed.item(), "Where is my order?"));
    assertThat(kinds(call.events))
        .containsExactly("Ready", "SpeechStarted", "SpeechStopped", "Committed", "Transcribed");
    assertThat(call.session.dropped()).isZero();
  }

  @Test
  void tellsNothingAfterItIsClosed() {
    OpenedSession call = open(RealtimeSimulator.builder().replies(Reply.say("Hello")));
    call.session.close();
    call.session.create(OpenedSession.response("r1"));
    call.session.send(new byte[160]);
    call.session.close();

    assertThat(call.peer().received("response.create")).isEmpty();
    assertThat(call.events.all()).containsExactly(new Ready());
  }
}
