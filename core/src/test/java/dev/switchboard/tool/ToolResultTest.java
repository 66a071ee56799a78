package dev.switchboard.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.schema.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolResultTest {
  @Test
  void readsBackEveryMember() {
    Map<String, Json> more = new LinkedHashMap<>();
    more.put("trace", Json.text("[1,2.50]"));
    more.put("a", Json.text("\"b\""));
    ToolResult whole =
        ToolResult.builder(false)
            .terminal(true)
            .needsFollowup(false)
            .nextAction("wait")
            .message("Sorry.")
            .error("down")
            .data(Json.text("{\"x\":12345678901234567890.5}"))
            .callId("c1")
            .text(" as it is\n")
            .code(ResultCode.CIRCUIT_OPEN)
            .circuitOpen(Duration.ofSeconds(3))
            .violation("max_calls")
            .faults(List.of(new Fault("/a", "integer", "missing")))
            .truncated(true)
            .more(more)
            .build();

    assertThat(ToolResult.read(whole.json())).isEqualTo(whole);
    assertThat(ToolResult.read(Json.text(whole.json().text())).json()).isEqualTo(whole.json());
    assertThat(ToolResult.recognise(whole.json())).isNull();
  }

  @Test
  void readsBackWhatSaysLittle() {
    ToolResult little = ToolResult.ok("");

    assertThat(ToolResult.read(little.json())).isEqualTo(little);
  }

  @Test
  void refusesWhatIsNoResult() {
    assertThatThrownBy(() -> ToolResult.read(Json.text("{\"text\":\"x\"}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'success'");
    assertThatThrownBy(() -> ToolResult.read(Json.text("{"))).isInstanceOf(JsonException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"text\":7", "\"code\":\"no_such\"", "\"data\":[]", "\"terminal\":1"})
  void refusesAMemberOfTheWrongType(String member) {
    assertThatThrownBy(() -> ToolResult.read(Json.text("{\"success\":true," + member + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wrong type");
  }
}
