package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.Cell;
import dev.switchboard.json.Json;
import dev.switchboard.testing.InProcessConversations;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// A conversation that a process holds which died, or whose clock goes wrong, becomes free.
class HeldConversationTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations store = new InProcessConversations();
  private final ScriptedModel model = new ScriptedModel();
  private final Agent agent = Agent.builder("held").model(model).store(store).time(time).build();

  private void hold(Instant until) {
    Cell<Json> cell = store.loop("c");
    ObjectNode held = (ObjectNode) ConversationState.NEW.json().tree().deepCopy();
    held.putObject("hold").put("by", "another").put("until", until.toString());
    assertThat(cell.replace(cell.load(), Json.of(held))).isTrue();
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
  void aClockThatWasSetBackLocksNoConversation() {
    hold(time.now().plus(Duration.ofHours(1)));

    assertThat(refused()).isEqualTo(Place.HOLD);
    time.advance(Duration.ofSeconds(20));
    assertThat(refused()).isEqualTo(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(10));
    model.says("Hi.");
    assertThat(agent.conversation("c").say("Hello").text()).isEqualTo("Hi.");
  }

  @Test
  void aHoldThatIsRenewedGoesOn() {
    hold(time.now().plus(Duration.ofHours(1)));
    assertThat(refused()).isEqualTo(Place.HOLD);
    time.advance(Duration.ofSeconds(20));
    hold(time.now().plus(Duration.ofHours(1)));

    assertThat(refused()).isEqualTo(Place.HOLD);
  }

  @Test
  void aClockThatRanAheadLocksNoConversation() {
    hold(time.now().minus(Duration.ofHours(1)));
    model.says("Hi.");

    assertThat(agent.conversation("c").say("Hello").text()).isEqualTo("Hi.");
  }

  @Test
  void whoHasGoneOnHoldsNothing() {
    model.says("One.").says("Two.");
    Conversation stale = agent.conversation("c");
    stale.say("1");
    try (Agent other = Agent.builder("held").model(model).store(store).time(time).build()) {
      other.conversation("c").say("2");
    }

    assertThatThrownBy(() -> stale.say("3"))
        .isInstanceOfSatisfying(
            ConversationConflictException.class, e -> assertThat(e.held()).isNull());
  }
}
