package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.Medium;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What was sent to the caller, and how much of it was heard: bytes of audio, or characters of a
/// text that the carrier speaks.
///
/// The carrier reports what was heard of audio by echoing marks; a mark is sent after every 200 ms
/// of audio and at every end. Its name contains a generation, which changes when audio is cleared:
/// a carrier returns the marks of an older generation at a clear, and they are ignored.
///
/// An echo may be lost. Some seconds after audio must have ended by its length it counts as heard,
/// until a later echo shows that the carrier is behind. A cut only relies on echoes. For one
/// thread; times are those of [dev.switchboard.time.Time#nanos()].
final class PlayoutLedger {
  /// Bytes per millisecond of µ-law audio with 8,000 samples a second.
  static final int BYTES_PER_MS = 8;

  private static final int MOST_UNECHOED = 1_000; // that count as heard

  private final Pace pace;
  private final Deque<Piece> pieces = new ArrayDeque<>(); // not echoed completely, in order
  private final Map<String, Mark> marks = new LinkedHashMap<>(); // of this generation, in order
  private int generation = 1;
  private int marksMade;
  private long sent; // bytes of this generation
  private long marked; // of them before the latest mark
  private long heard; // of them, by echoes
  private long presumed; // of them, by their length, since the latest echo
  private long ends; // nanos when all that was sent must have ended
  private @Nullable Source latest; // of the latest audio
  private long ofLatest; // bytes of it in all

  /// How fast what is sent is heard.
  enum Pace {
    AUDIO(1_000_000 / BYTES_PER_MS, 3_000_000_000L, 200 * BYTES_PER_MS, BYTES_PER_MS),
    TEXT(1_000_000_000L / 14, 1_000_000_000L, Integer.MAX_VALUE, 1);

    private final long nanos;
    private final long margin;
    private final int markEvery;
    private final int perCut;

    /// The pace of a medium.
    static Pace of(Medium medium) {
      return switch (medium) {
        case Medium.Audio audio -> AUDIO;
        case Medium.Text text -> TEXT;
      };
    }

    /// @param nanos of a byte or character
    /// @param margin nanos after the end of what was sent without an echo
    /// @param markEvery bytes after which a mark is sent
    /// @param perCut bytes or characters in a unit of [Cut]
    Pace(long nanos, long margin, int markEvery, int perCut) {
      this.nanos = nanos;
      this.margin = margin;
      this.markEvery = markEvery;
      this.perCut = perCut;
    }
  }

  PlayoutLedger(Pace pace) {
    this.pace = pace;
  }

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

    /// Words.
    record Words(String words) implements Out {}

