package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chat.SafeStream.Control;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SafeStreamTest {
  private static final String EVIL = "a\u001b[31m\u009b\u202eb\ud800c";
  private static final String SHOWN = "a\\u001b[31m\\u009b\\u202eb\\ud800c";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final SafeStream out =
      SafeStream.over(new PrintStream(bytes, true, StandardCharsets.UTF_8));

  private String text() {
    String text = bytes.toString(StandardCharsets.UTF_8);
    bytes.reset();
    return text;
  }

  @SuppressWarnings("UnnecessaryStringBuilder") // any object may be printed
  @Test
  void noWayToPrintGoesAround() {
    out.print(EVIL);
    assertThat(text()).isEqualTo(SHOWN);
    out.println(EVIL);
    assertThat(text()).isEqualTo(SHOWN + "\n");
    out.println((Object) new StringBuilder(EVIL));
    assertThat(text()).isEqualTo(SHOWN + "\n");
    out.println(EVIL.toCharArray());
    assertThat(text()).isEqualTo(SHOWN + "\n");
    out.print('\u202e');
    assertThat(text()).isEqualTo("\\u202e");
    out.printf("%s", EVIL);
    assertThat(text()).isEqualTo(SHOWN);
    out.format(Locale.ROOT, "%s%n", EVIL);
    assertThat(text()).isEqualTo(SHOWN + "\n");
    out.append(EVIL).append('\u200b').append(EVIL, 0, 2);
    assertThat(text()).isEqualTo(SHOWN + "\\u200ba\\u001b");
    PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
    writer.println("\u202e\u001b");
    assertThat(text()).isEqualTo("\\u202e\\u001b\n");
    out.write(0x1b);
    out.writeBytes(new byte[] {0x7f, (byte) 0xc2, (byte) 0x9b});
    assertThat(text()).isEqualTo("\\u001b\\u007f\\u009b");
  }

  @Test
  void charactersMayComeInPieces() {
    for (byte octet :
        "Zoë \u202e\ud83c\udf63 \ud83d\udc69\u200d\ud83d\udcbb".getBytes(StandardCharsets.UTF_8)) {
      out.write(octet);
    }
    assertThat(text()).isEqualTo("Zoë \\u202e\ud83c\udf63 \ud83d\udc69\u200d\ud83d\udcbb");
    out.print("\ud83d\udc69");
    out.print("\u200d\ud83d\udcbb");
    assertThat(text()).isEqualTo("\ud83d\udc69\u200d\ud83d\udcbb");
    out.write(0xff);
    assertThat(text()).isEqualTo("\ufffd");
  }

  @Test
  void linesOfOtherMachinesStayLines() {
    out.print("a\r\nb\r");
    out.print("\nc\rd\r\re");
    assertThat(text()).isEqualTo("a\r\nb\r\nc\\u000dd\\u000d\\u000de");
  }

  @Test
  void ourOwnSequencesAreValues() {
    out.print("a");
    out.control(Control.up(2));
    out.control(Control.RETURN);
    out.control(Control.CLEAR_LINE);
    out.control(Control.style(31));
    out.control(Control.down(2));
    assertThat(text()).isEqualTo("a\u001b[2A\r\u001b[2K\u001b[31m\u001b[2B");
  }

  @Test
  void isMadeOnce() {
    assertThat(SafeStream.over(out)).isSameAs(out);
    out.print("\u200b");
    assertThat(text()).isEqualTo("\\u200b");
    assertThat(out.checkError()).isFalse();
  }
}
