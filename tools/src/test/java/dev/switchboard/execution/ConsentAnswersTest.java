package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// What events and stores tell of an answer, wherever it was given.
class ConsentAnswersTest extends ManualCalls {
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private final KeptConversations store = new KeptConversations();
  private final ToolExecutor executor = executor(Approver.NOBODY);

  private ToolExecutor executor(Approver approver) {
    Tool pay =
        Tool.dynamic("pay", "{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}}}")
            .mode(ToolMode.EXTERNAL)
            .inline()
            .handler((arguments, context) ->
                arguments.text().contains("9") && !context.consent().ask("Nine?").agreed()
                    ? "not nine"
                    : "paid");
    return ToolExecutor.builder()
        .tools(pay)
        .rules(ToolRule.consent("pay"))
        .approver(approver)
        .time(time)
        .build();
  }

  private static ToolSession at(KeptConversations store, List<Event> events) {
    return ToolSession.builder("v").store(store).events(events::add).build();
  }

  private void submit(ToolExecutor executor, ToolSession session) {
    assertThat(executor.submitAll(List.of(ToolCall.of("c1", "pay", "{\"sum\":1}")), session))
        .first()
        .isInstanceOf(CallStep.Pending.class);
  }

  /// What the events tell, in their order: an answer as its payload without the moment, any other
  /// in a word.
  private List<String> told(List<Event> shown) {
    List<String> words = new ArrayList<>();
    for (Event event : shown) {
      switch (event) {
        case Event.AgentEvent(String word, Json payload)
            when word.equals(ConsentAnswer.EVENT) && payload != null -> {
          ConsentAnswer answer = Records.read(payload.tree(), ConsentAnswer.class);
          assertThat(answer.at()).isEqualTo(time.now());
          words.add(payload.text().replaceAll(",\"at\":\"[^\"]+\"", ""));
        }
        case Event.AgentEvent(String word, Json payload) -> words.add(word);
        case Event.ToolSettled(var result, var tool) ->
            words.add(result.code() == null ? "ok" : result.code().word());
        default -> {}
      }
    }
    return words;
  }

  @Test
  void anAnswerFromJavaIsTold() {
    submit(executor, session);
    executor.answer("c1", Answer.approveAlways().by("zoe"), session);
    assertThat(told(events))
        .containsExactly(
            "consent_request",
            "{\"id\":\"c1\",\"decision\":\"approve_always\",\"by\":\"zoe\"}",
            "ok");
  }

  @Test
  void anAnswerWithoutANameIsTheHosts() {
    submit(executor, session);
    Answer edited = Answer.approveOnce().with(Json.text("{\"sum\":2}"));
    executor.answer("c1", edited, session);
    assertThat(told(events))
        .contains(
            "{\"id\":\"c1\",\"decision\":\"approve\",\"by\":\"host\",\"arguments\":{\"sum\":2}}");
  }

  @Test
  void aStoredRequestWaitsADayExceptInAPhoneCall() {
    ToolSession onPhone =
        ToolSession.builder("p")
            .store(new KeptConversations())
            .caller("+4930111111")
            .callee("+4930222222")
            .build();

    assertThat(patience(executor, session)).isEqualTo(Duration.ofMinutes(5));
    assertThat(patience(executor, at(store, events))).isEqualTo(Duration.ofHours(24));
    assertThat(patience(executor, onPhone)).isEqualTo(Duration.ofMinutes(5));
  }

  private Duration patience(ToolExecutor executor, ToolSession session) {
    submit(executor, session);
    return Duration.between(time.now(), session.waiting().getFirst().expiresAt());
  }

  @Test
  void aDenialSaysWhy() {
    submit(executor, session);
    executor.answer("c1", Answer.deny("too much").by("zoe"), session);
    assertThat(told(events))
        .containsExactly(
            "consent_request",
            "{\"id\":\"c1\",\"decision\":\"deny\",\"by\":\"zoe\",\"reason\":\"too much\"}",
            "consent_denied");
  }

  @Test
  void theEndOfTheTimeIsTold() {
    submit(executor, session);
    time.advance(ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT);
    executor.expire(session);
    assertThat(told(events))
        .containsExactly(
            "consent_request",
            "{\"id\":\"c1\",\"decision\":\"deny\",\"by\":\"consent_timeout\"}",
            "consent_timeout");
  }

  @Test
  void anAnswerThatIsRefusedIsNotTold() {
    submit(executor, session);
    Answer wrong = Answer.approveOnce().with(Json.text("{\"sum\":\"much\"}"));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> executor.answer("c1", wrong, session)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(told(events)).containsExactly("consent_request");
  }

  @Test
  void anApproversAnswerIsTold() {
    executor(request -> Answer.approveOnce().by("zoe")).execute(paying(1), session);
    executor(request -> Answer.deny("")).execute(paying(2), session);
    executor(request -> new Answer.Nobody()).execute(paying(3), session);
    assertThat(told(events))
        .containsExactly(
            "consent_request",
            "{\"id\":\"p1\",\"decision\":\"approve\",\"by\":\"zoe\"}",
            "ok",
            "consent_request",
            "{\"id\":\"p2\",\"decision\":\"deny\",\"by\":\"approver\"}",
            "consent_denied",
            "consent_request",
            "{\"id\":\"p3\",\"decision\":\"deny\",\"by\":\"no_approver\"}",
            "no_approver");
  }

