package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.schema.ToolNames;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
