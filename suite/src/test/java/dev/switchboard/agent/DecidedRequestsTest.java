package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Answers that are kept before their calls run.
class DecidedRequestsTest {
  private static final String REQUEST = "consent_request";
  private static final String ANSWER = "consent_answer";

  private final ManualTime time = new ManualTime();
  private final InProcessConversations store = new InProcessConversations();
  private final List<Event.Logged> log = new ArrayList<>();
  private final List<String> ran = new ArrayList<>();
  private @Nullable String host;
  private final AtomicInteger asked = new AtomicInteger();

  private Conversation talk(DyingStore on) {
    Tool run =
        Tool.dynamic(
                "local_run",
                """
                {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}\
                """)
            .handler((arguments, context) -> {
              ran.add(arguments.text());
              if (arguments.text().contains("13")) {
                on.die();
              }
              return "done";
            });
    return Agent.builder("test")
        .model(
            ScriptedModel.answering(request -> {
              asked.incrementAndGet();
              return request.messages().getLast() instanceof Message.Result
                  ? ModelReply.text("Both are done.")
                  : ModelReply.calls(
                      RequestedCall.of("", "local_run", "{\"n\":1}"),
                      RequestedCall.of("", "local_run", "{\"n\":2}"));
            }))
        .tools(run)
        .store(on)
        .time(time)
        .build()
        .conversation("c", ConversationOptions.NONE.withLog(log::add).withSoleHost(host));
  }

  private Conversation talk() {
    return talk(new DyingStore(store, -1));
  }

  private static List<String> open(Conversation talk) {
    return talk.waiting().stream().map(request -> request.id()).toList();
  }

  @Test
  void keepsAndTellsAnAnswerWithoutRunningTheCall() {
    Conversation talk = talk();
    talk.say("Go");
    List<String> ids = open(talk);

    assertThat(talk.decide(ids.get(1), Answer.approveOnce().by("zoe")).by()).isEqualTo("zoe");
    assertThat(ran).isEmpty();
    assertThat(open(talk)).containsExactly(ids.get(0));
    assertThat(talk.resume()).isInstanceOf(Turn.Pending.class);
    assertThat(ran).containsExactly("{\"n\":2}");
    assertThat(talk.decide(ids.get(0), Answer.deny("no").by("zoe")).approved()).isFalse();
    assertThat(talk.resume()).isEqualTo(new Turn.Reply("Both are done."));
    assertThat(ran).hasSize(1);
    assertThat(log)
        .extracting(event -> event.event().tree().path("event").asString(""))
        .filteredOn(word -> word.equals("consent_answer"))
        .hasSize(2);
  }

  @Test
  void tellsOnceThatItWaitsHoweverOftenItIsLookedAfter() {
    Conversation talk = talk();
    talk.say("Go");
    talk.resume();
    talk.close();
    Conversation again = talk();
    for (String id : open(again)) {
      assertThat(again.resume()).isInstanceOf(Turn.Pending.class);
      again.resume();
      again.decide(id, Answer.deny("no"));
    }
    again.resume();
    assertThat(ends()).containsExactly("consent_pending", "consent_pending", "end_turn");
  }

  @Test
  void aCancelDeniesWhatWaitsAndAsksTheModelNoMore() {
    Conversation talk = talk();
    talk.say("Go");
    List<String> ids = open(talk);
    talk.answer(ids.getFirst(), Answer.approveOnce());
    talk.close();
    Conversation again = talk();

    assertThat(again.cancelWaiting("zoe", event -> {}))
        .isInstanceOfSatisfying(
            Turn.Stopped.class,
            stopped -> assertThat(stopped.reason()).isEqualTo(StopReason.CANCELLED));
    assertThat(again.cancelWaiting("zoe", event -> {})).isNull();
    assertThat(again.resume()).isNull();
    assertThat(ran).hasSize(1);
    assertThat(asked).hasValue(1);
    assertThat(ends()).containsExactly("consent_pending", "consent_pending", "cancelled");
    assertThat(told(ids.getLast())).containsExactly(REQUEST, ANSWER);
    assertThat(again.history())
        .filteredOn(Message.Result.class::isInstance)
        .extracting(message -> ((Message.Result) message).callId())
        .containsExactlyElementsOf(ids);
    assertThat(again.decide(ids.getLast(), Answer.approveOnce()).by()).isEqualTo("zoe");
    assertThat(again.say("Once more")).isInstanceOf(Turn.Pending.class);
  }

  private List<String> ends() {
    return store.events("c", 0, 100).stream()
        .map(event -> event.event().tree().path("payload").path("stopReason").asString(""))
        .filter(reason -> !reason.isEmpty())
        .toList();
  }

