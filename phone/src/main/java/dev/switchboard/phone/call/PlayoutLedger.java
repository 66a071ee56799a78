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

/// The audio sent to the caller, and how much of it was heard.
///
/// The carrier reports what was heard by echoing marks; a mark is sent after every 200 ms of audio
/// and at every end. Its name contains a generation, which changes when audio is cleared: a carrier
/// returns the marks of an older generation at a clear, and they are ignored. For one thread.
final class PlayoutLedger {
  /// Bytes per millisecond of µ-law audio with 8,000 samples a second.
  static final int BYTES_PER_MS = 8;

  private static final int MARK_EVERY = 200 * BYTES_PER_MS;

  private final Deque<Piece> pieces = new ArrayDeque<>(); // not heard completely, in order
  private final Map<String, Long> marks = new LinkedHashMap<>(); // of this generation: bytes before
  private int generation = 1;
  private int marksMade;
  private long sent; // bytes of this generation
  private long marked; // of them before the latest mark
  private long heard; // of them
  private @Nullable Source latest; // of the latest audio
  private long ofLatest; // bytes of it in all

  /// The content of audio.
  enum Kind {
    ANSWER,
    FIRST_MESSAGE,
    FAREWELL,
    PROGRESS,
    REASSURANCE,
    /// Words of the runtime, such as a question for consent.
    NOTICE,
    /// Words that the caller must hear and cannot interrupt.
    DISCLOSURE,
    /// A tone while there is no session.
    TONE;

    /// The word in the events of a call, such as `first_message`.
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The source of audio.
  ///
  /// @param aside whether it is outside the engine's conversation
  record Source(String response, String item, int content, Kind kind, boolean aside) {}

  /// A message to the carrier.
  sealed interface Out {
    /// Audio.
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Media(byte[] audio) implements Out {}

    /// A mark after it.
    record Mark(String name) implements Out {}
  }

  /// How much of some audio was heard when the rest was dropped.
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

  /// Adds an engine's audio; returns the messages to send.
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

  /// The mark at the end of a response, unless the last message is one.
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

  /// Handles an echoed mark; false if it is outdated.
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

  /// Whether all sent audio was heard.
  boolean idle() {
    return heard == sent;
  }

  /// Whether audio of that response is not heard completely.
  boolean isPlaying(String response) {
    return pieces.stream().anyMatch(piece -> piece.source.response().equals(response));
  }

  /// Whether audio of that kind is not heard completely.
  boolean isPlaying(Kind kind) {
    return pieces.stream().anyMatch(piece -> piece.source.kind() == kind);
  }

  /// Whether all unheard audio has that kind.
  boolean isOnly(Kind kind) {
    return pieces.stream().allMatch(piece -> piece.source.kind() == kind);
  }

  /// The length of unheard audio, in milliseconds.
  int ahead() {
    return (int) ((sent - heard) / BYTES_PER_MS);
  }

  /// Drops unheard audio, and begins a new generation; returns what was cut, in order.
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
