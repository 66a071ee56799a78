package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.agent.Budget.Then;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests of a live session that are cancelled, fail, are too long, or are not allowed.
class LiveRequestInTroubleTest extends LiveTalk {
  private static final LiveSession.Outcome CANCELLED =
      new LiveSession.Outcome.Failed(StopReason.CANCELLED);
  private static final String SPENT = "I have to stop here: my budget is used up.";

  private final BlockingQueue<Runnable> journal = new LinkedBlockingQueue<>();

  private static <T> CompletableFuture<T> elsewhere(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
  }

  private LiveSession.Request request(LiveSession live) {
    live.said("i1", "Where is it?");
    return live.request(true, journal::add);
  }

  @Test
  void isCancelledFromAnotherThread() throws InterruptedException {
    model.says("It is ").and().blocks().and().says("on its way.").says("Yes?");
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<LiveSession.Outcome> outcome =
        elsewhere(() ->
            request.reply(words -> {
              heard.add(words);
              begun.countDown();
            }));
    begun.await();
    request.cancel();
    assertThat(outcome.join()).isEqualTo(CANCELLED);
    live.replied(ModelReply.text("It"), request);
    live.said("i2", "Wait");
    lastRound(live);

    assertThat(heard).containsExactly("It is ", "Yes?");
    assertThat(model.lastRequest().messages())
        .endsWith(new Message.Assistant("It", List.of()), new Message.User("Wait"));
  }

