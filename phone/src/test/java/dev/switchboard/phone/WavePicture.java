package dev.switchboard.phone;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.testing.LineRecording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A picture of a recorded call: the waves of both sides over its seconds, with words for what they
/// say and lines for what happens. An SVG without a script or a font of its own, for light and dark
/// pages.
final class WavePicture {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 292;
  private static final int LEFT = 66;
  private static final int PLOT = WIDTH - LEFT - 30;
  private static final int AGENT = 88; // the middle of its wave
  private static final int CALLER = 186;
  private static final int LOUD = 42; // the height of a full wave
  private static final int AXIS = 250;
  private static final int SECOND = 1_000 * MuLaw.SAMPLES_PER_MS;

  private static final String STYLE =
      """
      .page{fill:#fff;stroke:#d1d5db}.words{fill:#1f2937}.small{fill:#4b5563}
      .agent{stroke:#3b67c0}.aside{stroke:#b7690f}.caller{stroke:#2f8550}
      .line{stroke:#6b7280}.event{stroke:#c0392b}.told{fill:#b03225}
      text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
      .small,.told{font-size:12px}.end{text-anchor:end}.mid{text-anchor:middle}
      path{fill:none;stroke-width:1}.event{stroke-dasharray:4 3}
      @media (prefers-color-scheme:dark){.page{fill:#1a1b26;stroke:#414868}.words{fill:#d8dee9}
      .small{fill:#a3acc0}.agent{stroke:#7aa2f7}.aside{stroke:#e0af68}.caller{stroke:#9ece6a}
      .line{stroke:#8b93a7}.event{stroke:#f7768e}.told{fill:#f7768e}}
      """;

  private final LineRecording recording;
  private final int samples;
  private final List<String> labels = new ArrayList<>();
  private final StringBuilder body = new StringBuilder();

  WavePicture(LineRecording recording) {
    this.recording = recording;
    samples = recording.agent().length;
    side("agent", AGENT);
    side("caller", CALLER);
    axis();
  }

  private void side(String who, int middle) {
    text("words end", LEFT - 12, middle + 4, who);
    body.append(
        "<path class=\"line\" d=\"M%d %dH%d\" opacity=\".5\"/>\n"
            .formatted(LEFT, middle, LEFT + PLOT));
  }

  private void axis() {
    StringBuilder ticks = new StringBuilder("M%d %dH%d".formatted(LEFT, AXIS, LEFT + PLOT));
    for (int second = 0; second * SECOND <= samples; second++) {
      boolean named = second % 5 == 0;
      ticks.append("M%s %dv%d".formatted(x(second * SECOND), AXIS, named ? 8 : 4));
      if (named) {
        text("small mid", xOf(second * SECOND), AXIS + 22, second + " s");
      }
    }
    body.append("<path class=\"line\" d=\"%s\"/>\n".formatted(ticks));
  }

  /// Draws a piece of what the agent says, from one sample of the recording to another.
  ///
  /// @param look `agent`, or `aside` for what is not the model's answer
  void agent(String label, String look, int from, int to) {
    label(label);
    text("words", xOf(from), AGENT - LOUD - 6, label);
    wave(recording.agent(), look, AGENT, from, to);
  }

  /// Draws a piece of what the caller says.
  void caller(String label, int from, int to) {
    label(label);
    text("words", xOf(from), CALLER + LOUD + 12, label);
    wave(recording.caller(), "caller", CALLER, from, to);
  }

  /// Draws a line at a sample, with what happens there.
  void event(String label, int at) {
    label(label);
    text("told mid", xOf(at), 20, label);
    body.append("<path class=\"event\" d=\"M%s 26V%d\"/>\n".formatted(x(at), CALLER + LOUD));
  }

  private void label(String label) {
    labels.add(label);
  }

  /// The words in it, in the order in which they were drawn.
  List<String> labels() {
    return labels;
  }

  /// A line from the lowest to the highest sample for each pixel.
  private void wave(byte[] audio, String look, int middle, int from, int to) {
    StringBuilder path = new StringBuilder();
    int begin = (int) xOf(from);
    for (int x = begin; x <= xOf(to); x++) {
      int low = 0;
      int high = 0;
      for (int i = Math.max(from, at(x)); i < Math.min(to, at(x + 1)); i++) {
        int sample = MuLaw.decode(audio[i]);
        low = Math.min(low, sample);
        high = Math.max(high, sample);
      }
      if (high > low) {
        path.append(
            "M%s.5 %sV%s"
                .formatted(x, number(middle - height(high)), number(middle - height(low))));
      }
    }
    body.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(look, path));
  }

  private static double height(int sample) {
    // The tones of the simulated speech are of two fifths of the loudness that there can be.
    return (double) LOUD * sample / (Short.MAX_VALUE * 0.45);
  }

  private int at(int x) {
    return (int) ((long) (x - LEFT) * samples / PLOT);
  }

  private double xOf(int sample) {
    return LEFT + (double) PLOT * sample / samples;
  }

  private String x(int sample) {
    return number(xOf(sample));
  }

  private void text(String look, double x, int y, String words) {
    body.append(
        "<text class=\"%s\" x=\"%s\" y=\"%d\">%s</text>\n".formatted(look, number(x), y, words));
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /// All of it.
  String svg() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
    role="img" aria-label="The waves of a call: %3$s">
    <style>
    %4$s</style>
    <rect class="page" x=".5" y=".5" width="%5$d" height="%6$d" rx="10"/>
    %7$s</svg>
    """
        .formatted(
            WIDTH,
            HEIGHT,
            String.join(", ", labels),
            STYLE,
            WIDTH - 1,
            HEIGHT - 1,
            body.toString());
  }
}
