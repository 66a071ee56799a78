package dev.switchboard.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolCallTest {
  @Test
  void readsACallAndLeavesItsArgumentsAsTheyAre() {
    ToolCall call =
        ToolCall.read(
            Json.text(
                " {\"name\":\"pay\", \"id\":\"c\\u0031\",\"arguments\": { \"n\": 1.50 } }\n"));

    assertThat(call).isEqualTo(new ToolCall("c1", "pay", Json.text("{ \"n\": 1.50 }")));
    assertThat(ToolCall.read(call.json()).arguments()).isEqualTo(Json.text("{\"n\":1.50}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                                                  | a tool call must be a JSON object
          "c1"                                                | a tool call must be a JSON object
          {"id":"c1","name":"x","arguments":{}                | the call is not JSON
          {"id":"c1","name":"x","arguments":{}} {}            | the call is not JSON
          {"id":"c1","name":"x","arguments":{},"auto":true}   | a tool call has no member 'auto'
          {"id":"c1","id":"c1","name":"x","arguments":{}}     | its member 'id' is there twice
          {"name":"x","arguments":{}}                         | a tool call needs 'id', a non-empty string
          {"id":7,"name":"x","arguments":{}}                  | a tool call needs 'id', a non-empty string
          {"id":"c1","name":"","arguments":{}}                | a tool call needs 'name', a non-empty string
          {"id":"c1","name":nope,"arguments":{}}              | a tool call needs 'name', a non-empty string
          {"id":"c1","name":"x"}                              | a tool call needs 'arguments', a JSON object
          """)
  void refusesWhatIsNotACall(String text, String why) {
    assertThatThrownBy(() -> ToolCall.read(Json.text(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
