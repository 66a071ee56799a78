package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Outcome;
import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// A conversation that a process holds which died, or whose clock goes wrong, becomes free.
class HeldConversationTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations store = new InProcessConversations();
  private final ScriptedModel model = new ScriptedModel();
  private final Agent agent = Agent.builder("held").model(model).store(store).time(time).build();

  private void hold(Instant until) {
    OtherProcess.takes(store, "c", until);
  }

  private void anotherSays(String words) {
    try (Agent other = Agent.builder("held").model(model).store(store).time(time).build()) {
      other.conversation("c").say(words);
    }
  }

  private Duration refused() {
    try {
      agent.conversation("c").say("Hello");
    } catch (ConversationConflictException e) {
      Duration held = e.held();
      assertThat(held).isNotNull();
      return held;
    }
    throw new AssertionError("it was not held");
  }

  @Test
  void aHoldEndsWhenItSays() {
    hold(time.now().plusSeconds(12));

    assertThat(refused()).isEqualTo(Duration.ofSeconds(12));
    assertThat(agent.conversation("c").held()).isEqualTo(Duration.ofSeconds(12));
    time.advance(Duration.ofSeconds(12));
    model.says("Hi.");
    assertThat(agent.conversation("c").held()).isNull();
    assertThat(agent.conversation("c").say("Hello").text()).isEqualTo("Hi.");
  }

  @Test
  void theOnlyHostResumesAtOnceWhatTheOneBeforeItHeld() {
    ConversationOptions server = ConversationOptions.NONE.withSoleHost("server");
    var cell = store.state("c");
    Lease lease = new Lease(4, time.now().plusSeconds(12), "server");
    assertThat(cell.replace(cell.load(), cell.load().value().withLease(lease))).isTrue();

    assertThat(agent.conversation("c").held()).isEqualTo(Duration.ofSeconds(12));
    agent.conversation("c").close();
    model.says("Hi.");
    Conversation taken = agent.conversation("c", server);
    assertThat(taken.held()).isNull();
    assertThat(taken.say("Hello").text()).isEqualTo("Hi.");
    taken.close();

    hold(time.now().plusSeconds(12));
    assertThat(agent.conversation("c", server).held()).isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void aClockThatWasSetBackLocksNoConversation() {
    hold(time.now().plus(Duration.ofHours(1)));

    assertThat(refused()).isEqualTo(LeaseTerms.LENGTH);
    time.advance(Duration.ofSeconds(20));
    assertThat(refused()).isEqualTo(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(10));
    model.says("Hi.");
    assertThat(agent.conversation("c").say("Hello").text()).isEqualTo("Hi.");
  }

  @Test
  void aHoldThatIsRenewedGoesOn() {
    hold(time.now().plus(Duration.ofHours(1)));
    assertThat(refused()).isEqualTo(LeaseTerms.LENGTH);
    time.advance(Duration.ofSeconds(20));
    hold(time.now().plus(Duration.ofHours(1)));

    assertThat(refused()).isEqualTo(LeaseTerms.LENGTH);
  }

  @Test
  void aClockThatRanAheadLocksNoConversation() {
    hold(time.now().minus(Duration.ofHours(1)));
    model.says("Hi.");

    assertThat(agent.conversation("c").say("Hello").text()).isEqualTo("Hi.");
  }

  @Test
  void oneThatWasOpenedBeforeAnotherWentOnHoldsNothing() {
    model.says("One.");
    Conversation opened = agent.conversation("c");
    anotherSays("1");

    assertThatThrownBy(() -> opened.say("2"))
        .isInstanceOfSatisfying(
            ConversationConflictException.class, e -> assertThat(e.held()).isNull());
  }

  @Test
  void conflictsWithAnothersTurnEvenAfterReadingIt() {
    model.says("One.");
    Conversation opened = agent.conversation("c");
    anotherSays("1");
    assertThat(opened.decide("no request", Answer.deny("no"))).isNull();

    assertThatThrownBy(() -> opened.say("2")).isInstanceOf(ConversationConflictException.class);
  }

  @Test
  void openedConversationReportsHowLongAnotherHoldsIt() {
    Conversation opened = agent.conversation("c");
    hold(time.now().plusSeconds(12));

    assertThatThrownBy(() -> opened.say("2"))
        .isInstanceOfSatisfying(
            ConversationConflictException.class,
            e -> assertThat(e.held()).isEqualTo(Duration.ofSeconds(12)));
  }

  @Test
  void whoHasGoneOnHoldsNothing() {
    model.says("One.").says("Two.");
    Conversation stale = agent.conversation("c");
    stale.say("1");
    anotherSays("2");

    assertThatThrownBy(() -> stale.say("3"))
        .isInstanceOfSatisfying(
            ConversationConflictException.class, e -> assertThat(e.held()).isNull());
  }

  @Test
  void aProcessThatHasSleptThroughItsHoldWritesNothing() {
    Tool slow =
        Tool.dynamic("slow")
            .handler(arguments -> {
              // Meanwhile this process is taken for dead, and another one goes on.
              OtherProcess.takes(store, "c", time.now().plusSeconds(30));
              return "late";
            });
    model.calls("slow", "{}").says("Never said.");
    try (Agent sleeper =
        Agent.builder("held").model(model).tools(slow).store(store).time(time).build()) {
      Conversation talk = sleeper.conversation("c");
      assertThatThrownBy(() -> talk.say("Go")).isInstanceOf(ConversationConflictException.class);
    }

    assertThat(store.lines("c", 9))
        .extracting(ConversationStore.Line::key)
        .containsExactly("turn1/input", "turn1/round1/open/1", "turn1/round1/model");
    assertThat(store.settledCalls("c", 1)).isEmpty();
    assertThat(store.state("c").load().value().lease().until())
        .isEqualTo(time.now().plusSeconds(30));
  }

  @Test
  void whoeverTakesTheConversationAgainKeepsItsFence() {
    model.says("One.").says("Two.").says("Three.");
    Conversation talk = agent.conversation("c");
    talk.say("1");
    talk.say("2");
    assertThat(store.state("c").load().value().lease().fence()).isEqualTo(1);

    agent.close();
    try (Agent again = Agent.builder("held").model(model).store(store).time(time).build()) {
      again.conversation("c").say("3");
    }
    assertThat(store.state("c").load().value().lease()).isEqualTo(new Lease(2, null));
  }

  @Test
  void whatWasReleasedAtTheEndOfATurnIsNotRenewed() {
    model.says("One.");
    AtomicLong released = new AtomicLong();
    Conversation talk =
        agent.conversation(
            "c",
            ConversationOptions.NONE.withLog(event -> {
              if (event.event().text().contains("\"done\"")) {
                // It is shown before the turn's thread goes on behind its end.
                Awaitility.await().until(this::isReleased);
                released.set(store.state("c").load().number());
                time.advance(LeaseTerms.LENGTH.dividedBy(2));
              }
            }));
    talk.say("1");

    assertThat(released).hasPositiveValue();
    assertThat(store.state("c").load().number()).isEqualTo(released.get());
  }

  @Test
  void aTurnThatWasCutOffIsEndedInOneHold() {
    ScriptedModel dying =
        ScriptedModel.answering(request -> {
          throw new LinkageError("it dies");
        });
    try (Agent first = Agent.builder("held").model(dying).store(store).time(time).build()) {
      assertThatThrownBy(() -> first.conversation("c").sayOnce("said", "Hello", null))
          .isInstanceOf(LinkageError.class);
    }
    time.advance(LeaseTerms.LENGTH);
    AtomicLong holds = new AtomicLong();
    model.says("Hi.");
    try (Agent second =
        Agent.builder("held").model(model).store(counting(holds)).time(time).build()) {
      Turn turn = second.conversation("c").sayOnce("said", "Hello", null);

      assertThat(turn.text()).isEqualTo("Hi.");
    }
    assertThat(holds).hasValue(1);
    assertThat(isReleased()).isTrue();
  }

  /// The store, which counts how often the conversation is taken hold of.
  private ConversationStore counting(AtomicLong holds) {
    return (ConversationStore)
        Proxy.newProxyInstance(
            HeldConversationTest.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write")) {
                Replacement state = ((Writing) arguments[2]).state();
                if (state != null && takes(state)) {
                  holds.incrementAndGet();
                }
              }
              if (method.getName().equals("state")) {
                return counted((ConversationStore) proxy, (String) arguments[0]);
              }
              return method.invoke(store, arguments);
            });
  }

  private Cell<ConversationState> counted(ConversationStore counting, String id) {
    return new Cell<>() {
      @Override
      public Version<ConversationState> load() {
        return store.state(id).load();
      }

      @Override
      public boolean replace(Version<ConversationState> expected, ConversationState next) {
        return counting.write(id, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
      }
    };
  }

  private static boolean takes(Replacement state) {
    Lease before = state.expected().value().lease();
    Lease next = state.next().lease();
    return next.until() != null && (before.until() == null || before.fence() != next.fence());
  }

  private boolean isReleased() {
    ConversationState kept = store.state("c").load().value();
    return kept.loop().last() != null && kept.lease().until() == null;
  }
}
