package dev.switchboard.cli.chat;

import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.text.Surrogates;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The stream for all output of a command. It escapes control characters, direction marks and
/// invisible characters, such as `\u202e`, in a form that JSON reads equally. So a command prints
/// untrusted texts unchanged.
///
/// Cursor movements and colors are not text but a [Control]: `out.control(Control.up(2))`.
/// Thread-safe.
public final class SafeStream extends PrintStream {
  private final PrintStream target;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private byte[] begun = {}; // bytes of an incomplete character; guarded by this
  private int before; // the last character; guarded by this
  private boolean returned; // whether that was a carriage return, not written yet; guarded by this

  /// A control sequence of our own.
  public static final class Control {
    /// Moves to the beginning of the line.
    public static final Control RETURN = new Control("\r");

    /// Clears the line.
    public static final Control CLEAR_LINE = new Control("\u001b[2K");

    /// Clears the line from the cursor on.
    public static final Control CLEAR_REST = new Control("\u001b[K");

    private final String sequence;

    private Control(String sequence) {
      this.sequence = sequence;
    }

    /// Moves up that many lines.
    public static Control up(int lines) {
      return new Control("\u001b[" + lines + "A");
    }

    /// Moves down that many lines.
    public static Control down(int lines) {
      return new Control("\u001b[" + lines + "B");
    }

    /// Moves left that many columns.
    public static Control left(int columns) {
      return new Control("\u001b[" + columns + "D");
    }

    /// Sets the style to that SGR number, 0 for none.
    public static Control style(int number) {
      return new Control("\u001b[" + number + "m");
    }
  }

  private SafeStream(PrintStream target) {
    super(target, true, StandardCharsets.UTF_8);
    this.target = target;
  }

  /// A safe stream over that stream; the stream itself if it is one.
  public static SafeStream over(PrintStream stream) {
    return stream instanceof SafeStream safe ? safe : new SafeStream(stream);
  }

  /// Writes a control sequence.
  public synchronized void control(Control control) {
    byte[] bytes = control.sequence.getBytes(StandardCharsets.UTF_8);
    super.write(bytes, 0, bytes.length);
  }

  /// The underlying stream, for texts that are the program's own, such as help.
  public PrintStream below() {
    return target;
  }

  @Override
  public void print(@Nullable String text) {
    super.print(whole(String.valueOf(text)));
  }

  @Override
  public void print(@Nullable Object value) {
    print(String.valueOf(value));
  }

  @Override
  public void print(char letter) {
    print(String.valueOf(letter));
  }

  @Override
  public void print(char[] letters) {
    print(String.valueOf(letters));
  }

  /// The text with unpaired surrogates escaped, which cannot be encoded.
  private static String whole(String text) {
    if (Surrogates.paired(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
            InvisibleCharacters.show(0, point, 0, out);
          } else {
            out.appendCodePoint(point);
          }
        });
    return out.toString();
  }

  @Override
  public void write(int octet) {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  @Override
  public void writeBytes(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    if (!returned && begun.length == 0 && isPlain(bytes, from, length)) {
      super.write(bytes, from, length);
      before = length == 0 ? before : bytes[from + length - 1];
      return;
    }
    byte[] shown = shown(decoded(bytes, from, length)).getBytes(StandardCharsets.UTF_8);
    super.write(shown, 0, shown.length);
  }

  private static boolean isPlain(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      byte octet = bytes[i];
      if (octet < 0x20 ? octet != '\n' && octet != '\t' : octet == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private String decoded(byte[] bytes, int from, int length) {
    ByteBuffer in = ByteBuffer.allocate(begun.length + length);
    in.put(begun).put(bytes, from, length).flip();
    CharBuffer out = CharBuffer.allocate(in.remaining());
    decoder.decode(in, out, false);
    begun = new byte[in.remaining()];
    in.get(begun);
    return out.flip().toString();
  }

  private String shown(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i += Character.charCount(before)) {
      int point = text.codePointAt(i);
      int end = i + Character.charCount(point);
      if (returned && point == '\n') {
        out.append('\r');
      } else if (returned) {
        InvisibleCharacters.show(0, '\r', 0, out);
      }
      returned = point == '\r';
      if (!returned) {
        InvisibleCharacters.show(
            before, point, end < text.length() ? text.codePointAt(end) : 0, out);
      }
      before = point;
    }
    return out.toString();
  }
}