    /// A mark after it.
    record Mark(String name) implements Out {}
  }

  /// How much of a source was heard when the rest was dropped: milliseconds of audio, rounded down,
  /// or characters.
  record Cut(Source source, int sent, int heard) {}

  /// A mark that was not echoed.
  ///
  /// @param position bytes before it
  /// @param due when they must have been played
  private record Mark(long position, long due) {}

  private final class Piece {
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
          source, (int) ((before + end - start) / pace.perCut), (int) (ofSource / pace.perCut));
    }
  }

  /// Adds an engine's audio; returns the messages to send.
  List<Out> play(Source source, byte[] audio, long now) {
    if (audio.length == 0) {
      return List.of();
    }
    Piece piece = piece(source, now);
    List<Out> out = new ArrayList<>();
    int from = 0;
    while (from < audio.length) {
      int length = (int) Math.min(audio.length - from, marked + pace.markEvery - sent);
      boolean whole = length == audio.length;
      out.add(new Out.Media(whole ? audio : Arrays.copyOfRange(audio, from, from + length)));
      from += length;
      add(piece, length);
      if (sent - marked == pace.markEvery) {
        out.add(mark());
      }
    }
    return out;
  }

  /// Adds words that the carrier speaks; returns the messages to send.
  List<Out> say(Source source, String words, long now) {
    if (words.isEmpty()) {
      return List.of();
    }
    add(piece(source, now), words.length());
    return List.of(new Out.Words(words));
  }

  private Piece piece(Source source, long now) {
    if (sent == 0 || ends - now < 0) {
      ends = now;
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
    return piece;
  }

  private void add(Piece piece, int length) {
    ofLatest += length;
    sent += length;
    ends += length * pace.nanos;
    piece.end = sent;
  }

  /// The mark at the end of a response, unless the last message is one.
  List<Out> end() {
    return sent == marked ? List.of() : List.of(mark());
  }

  private Out.Mark mark() {
    marksMade++;
    String name = "g" + generation + "." + marksMade;
    marks.put(name, new Mark(sent, ends));
    marked = sent;
    return new Out.Mark(name);
  }

  /// Handles an echoed mark; false if it is outdated.
  boolean played(String mark, long now) {
    Mark echoed = marks.get(mark);
    return echoed != null && heardTo(echoed.position, now);
  }

  /// Handles that the caller has heard that many bytes or characters of this generation; false if
  /// that is outdated.
  boolean heardTo(long position, long now) {
    if (position <= heard || position > sent) {
      return false;
    }
    heard = position;
    presumed = heard;
    marks.values().removeIf(other -> other.position <= heard);
    // The carrier may be behind: the rest is played from here on at the earliest.
    marks.replaceAll(
        (name, other) -> new Mark(other.position, later(other.due, other.position, now)));
    ends = later(ends, sent, now);
    while (!pieces.isEmpty() && pieces.getFirst().end <= heard) {
      pieces.removeFirst();
    }
    return true;
  }

  private long later(long due, long position, long now) {
    long fromHere = now + (position - heard) * pace.nanos;
    return fromHere - due > 0 ? fromHere : due;
  }

  /// Counts audio as heard that must have ended three seconds ago.
  ///
  /// @return the latest mark that was lost with it, empty for audio without a mark, null for none
  @Nullable String presume(long now) {
    long before = presumed;
    String lost = "";
    for (Map.Entry<String, Mark> mark : marks.entrySet()) {
      if (mark.getValue().position > presumed && isOverdue(mark.getValue().due, now)) {
        presumed = mark.getValue().position;
        lost = mark.getKey();
      }
    }
    if (isOverdue(ends, now)) {
      presumed = sent;
    }
    marks.values().removeIf(mark -> marks.size() > MOST_UNECHOED && mark.position <= presumed);
    pieces.removeIf(piece -> pieces.size() > MOST_UNECHOED && piece.end <= presumed);
    return presumed == before ? null : lost;
  }

  private boolean isOverdue(long due, long now) {
    return now - due - pace.margin >= 0;
  }

  /// When [#presume] has an effect next, without an echo until then; only if not idle.
  long overdue() {
    for (Mark mark : marks.values()) {
      if (mark.position > presumed) {
        return mark.due + pace.margin;
      }
    }
    return ends + pace.margin;
  }

  /// Whether all sent audio was heard, or counts as heard.
  boolean idle() {
    return presumed == sent;
  }

  /// Whether echoes say that all sent audio was heard.
  boolean isEchoed() {
    return heard == sent;
  }

  /// How much was sent in this generation, bytes or characters.
  long sent() {
    return sent;
  }

  /// When the audio that counts as heard without an echo must have ended.
  long ended() {
    return ends;
  }

  /// Whether audio of that response is not heard completely.
  boolean isPlaying(String response) {
    return playing().anyMatch(piece -> piece.source.response().equals(response));
  }

  /// Whether audio of that kind is not heard completely.
  boolean isPlaying(Kind kind) {
    return playing().anyMatch(piece -> piece.source.kind() == kind);
  }

  /// Whether all unheard audio has that kind.
  boolean isOnly(Kind kind) {
    return playing().allMatch(piece -> piece.source.kind() == kind);
  }

  private Stream<Piece> playing() {
    return pieces.stream().filter(piece -> piece.end > presumed);
  }

  /// How much is unheard: milliseconds of audio, or characters.
  int ahead() {
    return (int) ((sent - presumed) / pace.perCut);
  }

  /// Drops unheard audio, and begins a new generation; returns what was cut, in order.
  List<Cut> clear() {
    List<Cut> cuts = playing().map(piece -> piece.cut(heard)).toList();
    pieces.clear();
    marks.clear();
    generation++;
    sent = 0;
    marked = 0;
    heard = 0;
    presumed = 0;
    latest = null;
    return cuts;
  }
}
