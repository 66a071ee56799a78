package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AgUiTest {
  private static final Json SCHEMA =
      Json.text(
          """
          {"type":"object","properties":{"reservation":{"type":"string"}},"required":["reservation"]}\
          """);

  static Stream<Case> cases() {
    return Case.all();
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  private static AgUi run(Case of) {
    return new AgUi(
        "t1",
        of.before() == 0 ? "r1" : "r2",
        name -> name.equals("cancel_reservation") ? SCHEMA : null);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFile(Case of) {
    String told = Golden.stream(run(of), of);
    Golden.check("agui/" + of.name(), told);
    assertThat(Golden.stream(run(of), of)).isEqualTo(told);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void keepsTheGrammar(long seed) {
    AgUiGrammar grammar = new AgUiGrammar();
    for (Case of : RandomTurns.of(seed)) {
      grammar.check(Golden.stream(run(of), of));
    }
  }

  @Test
  void tellsWarningsAndWhatWasSaidBehindTheStart() {
    Case of = Case.all().filter(one -> one.name().equals("two_pending")).findFirst().orElseThrow();
    AgUi run = run(of);
    Json messages = AgUiHistory.of(of.events());
    String told = run.begin() + run.warning("Not used.") + run.snapshot(messages);
    Golden.check("agui/start_with_snapshot", told);
  }

  @Test
  void tellsNothingAfterTheEnd() {
    Log log = new Log().done("model_error").words("late").done("end_turn");
    AgUi run = new AgUi("t1", "r1", name -> null);
    assertThat(run.encode(log.events.get(0))).contains("RUN_ERROR");
    assertThat(run.encode(log.events.get(1)) + run.encode(log.events.get(2))).isEmpty();
  }

  @Test
  void refusesARunInOneEvent() {
    assertThat(AgUi.refused("Answer first.", "consent_pending"))
        .isEqualTo(
            """
            data: {"type":"RUN_ERROR","message":"Answer first.","code":"consent_pending"}

            """);
  }

  @Test
  void saysWhatTheAgentCanDo() {
    ToolDefinition tool =
        new ToolDefinition(
            "cancel_reservation",
            "Cancels.",
            SCHEMA,
            false,
            ToolMode.DESTRUCTIVE,
            null,
            null,
            List.of(),
            null);
    Golden.check("agui/capabilities", AgUiConsent.capabilities(List.of(tool)).text() + "\n");
  }
}