  @Test
  void isNotAskedOnceItIsCancelled() {
    LiveSession.Request request = request(open(shop()));
    request.cancel();
    assertThat(ask(request)).isEqualTo(CANCELLED);
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void isAskedOnceAndStoredAfterwards() {
    model.says("Hello.");
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    assertThatThrownBy(() -> live.replied(ModelReply.text("Hello."), request))
        .hasMessage("a reply is stored after its request was answered");
    assertThat(reply(request).text()).isEqualTo("Hello.");
    assertThatThrownBy(() -> ask(request)).hasMessage("a request is asked once");
    live.replied(ModelReply.text("Hello."), request);
    assertThat(live.round()).isEqualTo(1);
  }

  @Test
  void aHangUpCancelsIt() {
    model.blocks();
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    CompletableFuture<LiveSession.Outcome> outcome = elsewhere(() -> ask(request));
    model.awaitRequests(1);
    live.close();
    assertThat(outcome.join()).isEqualTo(CANCELLED);
    assertThat(lines(TranscriptEntry.Closed.class))
        .extracting(TranscriptEntry.Closed::reason)
        .containsExactly(StopReason.CANCELLED);
    // Nothing was said last.
    assertThat(live.history()).containsExactly(new Message.User("Where is it?"));
  }

  @ParameterizedTest
  @CsvSource({"DENIED, MODEL_ERROR", "REFUSED, MODEL_ERROR", "TIMEOUT, MODEL_TIMEOUT"})
  void aFailureIsStoredAsInTheLoop(Kind kind, StopReason reason) {
    for (int i = 0; i < 3; i++) {
      model.fails(kind);
    }
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    assertThat(ask(request)).isEqualTo(new LiveSession.Outcome.Failed(reason));
    live.failed(request);
    live.endTurn(reason, "");
    assertThat(lines(TranscriptEntry.Failed.class))
        .containsExactly(Sentences.failed(reason, kind, Map.of()));
    assertThat(lines(TranscriptEntry.Closed.class))
        .extracting(TranscriptEntry.Closed::cause)
        .containsExactly(kind);
    assertThat(heard).isEmpty();
  }

  @Test
  void anotherRequestOfTheTurnFollowsAFailedOne() {
    model.fails(Kind.DENIED).says("Hello.");
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    LiveSession.Outcome unused = ask(request);
    live.failed(request);
    lastRound(live);
    assertThat(keys()).contains("turn1/round1/model", "turn1/round2/model");
  }

  @Test
  void whatAFailedRequestHasUsedIsCountedOnce() {
    model.replies(used("", 50, 0)).replies(used("", 50, 0)).says("Hello.");
    LiveSession live = open(shop());
    LiveSession.Request request = request(live);
    assertThat(ask(request)).isEqualTo(new LiveSession.Outcome.Failed(StopReason.MODEL_ERROR));
    // Its host does not say what became of it, at first.
    lastRound(live);
    live.failed(request);
    live.said("i2", "Hi");
    live.replied(ModelReply.text("Late."), request);
    assertThat(spending(live).all().tokens()).isEqualTo(100);
    assertThat(lines(TranscriptEntry.Failed.class)).hasSize(1);
  }

  private void threeTurns(LiveSession live) {
    for (int i = 1; i <= 3; i++) {
      model.says("Words of the agent. ".repeat(50));
      live.said("before" + i, "Words of the caller. ".repeat(50));
      lastRound(live);
    }
  }

  @Test
  void isMadeShorterOnceOnTheThreadOfTheSession() throws InterruptedException {
    LiveSession live = open(shop());
    threeTurns(live);
    model.fails(Kind.TOO_LONG).says("On its way.");
    LiveSession.Request request = request(live);
    CompletableFuture<LiveSession.Outcome> outcome = elsewhere(() -> ask(request));
    journal.take().run();
    assertThat(outcome.join())
        .isInstanceOfSatisfying(
            LiveSession.Outcome.Replied.class,
            replied -> assertThat(replied.reply().text()).isEqualTo("On its way."));
    live.replied(((LiveSession.Outcome.Replied) outcome.join()).reply(), request);

    assertThat(model.requests().get(3).messages()).hasSize(8);
    assertThat(model.lastRequest().messages()).hasSizeLessThan(8);
    assertThat(model.lastRequest().messages()).endsWith(new Message.User("Where is it?"));
    assertThat(agentEvents()).containsExactly("compacted");
    assertThat(journal).isEmpty();
    model.says("Bye.");
    live.said("i2", "Thanks");
    lastRound(live);
    assertThat(lines(TranscriptEntry.Opened.class))
        .extracting(TranscriptEntry.Opened::reason)
        .containsExactly("first", "refused");
  }

  @Test
  void isNotMadeShorterOnceItIsCancelled() throws InterruptedException {
    LiveSession live = open(shop());
    threeTurns(live);
    model.fails(Kind.TOO_LONG);
    LiveSession.Request request = request(live);
    CompletableFuture<LiveSession.Outcome> outcome = elsewhere(() -> ask(request));
    Runnable step = journal.take();
    List<String> before = keys();
    request.cancel();
    assertThat(outcome.join()).isEqualTo(CANCELLED);
    step.run();
    assertThat(keys()).isEqualTo(before);
  }

  @Test
  void throwsWhatPreventsItFromBeingMadeShorter() {
    LiveSession live = open(shop());
    threeTurns(live);
    model.fails(Kind.TOO_LONG);
    live.said("i1", "Where is it?");
    LiveSession.Request request =
        live.request(
            true,
            step -> {
              throw new RejectedExecutionException("the thread has ended");
            });
    assertThatThrownBy(() -> ask(request)).isInstanceOf(RejectedExecutionException.class);
  }

  private LiveSession spender(Budget budget) {
    model.replies(
        new ModelReply(
            "",
            List.of(RequestedCall.of("p1", "lookup", "{}")),
            ModelReply.FinishReason.TOOL_CALLS,
            new Usage(150, 50)));
    LiveSession live = open(shop().budget(budget));
    live.said("i1", "Where is it?");
    assertThat(callRound(live)).isNull();
    return live;
  }

  private List<Json> shown(Class<? extends Event> type) {
    return events.stream().filter(type::isInstance).map(Event::json).toList();
  }

  @Test
  void theBudgetOfATurnStopsIt() {
    LiveSession live = spender(Budget.NONE.withTurn(Limit.ofTokens(300)).withThen(Then.ASK));
    // No person is asked on a line.
    assertThat(lastRound(live)).isEqualTo(SPENT);
    assertThat(heard).containsExactly(SPENT);
    assertThat(model.requests()).hasSize(1);
    assertThat(lines(TranscriptEntry.Closed.class))
        .extracting(TranscriptEntry.Closed::reason)
        .containsExactly(StopReason.BUDGET);
    assertThat(shown(Event.BudgetExhausted.class))
        .extracting(Json::text)
        .containsExactly(
            "{\"type\":\"budget_exhausted\",\"message\":\"I have to stop here: my budget is used"
                + " up.\",\"code\":\"budget\",\"scope\":\"turn\",\"limit\":{\"tokens\":300},"
                + "\"spent\":{\"tokens\":200}}");
    assertThat(live.history()).endsWith(new Message.Assistant(SPENT, List.of()));

    model.says("Hello.");
    live.said("i2", "And now?");
    assertThat(lastRound(live)).isEqualTo("Hello.");
    assertThat(lines(TranscriptEntry.Closed.class).getLast().reason())
        .isEqualTo(StopReason.END_TURN);
  }

  @Test
  void aRequestThatTheBudgetDoesNotAllowIsCancelledToo() {
    LiveSession live = spender(Budget.NONE.withConversation(Limit.ofTokens(210)));
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    request.cancel();
    assertThat(ask(request)).isEqualTo(CANCELLED);
    live.failed(request);
    live.close();
    assertThat(heard).isEmpty();
    assertThat(lines(TranscriptEntry.Closed.class))
        .extracting(TranscriptEntry.Closed::reason)
        .containsExactly(StopReason.CANCELLED);
  }

  @Test
  void isCancelledEvenIfItsModelDoesNotEnd() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    ScriptedModel stubborn =
        ScriptedModel.answering(request -> {
          asked.countDown();
          boolean over = false;
          while (!over) {
            try {
              released.await();
              over = true;
            } catch (InterruptedException ignored) {
              // It does not end.
            }
          }
          return ModelReply.text("Late.");
        });
    LiveSession.Request request = request(open(shop().model(stubborn)));
    CompletableFuture<LiveSession.Outcome> outcome = elsewhere(() -> ask(request));
    asked.await();
    request.cancel();
    assertThat(outcome.join()).isEqualTo(CANCELLED);
    released.countDown();
    assertThat(heard).isEmpty();
  }
}
