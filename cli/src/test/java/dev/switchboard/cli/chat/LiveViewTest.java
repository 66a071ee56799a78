package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
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
  private final LiveView view = view(60, 24, false);

  @Test
  void eachOfSeveralCallsIsRedrawnInItsOwnLine() {
    call("c1");
    call("c2");
    view.show(new Event.LoaderHint("c2", "Just a\nmoment"));
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
    low.show(new Event.LoaderHint("c1", "hint"));

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
    return new LiveView(new PrintStream(out, true, StandardCharsets.UTF_8), screen);
  }
}
