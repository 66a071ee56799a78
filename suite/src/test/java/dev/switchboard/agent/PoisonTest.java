package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions.Delivery.Found;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A call that ends its process is not made for ever, and whoever decides about a call that may
/// have begun is told so.
class PoisonTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations durable = new InProcessConversations();
  private final List<String> runs = new ArrayList<>();
  private final List<ConsentRequest> asked = new ArrayList<>();
  private Function<ModelRequest, ModelReply> model = PoisonTest::once;
  private boolean deadly = true;
  private boolean inOrder; // whether a process lets go of its turn before it dies
  private @Nullable Conversation talk; // of the latest process
  private @Nullable Approver approver;

  /// One process.
  private Conversation process() {
    DyingStore store = new DyingStore(durable, -1);
    AgentBuilder agent =
        Agent.builder("poison")
            .model(
                ScriptedModel.answering(request -> {
                  ModelReply reply = model.apply(request);
                  store.alive();
                  return reply;
                }))
            .tools(
                killer("kill_me", store),
                killer("pay", store),
                reconciled(store),
                Tool.dynamic("harmless").handler(arguments -> "fine"))
            .rules(ToolRule.consent("pay"), ToolRule.consent("probed"))
            .store(store)
            .time(time);
    return (approver == null ? agent : agent.approver(approver))
        .build()
        .conversation("c", ConversationOptions.NONE.withLog(event -> {}));
  }

  private Tool killer(String name, DyingStore store) {
    return Tool.dynamic(name).handler(arguments -> died(name, store));
  }

  private String died(String name, DyingStore store) {
    runs.add(name);
    if (inOrder && talk != null) {
      talk.handOver();
    }
    if (deadly) {
      store.die();
    }
    return "done";
  }

  private Tool reconciled(DyingStore store) {
    return Tool.dynamic("probed")
        .reconcile((arguments, context) -> Found.NOT_DONE)
        .handler(arguments -> died("probed", store));
  }

  private static ModelReply once(ModelRequest request) {
    return request.messages().getLast() instanceof Message.Result result
        ? ModelReply.text(result.text())
        : ModelReply.calls(
            RequestedCall.of("", "kill_me", "{}"), RequestedCall.of("", "harmless", "{}"));
  }

  private static ModelReply calls(ModelRequest request, String tool) {
    return request.messages().getLast() instanceof Message.Result result
        ? ModelReply.text(result.text())
        : ModelReply.calls(RequestedCall.of("", tool, "{}"));
  }

  /// What the turn came to in a process; null if that died.
  private @Nullable Turn lives(Function<Conversation, @Nullable Turn> work) {
    try {
      Conversation opened = process();
      talk = opened;
      return work.apply(opened);
    } catch (DyingStore.Killed | ConversationConflictException e) {
      time.advance(inOrder ? Duration.ZERO : LeaseTerms.LENGTH);
      return null;
    }
  }

  private List<String> events(String of) {
    return durable.events("c", 0, 1_000).stream()
        .map(Event.Logged::event)
        .map(event -> event.text())
        .filter(text -> text.contains(of))
        .toList();
  }

  @Test
  void aCallWhoseProcessesEndInOrderIsNotGivenUp() {
    inOrder = true;
    assertThat(lives(talk -> talk.say("Go"))).isNull();
    for (int i = 0; i < 5; i++) {
      assertThat(lives(Conversation::resume)).isNull();
    }
    inOrder = false;
    deadly = false;
    assertThat(lives(Conversation::resume)).isInstanceOf(Turn.Reply.class);
    assertThat(events("call_given_up")).isEmpty();
    assertThat(events("outcome_unknown")).isEmpty();
    assertThat(runs).hasSize(7);
  }

  @Test
  void aDeathStillCountsBetweenEndsInOrder() {
    assertThat(lives(talk -> talk.say("Go"))).isNull();
    Turn last = null;
    for (int i = 0; last == null && i < 12; i++) {
      inOrder = i % 2 == 0;
      last = lives(Conversation::resume);
    }
    assertThat(last).isNotNull();
    assertThat(events("call_given_up")).hasSize(1);
    assertThat(runs).hasSizeGreaterThan(3);
  }

  @Test
  void aCallThatEndsItsProcessIsMadeThreeTimes() {
    Turn end = lives(talk -> talk.say("Go"));
    for (int deaths = 0; end == null && deaths < 9; deaths++) {
      end = lives(Conversation::resume);
    }

    assertThat(runs).hasSize(3);
    assertThat(end).isEqualTo(new Turn.Reply("fine"));
    assertThat(events("outcome_unknown")).hasSize(1);
    assertThat(events("call_given_up"))
        .singleElement()
        .asString()
        .contains("\"tool\":\"kill_me\"", "\"times\":3");
    assertThat(durable.state("c").load().value().restarts().areTooMany()).isFalse();
  }

  @Test
  void aTurnWithThreeSuchCallsIsSetAside() {
    model = request -> ModelReply.calls(RequestedCall.of("", "kill_me", "{}"));
    Turn end = lives(talk -> talk.say("Go"));
    for (int deaths = 0; end == null && deaths < 20; deaths++) {
      end = lives(Conversation::resume);
    }

    assertThat(end).isInstanceOf(Turn.Stopped.class);
    assertThat(runs).hasSize(9);
    assertThat(events("\"set_aside\"")).hasSize(1);
    assertThat(durable.conversation("c")).matches(summary -> summary.setAside());
    deadly = false;
    model = request -> ModelReply.text("Back again.");
    assertThat(lives(talk -> talk.say("Hello?"))).isEqualTo(new Turn.Reply("Back again."));
    assertThat(durable.conversation("c")).matches(summary -> !summary.setAside());
  }

  @Test
  void aQuestionToTheModelThatEndsItsProcessEndsTheTurn() {
    List<String> questions = new ArrayList<>();
    model =
        request -> {
          questions.add("asked");
          throw new DyingStore.Killed();
        };
    Turn end = lives(talk -> talk.say("Go"));
    for (int deaths = 0; end == null && deaths < 9; deaths++) {
      end = lives(Conversation::resume);
    }

    assertThat(questions).hasSize(3);
    assertThat(end).isInstanceOf(Turn.Stopped.class);
    assertThat(durable.conversation("c")).matches(summary -> summary.setAside());
  }

  private ConsentRequest pending(@Nullable Turn turn) {
    assertThat(turn).isInstanceOf(Turn.Pending.class);
    return ((Turn.Pending) turn).requests().getFirst();
  }

  @Test
  void whoIsAskedOnceMoreIsToldThatTheCallMayHaveBegun() {
    model = request -> calls(request, "pay");
    ConsentRequest first = pending(lives(talk -> talk.say("Go")));
    assertThat(first.reason()).doesNotContain("may have been done");
    String began = time.now().toString();
    assertThat(lives(talk -> talk.answer(first.id(), Answer.approveOnce()))).isNull();
    time.advance(java.time.Duration.ofMinutes(1));

    ConsentRequest again = pending(lives(Conversation::resume));
    assertThat(again.reason())
        .contains("may have been done already: it began at " + began)
        .contains("its outcome is unknown");
    assertThat(events("consent_request")).last().asString().contains("\"begun\":{\"at\"");
    Turn end = lives(talk -> talk.answer(again.id(), Answer.deny("not twice")));
    assertThat(end).isInstanceOf(Turn.Reply.class);
    assertThat(end.text()).contains("not twice", "may have been done already: it began at");
    assertThat(runs).hasSize(1);
  }

  @Test
  void whatTheProbeHasFoundIsToldToo() {
    model = request -> calls(request, "probed");
    ConsentRequest first = pending(lives(talk -> talk.say("Go")));
    assertThat(lives(talk -> talk.answer(first.id(), Answer.approveOnce()))).isNull();
    time.advance(java.time.Duration.ofMinutes(1));

    ConsentRequest again = pending(lives(Conversation::resume));
    assertThat(again.reason())
        .contains("its outcome is unknown; the tool's probe says that it was not done");
  }

  @Test
  void anApproverWhoWaitsIsToldTheSame() {
    model = request -> calls(request, "pay");
    approver =
        request -> {
          asked.add(request);
          return Answer.approveOnce();
        };
    assertThat(lives(talk -> talk.say("Go"))).isNull();
    deadly = false;
    assertThat(lives(Conversation::resume)).isEqualTo(new Turn.Reply("done"));

    assertThat(asked).hasSize(2);
    assertThat(asked.getFirst().begun()).isNull();
    assertThat(asked.getLast().reason()).contains("may have been done already");
  }

  @Test
  void aCallThatAPersonAllowsThreeTimesIsNotMadeAFourthTime() {
    model = request -> calls(request, "pay");
    Turn turn = lives(talk -> talk.say("Go"));
    for (int deaths = 0; turn instanceof Turn.Pending pending && deaths < 9; deaths++) {
      String id = pending.requests().getFirst().id();
      turn = lives(talk -> talk.answer(id, Answer.approveOnce()));
      if (turn == null) {
        time.advance(java.time.Duration.ofMinutes(1));
        turn = lives(Conversation::resume);
      }
    }

    assertThat(runs).hasSize(3);
    assertThat(events("outcome_unknown")).isNotEmpty();
  }

  @Test
  void aCallThatWasCutOffAndCancelledSaysThatItMayHaveBeenDone() {
    model = request -> calls(request, "kill_me");
    assertThat(lives(talk -> talk.say("Go"))).isNull();
    Turn unused =
        lives(talk -> {
          talk.claimed((turns, session) -> {
            session.cancelTurn();
            Turn unusedEnd = turns.resume();
          });
          return null;
        });

    assertThat(runs).hasSize(1);
    assertThat(events("\"tool_result\""))
        .singleElement()
        .asString()
        .contains("\"code\":\"cancelled\"", "It is not known whether it was done");
  }
}
