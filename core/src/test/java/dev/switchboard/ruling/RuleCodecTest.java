package dev.switchboard.ruling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleCodecTest {
  private static final Instant NOW = Instant.parse("2026-03-14T19:30:00.123456789Z");

  @Test
  void writesAndReadsAState() {
    RuleState state =
        RuleState.NEW
            .started("load", NOW)
            .ended("load", false)
            .nextTurn()
            .started("save", NOW)
            .startRefused()
            .reminded()
            .holding(new RoundEnd.Exit(StopReason.TOOL_RULE, null));
    Json json = RuleCodec.write(state);

    assertThat(json.text())
        .isEqualTo(
            """
            {"v":1,"turn":{"save":{"started":1,"succeeded":0,"failed":0,"lastStart":"2026-03-14T19:30:00.123456789Z"}},"conversation":{"load":{"started":1,"succeeded":0,"failed":1,"lastStart":"2026-03-14T19:30:00.123456789Z"},"save":{"started":1,"succeeded":0,"failed":0,"lastStart":"2026-03-14T19:30:00.123456789Z"}},"startRefusals":1,"reminders":1,"exitHeld":true}\
            """);
    assertThat(RuleCodec.state(Json.text(json.text()))).isEqualTo(state);
  }

  @Test
  void writesAndReadsTallies() {
    Tallies tallies = Tallies.NONE.started("a", NOW).ended("a", true);
    assertThat(RuleCodec.write(Tallies.NONE).text()).isEqualTo("{\"v\":1,\"tools\":{}}");
    assertThat(RuleCodec.tallies(RuleCodec.write(tallies))).isEqualTo(tallies);
  }

  @Test
  void saysWhichVersionItCannotRead() {
    assertThatThrownBy(() -> RuleCodec.state(Json.text("{\"v\":2}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("stored rules are of version 2, and only version 1 can be read");
    assertThatThrownBy(() -> RuleCodec.tallies(Json.text("{}")))
        .hasMessage("stored rules are of version unknown, and only version 1 can be read");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":1}",
        "{\"v\":1,\"tools\":{\"a\":{\"started\":-1,\"succeeded\":0,\"failed\":0}}}",
        "{\"v\":1,\"tools\":{\"a\":{\"started\":1}}}",
        "{\"v\":1,\"tools\":{\"a\":{\"started\":1,\"succeeded\":0,\"failed\":0,\"lastStart\":\"noon\"}}}"
      })
  void refusesWhatItDidNotWrite(String text) {
    assertThatThrownBy(() -> RuleCodec.tallies(Json.text(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("stored rules have no right '");
  }

  @Test
  void keepsTheReasonAndTheWordsOfAnExitThatIsHeldBack() {
    for (RoundEnd.Exit exit :
        List.of(
            new RoundEnd.Exit(StopReason.TERMINAL_RESULT, "It is paid."),
            new RoundEnd.Exit(StopReason.TERMINAL_RESULT, null),
            new RoundEnd.Exit(StopReason.TOOL_RULE, "Bye."))) {
      RuleState held = RuleState.NEW.holding(exit);

      assertThat(RuleCodec.state(RuleCodec.write(held))).isEqualTo(held);
    }
  }
}
