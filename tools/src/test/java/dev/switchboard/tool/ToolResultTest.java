package dev.switchboard.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.JsonException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  }

  @Test
  void readsBackWhatSaysLittle() {
    ToolResult little = ToolResult.ok("");

    assertThat(ToolResult.read(little.json())).isEqualTo(little);
  }

  @Test
  void refusesWhatIsNotAResult() {
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

  @Test
  void readsHowAChangeLooksAndHowItIsTakenBack() {
    ToolResult changed =
        with(
            "{\"preview\":{\"before\":\"19:00\",\"after\":\"20:00\"},"
                + "\"undo\":{\"name\":\"update_event\",\"arguments\":{\"at\":\"19:00\"}}}");

    assertThat(changed.preview()).isEqualTo(new ToolResult.Preview("19:00", "20:00"));
    ToolCall undo = Objects.requireNonNull(changed.undo());
    assertThat(undo.name()).isEqualTo("update_event");
    assertThat(undo.arguments()).isEqualTo(Json.text("{\"at\":\"19:00\"}"));
    assertThat(with("{\"preview\":\"+ at 20:00\"}").preview())
        .isEqualTo(new ToolResult.Preview(null, "+ at 20:00"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"preview\":7,\"undo\":\"update_event\"}",
        "{\"preview\":{\"after\":\"x\"},\"undo\":{\"name\":\"x\"}}",
        "{\"preview\":{\"before\":1,\"after\":\"x\"},\"undo\":{\"name\":1,\"arguments\":{}}}",
        "{\"preview\":[],\"undo\":{\"name\":\"x\",\"arguments\":[]}}"
      })
  void readsNoChangeOutOfAnotherForm(String data) {
    assertThat(with(data).preview()).isNull();
    assertThat(with(data).undo()).isNull();
    assertThat(ToolResult.ok("x").preview()).isNull();
    assertThat(ToolResult.ok("x").undo()).isNull();
  }

  private static ToolResult with(String data) {
    return ToolResult.builder(true).data(Json.text(data)).build();
  }
}