  @Test
  void theFirstAnswerStays() {
    Conversation talk = talk();
    talk.say("Go");
    String id = open(talk).getFirst();

    assertThat(talk.decide(id, Answer.deny("no").by("zoe")).by()).isEqualTo("zoe");
    assertThat(talk.decide(id, Answer.approveOnce().by("yan")).by()).isEqualTo("zoe");
    assertThat(talk.decide("nothing", Answer.approveOnce())).isNull();
    talk.resume();
    assertThat(talk.decide(id, Answer.approveOnce().by("yan")).by()).isEqualTo("zoe");
    assertThat(ran).isEmpty();
  }

  @Test
  void aReasonWithHalfACharacterIsTold() {
    Conversation talk = talk();
    talk.say("Go");
    open(talk).forEach(id -> talk.decide(id, Answer.deny("no \uD83C")));

    assertThat(talk.resume()).isEqualTo(new Turn.Reply("Both are done."));
    assertThat(log)
        .extracting(event -> event.event().tree().path("payload").path("reason").asString(""))
        .contains("no \uFFFD");
  }

  @Test
  void staysOpenWhereTheArgumentsPutInAreNotGood() {
    Conversation talk = talk();
    talk.say("Go");
    String id = open(talk).getFirst();

    Answer bad = Answer.approveOnce().with(Json.text("{\"n\":\"x\"}"));
    assertThatThrownBy(() -> talk.decide(id, bad)).isInstanceOf(IllegalArgumentException.class);
    assertThat(open(talk)).contains(id);
    assertThat(talk.decide(id, Answer.approveOnce().with(Json.text("{\"n\":7}"))).approved())
        .isTrue();
    talk.resume();
    assertThat(ran).containsExactly("{\"n\":7}");
  }

  @Test
  void runsDecidedCallAfterRestartPastItsExpiry() {
    Conversation talk = talk();
    talk.say("Go");
    List<String> ids = open(talk);
    ids.forEach(id -> talk.decide(id, Answer.approveOnce()));
    talk.close();
    assertThat(store.due(time.now(), 9)).containsExactly("c");

    time.advance(Duration.ofHours(1));
    assertThat(talk().resume()).isEqualTo(new Turn.Reply("Both are done."));
    assertThat(ran).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(store.due(time.now(), 9)).isEmpty();
  }

  @Test
  void isNotRunTwiceAfterCrashDuringCall() {
    Conversation talk = talk(new DyingStore(store, -1));
    talk.say("Go");
    List<String> ids = open(talk);
    talk.decide(ids.getFirst(), Answer.approveOnce().with(Json.text("{\"n\":13}")));
    assertThatThrownBy(talk::resume).isInstanceOf(DyingStore.Killed.class);

    time.advance(LeaseTerms.LENGTH.plus(Duration.ofMinutes(1)));
    Conversation again = talk();
    assertThat(store.due(time.now(), 1)).containsExactly("c");
    assertThat(again.resume()).isInstanceOf(Turn.Pending.class);
    assertThat(ran).hasSize(1);
    assertThat(open(again)).containsExactlyElementsOf(ids);
    assertThat(told(ids.getFirst())).containsExactly(REQUEST, ANSWER, REQUEST);
    again.resume();
    assertThat(ends()).containsExactly("consent_pending", "consent_pending");

    again.decide(ids.getFirst(), Answer.deny("no").by("zoe"));
    time.advance(Duration.ofMillis(5)); // for which events wait for something to go with
    await()
        .untilAsserted(() ->
            assertThat(told(ids.getFirst())).containsExactly(REQUEST, ANSWER, REQUEST, ANSWER));
  }

  private List<String> told(String request) {
    return store.events("c", 0, 100).stream()
        .map(event -> event.event().tree())
        .filter(event -> event.path("payload").path("id").asString("").equals(request))
        .map(event -> event.path("event").asString(""))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  @Test
  void soleHostAsksAgainAfterCrashDuringCall() {
    host = "server";
    Conversation talk = talk(new DyingStore(store, -1));
    talk.say("Go");
    List<String> ids = open(talk);
    talk.decide(ids.getFirst(), Answer.approveOnce().with(Json.text("{\"n\":13}")));
    assertThatThrownBy(talk::resume).isInstanceOf(DyingStore.Killed.class);

    Conversation again = talk();
    assertThat(open(again)).containsExactlyElementsOf(ids);
    assertThat(again.resume()).isInstanceOf(Turn.Pending.class);
    assertThat(ran).hasSize(1);
    assertThat(told(ids.getFirst())).containsExactly(REQUEST, ANSWER, REQUEST);
  }
}
