package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.testing.ManualTime;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose conversation a call is.
class PrincipalOfACallTest {
  private final InProcessConversations store = new InProcessConversations();
  private final Agent agent = Agent.builder("Shop").prompt("You sell.").store(store).build();

  private void call(String id, String from, boolean callersRemembered) {
    CallSettings settings =
        PlayedCall.SETTINGS.change().callersRemembered(callersRemembered).build();
    Carrier.Arrival arrival = new Carrier.Arrival(id, from, "+15550001234", "inbound", Map.of());
    PlayedCall call = new PlayedCall(arrival, agent, settings, new ManualTime()).talking();
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
  }

  private String principal(String id) {
    return Objects.requireNonNull(store.conversation(id)).header().principal();
  }

  @Test
  void aCallIsItsOwnPrincipal() {
    call("CA1", "+14155550100", false);
    call("CA2", "+14155550100", false);
    assertThat(principal("CA1")).isEqualTo("call:CA1");
    assertThat(principal("CA2")).isEqualTo("call:CA2");
    assertThatThrownBy(() -> agent.conversation("CA1"))
        .isInstanceOf(ConversationNotFoundException.class);
    assertThat(
            agent.conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1")).history())
        .isNotEmpty();
  }

  @Test
  void callersAreRememberedByTheirNumberIfTheSettingsSaySo() {
    call("CA1", "+14155550100", true);
    call("CA2", "+14155550100", true);
    call("CA3", "+442071838750", true);
    assertThat(principal("CA1")).isEqualTo("tel:+14155550100");
    assertThat(principal("CA2")).isEqualTo("tel:+14155550100");
    assertThat(principal("CA3")).isEqualTo("tel:+442071838750");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "sip:ann@example.com", "client:ann", "14155550100", "+1415", "+1415555010x"})
  void aCallerWithoutANumberIsRememberedByNoOne(String from) {
    call("CA1", from, true);
    assertThat(principal("CA1")).isEqualTo("call:CA1");
  }
}
