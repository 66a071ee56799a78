package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.schema.ToolNames;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferPolicyTest {
  private static List<String> tools(Transfer transfer) {
    return new SystemTools(transfer, request -> {})
        .of(ToolNames.RESERVED).stream().map(Tool::name).toList();
  }

  @Test
  void withoutDestinationsThereIsNoTransferCall() {
    for (Transfer nowhere :
        List.of(
            Transfer.NONE,
            new Transfer(Map.of(), List.of(), true),
            new Transfer(Map.of(), List.of("+44"), false))) {
      assertThat(tools(nowhere)).containsExactly("end_call");
    }
    for (Transfer somewhere :
        List.of(
            Transfer.to(Map.of("support", "+15550001111")),
            new Transfer(Map.of(), List.of("+44"), true))) {
      assertThat(tools(somewhere)).containsExactly("transfer_call", "end_call");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"+19002345678", "+881631612345", "+18765230123", "+447012345678"})
  void expensiveNumbersAreNotDialled(String number) {
    Transfer policy = new Transfer(Map.of(), List.of("+1", "+44", "+88"), true);
    Agent agent =
        Agent.builder("Shop").prompt("You sell.").store(new InProcessConversations()).build();
    PlayedCall call = new PlayedCall(agent, PlayedCall.SETTINGS.with(policy)).talking();
    call.says("i1", "Put me through.");
    String asks = call.created();
    call.calls(asks, "call_1", "transfer_call", "{\"number\":\"" + number + "\"}");
    call.done(asks);
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1")));
    assertThat(call.toEngine().toString()).contains("Transfer destination not allowed by policy");
    assertThat(call.toCarrier()).isEmpty();
  }
}
