package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class DtmfRedactorTest {
  private final DtmfRedactor keys = new DtmfRedactor(false);

  @ParameterizedTest
  @CsvSource({"4, 1 key", "12, 2 keys", "4711, 4 keys", "47*1, 4 keys"})
  void aLineSaysHowManyKeysWerePressed(String pressed, String shown) {
    assertThat(keys.line(pressed)).isEqualTo("[DTMF: " + shown + "]");
    assertThat(new DtmfRedactor(true).line(pressed)).isEqualTo("[DTMF: " + pressed + "]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4711", "4 7 1 1", "47-11", "4, 7, 1, 1", "x4711y", "+49 4711 0"})
  void theyAreHiddenInWordsHoweverTheyAreGrouped(String spelled) {
    String unused = keys.line("4711");
    assertThat(keys.redacted("Is it " + spelled + "?")).contains("[4 keys]").doesNotContain("11");
    assertThat(new DtmfRedactor(true).redacted(spelled)).isEqualTo(spelled);
  }

  @Test
  void theyAreHiddenInDataOfEveryType() {
    String unused = keys.line("4711");
    ObjectNode details =
        Codec.object().put("id", "call_4711_1").put("result", "{\"pin\":4711,\"at\":\"x\"}");
    details.set(
        "arguments", Json.text("{\"pin\":4711,\"l\":[{\"4711\":\"is 4711\"}],\"n\":12}").tree());
    assertThat(Json.of(keys.redacted(details)).text())
        .isEqualTo(
            "{\"id\":\"call_4711_1\",\"result\":\"{\\\"pin\\\":[4 keys],\\\"at\\\":\\\"x\\\"}\","
                + "\"arguments\":{\"pin\":\"[4 keys]\",\"l\":[{\"[4 keys]\":\"is [4 keys]\"}],"
                + "\"n\":12}}");
    assertThat(details.path("arguments").path("pin").intValue()).isEqualTo(4711);
  }

  @Test
  void aChoiceFromAMenuIsNotASecret() {
    String unused = keys.line("12");
    assertThat(keys.redacted("12 pieces")).isEqualTo("12 pieces");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPinIsInNoPartOfTheRecord(boolean noted) {
    CallSettings settings =
        PlayedCall.SETTINGS.change().flags(noted ? Set.of(Flag.LOG_KEYS) : Set.of()).build();
    Agent agent =
        Agent.builder("Bank")
            .prompt("You help.")
            .store(new InProcessConversations())
            .tools(Tool.dynamic("check_pin").handler(arguments -> "checked " + arguments.text()))
            .build();
    PlayedCall call = new PlayedCall(agent, settings).talking();
    for (char key : "4711".toCharArray()) {
      call.carrier(new CarrierEvent.Pressed(key));
    }
    call.advance(Duration.ofSeconds(2));
    assertThat(call.wire.toString()).contains("The caller pressed 4711 on the keypad.");
    String asks = call.created();
    call.calls(asks, "call_1", "check_pin", "{\"pin\":4711}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    call.speaks("4 7 1 1 is right.", 400);
    call.engine(new EngineEvent.Committed("i2", null));
    call.engine(new EngineEvent.Transcribed("i2", "Yes, 47 11."));
    for (char key : "0815".toCharArray()) {
      call.carrier(new CarrierEvent.Pressed(key));
    }
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
    String record = call.lines + " " + call.notes;
    if (noted) {
      assertThat(record).contains("[DTMF: 4711]", "[DTMF: 0815]", "\"pin\":4711");
    } else {
      assertThat(record).contains("[DTMF: 4 keys]", "\"pin\":\"[4 keys]\"");
      assertThat(record).doesNotContain("4711", "4 7 1 1", "47 11", "0815");
    }
  }
}
