package dev.switchboard.phone.call;

import dev.switchboard.guard.Screen;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A response of the engine: what has arrived of it, and what was heard.
///
/// For one thread.
final class SpokenResponse {
  private static final String CUT_OFF = " [a guardrail cut this off]";
  private static final int MOST_WORDS = 100_000; // characters: hours of speech

  final String id;
  final Wanted wanted;
  final int turn; // in which it began
  final List<RequestedCall> calls = new ArrayList<>();
  private final Map<String, StringBuilder> words = new LinkedHashMap<>(); // by item
  private int characters; // of all words
  private int bytes; // of audio
  private int spoken; // characters that the carrier speaks
  private boolean answers; // whether more than a preamble was sent
  private int unheard; // milliseconds of audio, or characters
  private boolean cut;
  boolean silenced; // further audio is not played
  boolean timedOut; // the engine sent nothing more
  @Nullable Place written; // in the transcript
  @Nullable ModelReply reply; // of the agent's model
  private @Nullable Screen screen; // null if no guardrail checks its words
  private boolean streamed; // whether words went through it
  private boolean guarded; // whether a guardrail has ended it
  private boolean over;
  private boolean reported;

  SpokenResponse(String response, Wanted wanted, int turn) {
    this.turn = turn;
    this.id = response;
    this.wanted = wanted;
  }

  /// Sets the screen for its words.
  void screenWith(@Nullable Screen all) {
    screen = all;
  }

  /// The substitute for the rest of the words, from now on; null if no guardrail matches, or one
  /// did before.
  @Nullable String refusal(String delta) {
    if (screen == null || guarded) {
      return null;
    }
    streamed = true;
    screen.text(delta);
    return screen.substitute();
  }

  /// The substitute after the last words, as of [#refusal].
  @Nullable String lastRefusal() {
    if (screen == null || guarded) {
      return null;
    }
    String unused = screen.finish(streamed ? "" : text());
    return screen.substitute();
  }

  /// A guardrail has ended it.
  void guard() {
    guarded = true;
  }

  boolean isGuarded() {
    return guarded;
  }

  /// Its words for the transcript; if a guardrail has ended it, those that were heard.
  String transcriptText() {
    return guarded ? heardText() : text();
  }

  /// The position of a reply in the transcript.
  record Place(int turn, int round) {}

  void words(String item, String delta) {
    int taken = Math.min(MOST_WORDS - characters, delta.length());
    if (taken > 0) {
      words.computeIfAbsent(item, id -> new StringBuilder()).append(delta, 0, taken);
      characters += taken;
    }
  }

  /// All words of an item; its deltas may be incomplete.
  void allWords(String item, String text) {
    StringBuilder deltas = words.get(item);
    if (deltas != null) {
      characters -= deltas.length();
      deltas.setLength(0);
    }
    words(item, text);
  }

  void audio(int length) {
    bytes += length;
  }

  /// Words that the carrier speaks.
  void spoken(String item, String more) {
    words(item, more);
    spoken += more.length();
  }

  /// Whether the caller gets something to hear of it.
  boolean hasAudio() {
    return bytes > 0 || spoken > 0;
  }

  /// Whether what is sent now is the beginning of it, or of what follows its preamble.
  boolean begins(boolean preamble) {
    boolean begins = preamble ? !hasAudio() : !answers;
    answers |= !preamble;
    return begins;
  }

  void cut(Cut rest) {
    cut = true;
    unheard += rest.sent() - rest.heard();
  }

  boolean isCut() {
    return cut;
  }

  /// It has ended.
  void end() {
    over = true;
  }

  /// Whether it has ended.
  boolean isOver() {
    return over;
  }

  /// Whether its heard part can be reported now: once, after its end.
  boolean claimReport() {
    boolean now = over && !reported && !heardText().isEmpty();
    reported |= now;
    return now;
  }

  /// Its words.
  String text() {
    return String.join(" ", words.values()).strip();
  }

  /// The words that were heard, estimated by their share of the audio if the carrier does not speak
  /// them, and a note where they were cut.
  String heardText() {
    String text = text();
    if (guarded && !hasAudio()) {
      return "";
    }
    if (!cut || unheard == 0) {
      return guarded ? text + CUT_OFF : text;
    }
    int all = spoken > 0 ? spoken : bytes / PlayoutLedger.BYTES_PER_MS;
    int end = all == 0 ? 0 : (int) ((long) text.length() * Math.max(0, all - unheard) / all);
    int word = text.lastIndexOf(' ', end);
    String said = text.substring(0, Math.max(0, word)).strip();
    return said.isEmpty() ? "" : said + (guarded ? CUT_OFF : " [the caller interrupted here]");
  }
}
