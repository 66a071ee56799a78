package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests that name a principal as none is named.
class PrincipalParameterTest {
  @Test
  void areRefusedWithoutAnEffect() {
    try (TestServer server = new TestServer()) {
      String conversation = server.zoe.conversation();
      for (String name :
          List.of("", "=", "=%20", "=%1f", "=a%1fb", "=%00", "=" + "a".repeat(201))) {
        String query = "?principal" + name;
        for (TestServer.Answer refused :
            List.of(
                server.operator.delete("/v1/conversations" + query),
                server.zoe.delete("/v1/conversations" + query),
                server.operator.get("/v1/conversations" + query),
                server.operator.get("/v1/agents/Desk/blocks" + query),
                server.operator.get("/v1/agents/Desk/memory" + query + "&query=tea"))) {
          assertThat(refused.status()).as(name).isEqualTo(400);
          assertThat(refused.text())
              .contains("`principal`: the name of a principal must have 1 to 200 characters");
        }
      }
      assertThat(server.zoe.get("/v1/conversations/" + conversation).status()).isEqualTo(200);
    }
  }
}
