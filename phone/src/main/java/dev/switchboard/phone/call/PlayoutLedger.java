package dev.switchboard.phone.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was sent to the caller to be heard, and how much of it was.
///
/// Heard is what the carrier says by echoing a mark; a mark goes out after every 200 ms of audio
/// and at every end. Its name has the generation of what is played out, which begins anew whenever
/// that is cleared: marks of an older one, which a carrier returns at a clear, count for nothing.
/// For one thread.
final class PlayoutLedger {
  /// How many bytes of audio, µ-law of 8,000 samples a second, are a millisecond.
  static final int BYTES_PER_MS = 8;

  private static final int MARK_EVERY = 200 * BYTES_PER_MS;

  private final Deque<Piece> pieces = new ArrayDeque<>(); // not heard to their end, in their order
  private final Map<String, Long> marks = new LinkedHashMap<>(); // of this generation: bytes before
  private int generation = 1;
  private int marksMade;
  private long sent; // bytes of this generation
  private long marked; // of them before the latest mark
  private long heard; // of them
  private @Nullable Source latest; // of the latest audio
  private long ofLatest; // bytes of it in all

  /// What a piece of audio says.
  enum Kind {
    ANSWER,
    FIRST_MESSAGE,
    FAREWELL,
    PROGRESS,
    REASSURANCE,
    /// Words of ours, such as a question for consent.
    NOTICE,
    /// Words that the caller must hear, and does not interrupt.
    DISCLOSURE,
    /// What sounds while there is no engine.
    TONE;

    /// The word in the events of a call, such as `first_message`.
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Where audio belongs.
  ///
  /// @param aside whether it is outside the engine's conversation
  record Source(String response, String item, int content, Kind kind, boolean aside) {}

  /// What is to be sent to the carrier.
  sealed interface Out {
    /// Audio.
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Media(byte[] audio) implements Out {}

    /// A mark after it.
    record Mark(String name) implements Out {}
  }

  /// How much of some audio was heard when what was not was forgotten.
  ///
  /// @param sent milliseconds of its source, rounded down
  /// @param heard milliseconds of its source, rounded down
  record Cut(Source source, int sent, int heard) {}

  private static final class Piece {
    private final Source source;
    private final long before; // bytes of the source that were heard before the piece began
    private final long start;
    private long end;

    Piece(Source source, long before, long start) {
      this.source = source;
      this.before = before;
      this.start = start;
      end = start;
    }

    private Cut cut(long heard) {
      long ofSource = before + Math.max(0, heard - start);
      return new Cut(
          source, (int) ((before + end - start) / BYTES_PER_MS), (int) (ofSource / BYTES_PER_MS));
    }
  }

  /// Takes audio that an engine has spoken, and gives what is to be sent for it.
  List<Out> play(Source source, byte[] audio) {
    if (audio.length == 0) {
      return List.of();
    }
    if (!source.equals(latest)) {
      latest = source;
      ofLatest = 0;
    }
    Piece piece = pieces.peekLast();
    if (piece == null || !piece.source.equals(source)) {
      piece = new Piece(source, ofLatest, sent);
      pieces.addLast(piece);
    }
    ofLatest += audio.length;
    List<Out> out = new ArrayList<>();
    int from = 0;
    while (from < audio.length) {
      int length = (int) Math.min(audio.length - from, marked + MARK_EVERY - sent);
      boolean whole = length == audio.length;
      out.add(new Out.Media(whole ? audio : Arrays.copyOfRange(audio, from, from + length)));
      from += length;
      sent += length;
      piece.end = sent;
      if (sent - marked == MARK_EVERY) {
        out.add(mark());
      }
    }
    return out;
  }

  /// The mark after the end of a response; none where one stands there already.
  List<Out> end() {
    return sent == marked ? List.of() : List.of(mark());
  }

  private Out.Mark mark() {
    marksMade++;
    String name = "g" + generation + "." + marksMade;
    marks.put(name, sent);
    marked = sent;
    return new Out.Mark(name);
  }

  /// Takes an echoed mark; false for one that says nothing new.
  boolean played(String mark) {
    Long position = marks.get(mark);
    if (position == null || position <= heard) {
      return false;
    }
    heard = position;
    marks.values().removeIf(at -> at <= heard);
    while (!pieces.isEmpty() && pieces.getFirst().end <= heard) {
      pieces.removeFirst();
    }
    return true;
  }

  /// Whether all that was sent was heard.
  boolean idle() {
    return heard == sent;
  }

  /// Whether audio of that response was sent and is not heard to its end.
  boolean isPlaying(String response) {
    return pieces.stream().anyMatch(piece -> piece.source.response().equals(response));
  }

  /// Whether audio of that kind was sent and is not heard to its end.
  boolean isPlaying(Kind kind) {
    return pieces.stream().anyMatch(piece -> piece.source.kind() == kind);
  }

  /// Whether all that is not heard yet is of that kind.
  boolean isOnly(Kind kind) {
    return pieces.stream().allMatch(piece -> piece.source.kind() == kind);
  }

  /// How much audio was sent that is not heard yet, in milliseconds.
  int ahead() {
    return (int) ((sent - heard) / BYTES_PER_MS);
  }

  /// Forgets what was not heard, and begins a new generation; what was cut, in its order.
  List<Cut> clear() {
    List<Cut> cuts = pieces.stream().map(piece -> piece.cut(heard)).toList();
    pieces.clear();
    marks.clear();
    generation++;
    sent = 0;
    marked = 0;
    heard = 0;
    latest = null;
    return cuts;
  }
}
