package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LiveViewTest {
  private static final String REDRAW = "\u001b[%dA\r\u001b[2K%s\u001b[%dB\r";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ManualTime time = new ManualTime();
  private final LiveView view = view(60, 24, false);

  @Test
  void eachOfSeveralCallsIsRedrawnInItsOwnLine() {
    call("c1");
    call("c2");
    view.show(Event.LoaderHint.progress("c2", "Just a\nmoment"));
    settled("c1");
    view.took("c1", Duration.ofMillis(120));

    assertThat(text())
        .isEqualTo(
            "  look {} ...\n  look {} ...\n"
                + REDRAW.formatted(1, "  look {} Just a moment", 1)
                + REDRAW.formatted(2, "  look {} ok", 2)
                + REDRAW.formatted(2, "  look {} ok 120 ms", 2));
  }

  @Test
  void aLineThatOtherWordsStandBelowIsWrittenAgain() {
    call("c1");
    view.show(new Event.Content("Still looking"));
    settled("c1");

    assertThat(text()).isEqualTo("  look {} ...\nStill looking\n  look {} ok\n");
  }

  @Test
  void aLineAboveTheScreenIsWrittenAgain() {
    LiveView low = view(60, 2, false);
    low.show(new Event.ToolCalled(ToolCall.of("c1", "look", "{}"), false, ToolMode.EXTERNAL));
    low.show(new Event.ToolCalled(ToolCall.of("c2", "look", "{}"), false, ToolMode.EXTERNAL));
    low.show(Event.LoaderHint.progress("c1", "hint"));

    assertThat(text()).isEqualTo("  look {} ...\n  look {} ...\n  look {} hint\n");
  }

  @Test
  void noLineIsWiderThanTheScreen() {
    view.show(
        new Event.ToolCalled(
            new ToolCall("c1", "look", Json.text("{\"x\":\"" + "y".repeat(200) + "\"}")),
            false,
            ToolMode.EXTERNAL));
    view.show(
        new Event.ToolSettled(
            ToolResult.failure(ResultCode.FAILED, "why ".repeat(50)).callId("c1").build(), "look"));

    assertThat(text().replaceAll("\u001b\\[[0-9]*[A-Z]|\r", "\n").lines())
        .allMatch(line -> line.length() < 60)
        .anyMatch(line -> line.contains("failed: why"));
  }

  @Test
  void statusesAreColoured() {
    LiveView coloured = view(60, 0, true);
    coloured.show(new Event.ToolCalled(ToolCall.of("c1", "look", "{}"), false, ToolMode.EXTERNAL));
    coloured.show(
        new Event.ToolSettled(ToolResult.ok("x").toBuilder().callId("c1").build(), "look"));

    assertThat(text()).endsWith("  look {} \u001b[32mok\u001b[0m\n");
  }

  @Test
  void theLastWordsAreShownOnce() {
    view.show(new Event.Content("All"));
    view.show(new Event.Content(" done."));
    view.rest("All done.");
    view.rest("Good bye.");

    assertThat(text()).isEqualTo("All done.\nGood bye.\n");
  }

  @Test
  void theSecondsGoByWhereNothingElseMoves() {
    view.working(true);
    view.tick();
    time.advance(Duration.ofMillis(1500));
    view.tick();
    time.advance(Duration.ofSeconds(1));
    view.tick();
    view.show(new Event.Content("Yes."));
    view.rest("Yes.");

    assertThat(text()).isEqualTo("\r\u001b[2K  ... 1 s\r\u001b[2K  ... 2 s\r\u001b[2KYes.\n");
  }

  @Test
  void noSecondsStandBehindWordsOrAPrompt() {
    time.advance(Duration.ofSeconds(5));
    view.tick();
    view.working(true);
    view.show(new Event.Content("Well"));
    time.advance(Duration.ofSeconds(5));
    view.tick();
    view.show(new Event.Content("."));
    view.rest("Well.");
    view.working(false);
    time.advance(Duration.ofSeconds(5));
    view.tick();

    assertThat(text()).isEqualTo("Well.\n");
  }

  @Test
  void aRunningCallSaysForHowLong() {
    view.working(true);
    call("c1");
    time.advance(Duration.ofMillis(2100));
    view.tick();
    settled("c1");
    view.took("c1", Duration.ofMillis(2200));

    assertThat(text())
        .isEqualTo(
            "  look {} ...\n"
                + REDRAW.formatted(1, "  look {} ... 2 s", 1)
                + REDRAW.formatted(1, "  look {} ok", 1)
                + REDRAW.formatted(1, "  look {} ok 2200 ms", 1));
  }

  @Test
  void aCallThatWordsStandBelowIsNotWrittenAgainEverySecond() {
    view.working(true);
    call("c1");
    view.show(new Event.Content("Moment.\n"));
    time.advance(Duration.ofSeconds(2));
    view.tick();

    assertThat(text()).isEqualTo("  look {} ...\nMoment.\n\r\u001b[2K  ... 2 s");
  }

  @Test
  void aRetryOfTheModelIsTold() {
    view.show(
        new Event.AgentEvent(
            "model_retry",
            Json.text("{\"attempt\":2,\"of\":3,\"after_ms\":500,\"reason\":\"unavailable\"}")));

    assertThat(text()).isEqualTo("  asked again in 500 ms (attempt 2 of 3)\n");
  }

  @Test
  void aChangeIsShownAsADifferenceWithTheWayBack() {
    call("c1");
    view.show(
        new Event.ToolSettled(
            ToolResult.ok("x").toBuilder()
                .callId("c1")
                .data(
                    Json.text(
                        """
                        {"preview":{"before":"a\\nb\\nc\\nd\\n","after":"a\\nb\\nC\\nd\\n"},
                         "undo":{"name":"restore","arguments":{"version":3}}}
                        """))
                .build(),
            "look"));
    view.took("c1", Duration.ofMillis(3));

    assertThat(text())
        .endsWith(
            REDRAW.formatted(1, "  look {} ok 3 ms", 1)
                + """
                      b
                    - c
                    + C
                      d
                      /undo takes it back: restore {"version":3}
                """);
  }

  @Test
  void wordsAreBrokenBetweenWords() {
    LiveView narrow = view(20, 24, false);
    for (String piece : "The quick brown fox jumps over the la|zy d|og.".split("\\|")) {
      narrow.show(new Event.Content(piece));
    }
    narrow.rest("");

    assertThat(text()).isEqualTo("The quick brown fox\njumps over the lazy\ndog.\n");
  }

  @Test
  void markdownIsShownByStylesWhereThereIsColour() {
    LiveView coloured = view(20, 24, true);
    for (String piece : "# Menu\n- the *big **so|up*** of th|e day, *ver|y* hot\n".split("\\|")) {
      coloured.show(new Event.Content(piece));
    }
    coloured.show(new Event.Content("```\n\u001b[31mx y z x y z x y z x y z\n```\n**op"));
    coloured.show(new Event.Done(null));

    assertThat(text())
        .isEqualTo(
            """
            <1>Menu<0>
            - the <3>big <0><1><3>soup<0> of\s
              the day, <3>very<0> hot
            <36>\\u001b[31mx y z x y z x y z x y z
            <0>**op
            """
                .replaceAll("<(\\d+)>", "\u001b[$1m"));
  }

  @Test
  void aStyledWordThatIsTakenToTheNextLineKeepsItsStyle() {
    LiveView coloured = view(20, 24, true);
    coloured.show(new Event.Content("it is an extra-**or** "));
    coloured.show(new Event.Content("\nit is an extra (**or**)dinary one"));
    coloured.rest("");

    assertThat(text())
        .isEqualTo(
            "it is an extra-\u001b[1mor\u001b[0m \nit is an extra (\u001b[1mor"
                + "\u001b[3D\u001b[K\n\u001b[0m(\u001b[1mor\u001b[0m)dinary one\n");
  }

  @Test
  void markdownIsShownAsItComesWhereThereIsNoColour() {
    view.show(new Event.Content("# **Menu** `x` *"));
    view.rest("");

    assertThat(text()).isEqualTo("# **Menu** `x` *\n");
  }

  private void call(String id) {
    view.show(new Event.ToolCalled(ToolCall.of(id, "look", "{}"), false, ToolMode.EXTERNAL));
  }

  private void settled(String id) {
    view.show(new Event.ToolSettled(ToolResult.ok("x").toBuilder().callId(id).build(), "look"));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private LiveView view(int width, int height, boolean colour) {
    LiveView.Screen screen =
        new LiveView.Screen() {
          @Override
          public int width() {
            return width;
          }

          @Override
          public int height() {
            return height;
          }

          @Override
          public boolean colour() {
            return colour;
          }
        };
    return new LiveView(new PrintStream(out, true, StandardCharsets.UTF_8), screen, time);
  }
}
