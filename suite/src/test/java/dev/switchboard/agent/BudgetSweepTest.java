package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.Spending;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A conversation with a budget whose process dies behind each of its writes: what was used counts
/// once, a consent counts once, and the conversation ends as if nothing had happened.
class BudgetSweepTest {
  private static final int TURNS = 5;
  private static final long TOKENS = 1100; // of a reply
  private static final Budget BUDGET =
      Budget.NONE
          .withConversation(Limit.ofTokens(2500))
          .withDay(Limit.ofTokens(1_000_000))
          .withThen(Budget.Then.ASK);

  /// What is left of a conversation, and what its processes have done.
  private static final class Life {
    final ManualTime time = new ManualTime();
    final InProcessConversations durable = new InProcessConversations(time);
    final AtomicInteger asked = new AtomicInteger(); // how often the model was
    final List<Event> shown = new ArrayList<>();

    private ModelReply reply() {
      asked.incrementAndGet();
      return new ModelReply(
          "Yes.", List.of(), ModelReply.FinishReason.STOP, new Usage(TOKENS - 100, 100));
    }

    private Agent process(DyingStore store) {
      return Agent.builder("sweep")
          .model(ScriptedModel.answering(request -> reply()))
          .budget(BUDGET)
          .store(store)
          .time(time)
          .build();
    }

    /// Runs it to its end, whatever its first process dies behind.
    ///
    /// @param writes of the first process, 0 if it does not die
    /// @return whether it died
    boolean run(int writes) {
      try {
        goOn(process(new DyingStore(durable, writes)));
        return false;
      } catch (DyingStore.Killed e) {
        time.advance(LeaseTerms.LENGTH);
        goOn(process(new DyingStore(durable, 0)));
        return true;
      }
    }

    private void goOn(Agent agent) {
      Conversation talk = agent.conversation("c");
      Turn unused = talk.resume(shown::add);
      while (said(talk) < TURNS || talk.state().waiting()) {
        List<ConsentRequest> open = talk.waiting();
        if (open.isEmpty()) {
          Turn unusedReply = talk.say("Go on", shown::add);
        } else {
          String id = open.getFirst().id();
          boolean yes = id.startsWith("spend_3_");
          Turn unusedReply =
              talk.answer(id, yes ? Answer.approveOnce() : Answer.deny("enough"), shown::add);
        }
      }
    }

    private static long said(Conversation talk) {
      return talk.history().stream().filter(Message.User.class::isInstance).count();
    }
  }

  private static void assertEnd(Life life, int writes) {
    String as = "died behind write " + writes;
    var state = life.durable.state("c").load().value();
    assertThat(state.loop().last()).as(as).isNotNull();
    assertThat(state.loop().last().reason()).as(as).isEqualTo(StopReason.BUDGET);
    Spending spent = state.spending();
    assertThat(spent.all().tokens()).as(as).isEqualTo((TURNS - 1) * TOKENS);
    assertThat(spent.all().approvals()).as(as).containsExactly("spend_3_1_1");
    assertThat(spent.turn()).as(as).isEqualTo(Spending.Sum.NONE);
    long day = Objects.requireNonNull(life.durable.agent().load().value().day()).sum().tokens();
    assertThat(day).as(as).isBetween((TURNS - 2) * TOKENS, (TURNS - 1) * TOKENS);
    assertThat(life.asked.get()).as(as).isBetween(TURNS - 1, TURNS);
    assertThat(state.waiting()).as(as).isEmpty();
    assertThat(
            life.durable.lines("c", 1000).stream()
                .filter(line -> line.key().endsWith("/model"))
                .count())
        .as(as)
        .isEqualTo(TURNS - 1);
  }

  @Test
  void endsInTheSameWayWhereverItsProcessDies() {
    Life whole = new Life();
    assertThat(whole.run(0)).isFalse();
    assertEnd(whole, 0);
    assertThat(whole.asked.get()).isEqualTo(TURNS - 1);
    int deaths = 0;
    for (int writes = 1; ; writes++) {
      Life life = new Life();
      boolean died = life.run(writes);
      assertEnd(life, writes);
      if (!died) {
        break;
      }
      deaths++;
    }
    assertThat(deaths).isGreaterThan(20);
  }
}