  @Test
  void anAnswerToAHandlersQuestionIsTold() {
    executor(request -> Answer.approveOnce().by("zoe")).execute(paying(9), session);
    assertThat(told(events))
        .containsExactly(
            "consent_request",
            "{\"id\":\"p9\",\"decision\":\"approve\",\"by\":\"zoe\"}",
            "consent_request",
            "{\"id\":\"p9.1.1\",\"decision\":\"approve\",\"by\":\"zoe\"}",
            "ok");
  }

  @Test
  void aConversationThatEndsMeanwhileClosesTheRequest() {
    executor(
            request -> {
              session.cancel();
              never.await();
              return Answer.approveOnce();
            })
        .execute(paying(1), session);
    assertThat(told(events)).contains("{\"id\":\"p1\",\"decision\":\"deny\",\"by\":\"cancelled\"}");
  }

  private static ToolCall paying(int sum) {
    return ToolCall.of("p" + sum, "pay", "{\"sum\":" + sum + "}");
  }

  @Test
  void anAnswerGivenInAnotherProcessIsToldInEach() {
    List<Event> here = new ArrayList<>();
    List<Event> there = new ArrayList<>();
    ToolSession mine = at(store, here);
    submit(executor, mine);
    executor(Approver.NOBODY).answer("c1", Answer.approveOnce().by("zoe"), at(store, there));
    mine.refresh();
    String answer = "{\"id\":\"c1\",\"decision\":\"approve\",\"by\":\"zoe\"}";
    assertThat(told(there)).containsExactly(answer, "ok");
    assertThat(told(here)).containsExactly("consent_request", answer, "ok");
  }

  @Test
  void whoComesTooLateReadsWhatHasHappened() {
    ToolSession mine = at(store, new ArrayList<>());
    submit(executor, mine);
    executor(Approver.NOBODY)
        .answer("c1", Answer.deny("no").by("zoe"), at(store, new ArrayList<>()));
    assertThat(executor.answer("c1", Answer.approveOnce().by("max"), mine)).isEmpty();
    ConsentAnswer known = at(store, new ArrayList<>()).state().answer("c1");
    assertThat(known).isNotNull();
    assertThat(known.words()).startsWith("was denied by 'zoe' at ");
    assertThat(known.approved()).isFalse();
  }

  @Test
  void theLatestAnswersAreKept() {
    ToolSession mine = at(store, new ArrayList<>());
    for (int i = 0; i < 40; i++) {
      executor.submitAll(List.of(paying(100 + i)), mine);
      executor.answer("p" + (100 + i), Answer.deny("no"), mine);
    }
    assertThat(mine.state().answers()).hasSize(32);
    assertThat(mine.state().answer("p139")).isNotNull();
    assertThat(mine.waiting()).isEmpty();
  }

  /// After a restart under other rules the same checks are made, and a lasting answer holds for
  /// what the person was told alone.
  @Test
  void anAnswerUnderOtherRulesHoldsForWhatWasAskedAlone() {
    submit(executor, at(store, new ArrayList<>()));
    ToolRule other = ToolRule.consent("pay", "sum");
    Tool pay =
        Tool.dynamic("pay", "{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}}}")
            .mode(ToolMode.EXTERNAL)
            .handler(arguments -> "paid");
    ToolExecutor later =
        ToolExecutor.builder().tools(pay).rules(other).store(store).time(time).build();
    ToolSession mine = at(store, new ArrayList<>());
    assertThat(later.answer("c1", Answer.approveAlways(), mine).orElseThrow().success()).isTrue();
    assertThat(later.submitAll(List.of(paying(1)), mine).getFirst())
        .isInstanceOfSatisfying(
            CallStep.Pending.class,
            step -> assertThat(step.request()).isInstanceOf(ConsentRequest.class));
  }

  @Test
  void anAnswerUnderARuleThatForbidsRunsNothing() {
    submit(executor, at(store, new ArrayList<>()));
    ToolExecutor later =
        ToolExecutor.builder()
            .tools(Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid"))
            .rules(ToolRule.forbidden("pay"))
            .store(store)
            .time(time)
            .build();
    ToolSession mine = at(store, new ArrayList<>());
    assertThat(later.answer("c1", Answer.approveOnce(), mine).orElseThrow().violation())
        .isEqualTo("FORBIDDEN");
  }

  private CompletableFuture<ToolResult> repeated(ToolSession session) throws InterruptedException {
    submit(executor, session);
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread caller =
        Thread.ofVirtual()
            .start(() ->
                result.complete(
                    executor.execute(ToolCall.of("c1", "pay", "{\"sum\":1}"), session)));
    Awaitility.await().until(() -> WAITING.contains(caller.getState()));
    assertThat(result).isNotDone();
    return result;
  }

  @Test
  void aRepeatedCallWaitsForTheAnswerToTheFirst() throws Exception {
    ToolSession session = at(store, new ArrayList<>());
    CompletableFuture<ToolResult> result = repeated(session);

    assertThat(executor.answer("c1", Answer.approveOnce(), session)).isPresent();
    assertThat(result.get().text()).isEqualTo("paid");
  }

  @Test
  void aRepeatedCallWaitsNoLongerThanTheRequestOfTheFirst() throws Exception {
    ToolSession session = at(store, new ArrayList<>());
    CompletableFuture<ToolResult> result = repeated(session);

    time.advance(ToolExecutorBuilder.STORED_CONSENT_TIMEOUT);
    assertThat(result.get().code()).isEqualTo(ResultCode.CONSENT_TIMEOUT);
  }

  @Test
  void aRepeatedCallEndsWithTheConversation() throws Exception {
    ToolSession session = at(store, new ArrayList<>());
    CompletableFuture<ToolResult> result = repeated(session);

    session.cancel();
    assertThat(result.get().code()).isEqualTo(ResultCode.CANCELLED);
  }
}
