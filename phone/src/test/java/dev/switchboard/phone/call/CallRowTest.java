package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.model.Message;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CallRowTest {
  private final ConversationStore store = new InProcessConversations();
  private final Agent agent = Agent.builder("Shop").prompt("You sell.").store(store).build();

  private CallRow row(String id) {
    return Objects.requireNonNull(CallRow.find(store, id));
  }

  @Test
  void aCallHasARowFromItsFirstRequestOn() {
    PlayedCall call = new PlayedCall(agent, PlayedCall.SETTINGS);
    call.session.ring();
    call.until(() -> CallRow.find(store, "CA1") != null);
    call.until(() -> row("CA1").on());

    assertThat(row("CA1"))
        .returns("***0100", CallRow::from)
        .returns("***1234", CallRow::to)
        .returns("inbound", CallRow::direction)
        .returns(null, CallRow::reason)
        .returns(null, CallRow::ended);
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
    assertThat(row("CA1").on()).isFalse();
    assertThat(row("CA1").reason()).isEqualTo("hung_up");
    assertThat(row("CA1").ended()).isNotNull();
    assertThat(CallRow.all(store)).containsExactly(row("CA1"));
  }

  @Test
  void aClientsConversationIsNotACallWhateverItsMetadataSay() {
    Json metadata = Json.text("{\"phone\":{\"from\":\"***0100\",\"direction\":\"inbound\"}}");
    assertThat(store.directory().create("c", new Header("zoe", null, null, metadata))).isTrue();
    assertThat(store.directory().create("d", new Header("call:c", null, null, metadata))).isTrue();

    assertThat(CallRow.all(store)).isEmpty();
  }

  @Test
  void aCallWithoutAnEndThatIsNotOnWasCutOff() {
    LiveSession live = open("CA2");
    live.close();

    assertThat(row("CA2").on()).isFalse();
    assertThat(row("CA2").reason()).isNull();
  }

  @Test
  void theEndIsFoundBehindManyEvents() {
    LiveSession live = open("CA3");
    CallRow.end(live, "ended_by_agent", List.of("send_receipt"));
    for (int i = 0; i < 120; i++) {
      live.show("late" + i, new dev.switchboard.tool.Event.AgentEvent("late", null));
    }
    live.close();

    assertThat(row("CA3").reason()).isEqualTo("ended_by_agent");
    assertThat(row("CA3").unmet()).containsExactly("send_receipt");
  }

  @Test
  void conversationsThatAreNotCallsHaveNone() {
    agent.live("c-1", ConversationOptions.NONE, event -> {}).close();

    assertThat(CallRow.find(store, "c-1")).isNull();
    assertThat(CallRow.all(store)).isEmpty();
  }

  @Test
  void whatIsShownIsWhatWasHeard() {
    LiveSession live = open("CA4");
    live.said("i1", "...");
    live.replied(dev.switchboard.model.ModelReply.text("Your order is on its way to you."));
    live.correctInput(1, "Where is my order?");
    live.correctReply(1, 1, "Your order is");
    live.close();

    StoredConversations stored =
        new StoredConversations("Shop", store, new InProcessMemory(), Time.SYSTEM);
    assertThat(stored.show("CA4").lines().stream().flatMap(one -> one.entry().messages().stream()))
        .contains(
            new Message.User("Where is my order?"),
            new Message.Assistant("Your order is", List.of()))
        .doesNotContain(new Message.User("..."));
  }

  private LiveSession open(String id) {
    return CallRow.open(
        new Carrier.Arrival(id, "+14155550100", "+15550001234", "inbound", Map.of()),
        agent,
        ConversationOptions.NONE.withPrincipal("call:" + id),
        event -> {});
  }
}
