package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  @Test
  void givesLinesWithTheirNumbers() throws IOException {
    LineReader lines = reader("a\n\nb", 100);

    assertThat(lines.next()).isEqualTo(new Line.Text(1, "a"));
    assertThat(lines.next()).isEqualTo(new Line.Text(2, ""));
    assertThat(lines.next()).isEqualTo(new Line.Text(3, "b"));
    assertThat(lines.next()).isNull();
  }

  @Test
  void aLineEndAtTheEndIsNotAFurtherLine() throws IOException {
    LineReader lines = reader("a\n", 100);

    assertThat(lines.next()).isEqualTo(new Line.Text(1, "a"));
    assertThat(lines.next()).isNull();
  }

  @Test
  void aLineThatIsTooLongDoesNotHideTheNext() throws IOException {
    LineReader lines = reader("1234\n12345\nb", 4);

    assertThat(lines.next()).isEqualTo(new Line.Text(1, "1234"));
    assertThat(lines.next()).isEqualTo(new Line.Unreadable(2, "the line is longer than 4 bytes"));
    assertThat(lines.next()).isEqualTo(new Line.Text(3, "b"));
  }

  private static LineReader reader(String text, int mostBytes) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new LineReader(new ByteArrayInputStream(bytes), mostBytes);
  }
}
