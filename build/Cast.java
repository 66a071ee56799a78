import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Draws what a command prints as an animated SVG of a terminal, without a script or a font of its
/// own. A viewer that does not animate shows the first screen.
///
/// Started from its source by `build/cast`: `Cast.java FILE COMMAND...`.
final class Cast {
  private static final int COLUMNS = 104;
  private static final int ROWS = 24;
  private static final int ROW_HEIGHT = 19;
  private static final int TOP = 34;
  private static final int LEFT = 16;
  private static final int WIDTH = 2 * LEFT + COLUMNS * 78 / 10;
  private static final int HEIGHT = TOP + ROWS * ROW_HEIGHT + 12;

  /// How long the last screen stands before the cast begins again.
  private static final double REST_SECONDS = 8;

  private static final String STYLE =
      """
      text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
      fill:#d8dee9;white-space:pre}
      .you{fill:#7dcfff;font-weight:bold}.ok{fill:#9ece6a}.no{fill:#f7768e}.wait{fill:#e0af68}\
      .dim{fill:#8b93a7}
      #screen,.row{animation-duration:%1$ss;animation-iteration-count:infinite;\
      animation-timing-function:step-end}
      @media (prefers-reduced-motion:reduce){#screen,.row{animation:none}}
      """;

  /// A row of the terminal.
  ///
  /// @param look the class of its colour, empty for none
  /// @param at when it appears, in seconds
  private record Row(String text, String look, double at) {}

  private Cast() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> command = Arrays.asList(args).subList(1, args.length);
    List<String> lines = new ArrayList<>(List.of("$ " + String.join(" ", command), ""));
    lines.addAll(printed(command));
    Path file = Path.of(args[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, svg(rows(lines)));
    System.out.println("Wrote " + file + ", " + Files.size(file) + " bytes.");
  }

  private static List<String> printed(List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      lines = out.lines().toList();
    }
    if (process.waitFor() != 0) {
      throw new IOException(command + " ended with exit code " + process.exitValue());
    }
    return lines;
  }

  private static List<Row> rows(List<String> lines) {
    List<Row> rows = new ArrayList<>();
    double at = 0;
    for (String line : lines) {
      String look = look(line);
      for (String part : wrapped(line)) {
        rows.add(new Row(part, look, at));
      }
      at += line.isBlank() ? 0.3 : look.equals("you") ? 1.4 : 0.8;
    }
    return rows;
  }

  /// The colour of a line: what a person typed, a call that succeeded, one that did not, one that
  /// waits, or progress.
  private static String look(String line) {
    if (line.startsWith("> ") || line.startsWith("$ ")) {
      return "you";
    }
    if (!line.startsWith("  ")) {
      return "";
    }
    if (line.matches("  \\S+ \\.\\.\\. .*")) {
      return "dim";
    }
    if (line.matches(".* ok \\d+ ms")) {
      return "ok";
    }
    return line.contains("waits for you") || line.contains("Open until") ? "wait" : "no";
  }

  /// The line in parts of the terminal's width, broken at blanks where there are any.
  private static List<String> wrapped(String line) {
    List<String> parts = new ArrayList<>();
    String rest = line;
    while (rest.length() > COLUMNS) {
      int blank = rest.lastIndexOf(' ', COLUMNS);
      int end = blank > COLUMNS / 2 ? blank : COLUMNS;
      parts.add(rest.substring(0, end));
      rest = "      " + rest.substring(end).strip();
    }
    parts.add(rest);
    return parts;
  }

  private static String svg(List<Row> rows) {
    double length = rows.getLast().at() + REST_SECONDS;
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" \
        height="%2$d" role="img" aria-label="%3$s">
        <style>
        """
            .formatted(WIDTH, HEIGHT, escaped(rows.getFirst().text())));
    out.append(STYLE.formatted(number(length))).append(keyframes(rows, length));
    out.append(
        """
        </style>
        <rect width="%1$d" height="%2$d" rx="8" fill="#1a1b26" stroke="#414868"/>
        <circle cx="18" cy="16" r="5" fill="#f7768e"/><circle cx="36" cy="16" r="5" \
        fill="#e0af68"/><circle cx="54" cy="16" r="5" fill="#9ece6a"/>
        <svg y="%3$d" width="%1$d" height="%4$d"><g id="screen">
        """
            .formatted(WIDTH, HEIGHT, TOP, ROWS * ROW_HEIGHT));
    for (int i = 0; i < rows.size(); i++) {
      out.append(text(rows.get(i), i));
    }
    return out.append("</g></svg>\n</svg>\n").toString();
  }

  /// When each row appears, and how far the screen has scrolled by then.
  private static String keyframes(List<Row> rows, double length) {
    StringBuilder out = new StringBuilder();
    StringBuilder scroll = new StringBuilder("0%{transform:none}");
    for (int i = 0; i < rows.size(); i++) {
      String percent = number(100 * rows.get(i).at() / length);
      if (rows.get(i).at() > 0) {
        out.append("@keyframes r%d{0%%{opacity:0}%s%%{opacity:1}}".formatted(i, percent));
        out.append("#r%d{animation-name:r%d}\n".formatted(i, i));
      }
      if (i >= ROWS) {
        int up = (i + 1 - ROWS) * ROW_HEIGHT;
        scroll.append("%s%%{transform:translateY(-%dpx)}".formatted(percent, up));
      }
    }
    int up = Math.max(0, rows.size() - ROWS) * ROW_HEIGHT;
    scroll.append("100%%{transform:translateY(-%dpx)}".formatted(up));
    return out + "@keyframes scroll{" + scroll + "}#screen{animation-name:scroll}\n";
  }

  private static String text(Row row, int index) {
    if (row.text().isEmpty()) {
      return "";
    }
    String look = row.look().isEmpty() ? "" : " " + row.look();
    int y = index * ROW_HEIGHT + 14;
    return "<text id=\"r%d\" class=\"row%s\" x=\"%d\" y=\"%d\" xml:space=\"preserve\">%s</text>\n"
        .formatted(index, look, LEFT, y, escaped(row.text()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
