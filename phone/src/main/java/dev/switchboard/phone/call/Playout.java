package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.audio.Tone;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Out;
import dev.switchboard.phone.call.PlayoutLedger.Pace;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The agent's voice on the line: the audio or the words that are sent, and what of them was heard.
///
/// For the actor's thread.
final class Playout {
  private static final Source TONE = new Source("tone", "tone", 0, Kind.TONE, true);

  private final CallContext call;
  private final PlayoutLedger ledger;
  private final SentWords words = new SentWords();
  private boolean interruptible; // the latest words
  private @Nullable Line line;
  private Runnable progress = () -> {};
  private Time.Alarm tone = Time.Alarm.NONE;
  private Time.Alarm watchdog = Time.Alarm.NONE; // for marks that are not echoed
  private long audible; // nanos when the caller last heard the agent

  Playout(CallContext call, Pace pace) {
    this.call = call;
    ledger = new PlayoutLedger(pace);
    audible = call.nanos();
  }

  /// @param heardMore runs when audio counts as heard without an echo
  void connect(Line connected, Runnable heardMore) {
    line = connected;
    progress = heardMore;
  }

  boolean isConnected() {
    return line != null;
  }

  void disconnect() {
    line = null;
    tone.cancel();
    watchdog.cancel();
    List<Cut> unused = ledger.clear();
  }

  /// Closes the line.
  ///
  /// @param code of WebSocket (RFC 6455, 7.4)
  void close(int code, String reason) {
    Line out = line;
    disconnect();
    if (out != null) {
      out.close(code, reason);
    }
  }

  /// Sends audio.
  void play(Source source, byte[] audio) {
    boolean first = ledger.idle();
    send(ledger.play(source, audio, call.nanos()));
    if (first) {
      watch();
    }
  }

  /// Sends words, which the carrier speaks.
  void say(Source source, String more) {
    boolean first = ledger.idle();
    if (first) {
      words.clear(ledger.sent());
    }
    words.add(more, call.nanos());
    interruptible = source.kind() != Kind.DISCLOSURE;
    send(ledger.say(source, more, call.nanos()));
    if (first) {
      watch();
    }
  }

  /// The carrier has spoken until here, or the caller has spoken over it.
  ///
  /// @return whether more counts as heard
  boolean spoken() {
    boolean all = line instanceof TextLine text && text.speaksAtOnce();
    return (all || words.canHaveEnded(call.nanos())) && heardTo(ledger.sent());
  }

  /// The caller has spoken over the agent's words, whose rest is not spoken.
  ///
  /// @param heard the words that were spoken, empty if the carrier does not state them
  /// @param milliseconds until then, 0 if it does not
  /// @return what was cut, in order
  List<Cut> interrupted(String heard, int milliseconds) {
    boolean unused = heardTo(words.position(heard, milliseconds));
    watchdog.cancel();
    audible = call.nanos();
    words.clear(0);
    return ledger.clear();
  }

  /// How long the carrier needs for the words that it has not spoken, zero on a line of audio.
  Duration untilSpoken() {
    return line instanceof TextLine && !ledger.idle()
        ? Duration.ofNanos(Math.max(0, ledger.ended() - call.nanos()))
        : Duration.ZERO;
  }

  private boolean heardTo(long position) {
    return heard(ledger.heardTo(position, call.nanos()));
  }

  /// @param more whether that is more than before, which it returns
  private boolean heard(boolean more) {
    if (more) {
      audible = call.nanos();
      watch();
    }
    return more;
  }

  /// A response has ended.
  void end() {
    send(ledger.end());
  }

  private void send(List<Out> pieces) {
    Line out = line;
    if (out == null) {
      return;
    }
    for (Out piece : pieces) {
      switch (out) {
        case AudioLine audio -> send(audio, piece);
        case TextLine text -> send(text, piece);
      }
    }
  }

  private static void send(AudioLine out, Out piece) {
    switch (piece) {
      case Out.Media(byte[] audio) -> out.play(audio);
      case Out.Mark(String name) -> out.mark(name);
      case Out.Words unspoken -> {}
    }
  }

  private void send(TextLine out, Out piece) {
    switch (piece) {
      case Out.Words(String more) -> out.say(more, false, interruptible);
      case Out.Mark end -> out.say("", true, interruptible);
      case Out.Media unplayed -> {}
    }
  }

  /// Waits for the next moment at which audio must have been heard.
  private void watch() {
    watchdog.cancel();
    if (line != null && !ledger.idle()) {
      watchdog = call.after(Duration.ofNanos(ledger.overdue() - call.nanos()), this::presume);
    }
  }

  private void presume() {
    String lost = ledger.presume(call.nanos());
    if (lost != null) {
      audible = Math.max(audible, ledger.idle() ? ledger.ended() : call.nanos());
      if (!lost.isEmpty()) {
        call.note("mark_lost", Codec.object().put("name", lost));
      }
      progress.run();
    }
    watch();
  }

  /// Sends a soft tone until [#endTone].
  void beginTone() {
    if (line instanceof AudioLine && !call.isOver()) {
      play(TONE, Tone.soft());
      end();
      tone = call.after(Tone.SOFT_PERIOD, this::beginTone);
    }
  }

  void endTone() {
    tone.cancel();
    if (ledger.isOnly(Kind.TONE)) {
      List<Cut> unused = clear();
    }
  }

  /// The carrier has played up to that mark; false if it is outdated.
  boolean played(String mark) {
    return heard(ledger.played(mark, call.nanos()));
  }

  /// Drops unheard audio; returns what was cut, in order.
  List<Cut> clear() {
    Line out = line;
    if (out == null || ledger.idle()) {
      return List.of();
    }
    if (out instanceof AudioLine audio) {
      audio.clear();
    }
    words.clear(0);
    watchdog.cancel();
    audible = call.nanos();
    return ledger.clear();
  }

  /// Whether all sent audio was heard, or counts as heard.
  boolean idle() {
    return ledger.idle();
  }

  /// Whether the carrier says that all sent audio was heard.
  boolean isEchoed() {
    return ledger.isEchoed();
  }

  /// Whether audio of that response is not heard completely.
  boolean isPlaying(String response) {
    return ledger.isPlaying(response);
  }

  /// Whether audio of that kind is not heard completely.
  boolean isPlaying(Kind kind) {
    return ledger.isPlaying(kind);
  }

  /// The length of unheard audio, in milliseconds.
  int ahead() {
    return ledger.ahead();
  }

  /// When the caller last heard the agent, in nanoseconds.
  long audible() {
    return ledger.idle() ? audible : call.nanos();
  }
}
