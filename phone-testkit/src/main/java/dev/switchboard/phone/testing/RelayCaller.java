package dev.switchboard.phone.testing;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The caller in a relay session: what is said, word after word, and what the carrier understands.
///
/// For the session's thread.
final class RelayCaller {
  private static final int NOISE = 5; // characters of speech that a noise takes
  private static final Set<String> BACKCHANNEL =
      Set.of("mhm", "uh-huh", "okay", "ok", "yeah", "yes", "right", "i see", "hm");

  private final RelayVoice voice;
  private final RelayReports reports;
  private final RelaySettings settings;
  private final long character; // nanoseconds that one takes
  private final Runnable onSaid;
  private final ArrayDeque<Utterance> waiting = new ArrayDeque<>();
  private @Nullable Utterance current;
  private long due; // when a word will have been said

  /// What the caller says without a pause.
  private static final class Utterance {
    final List<String> words;
    int said; // words
    boolean reported;

    Utterance(String text) {
      words = text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }

    String text(int count) {
      return String.join(" ", words.subList(0, count));
    }

    boolean isBackchannel() {
      String plain = text(words.size()).toLowerCase(Locale.ROOT);
      return BACKCHANNEL.contains(plain.replaceAll("[.,!?]", ""));
    }
  }

  /// @param onSaid runs after each utterance
  RelayCaller(
      RelayVoice voice,
      RelayReports reports,
      RelaySettings settings,
      long character,
      Runnable onSaid) {
    this.voice = voice;
    this.reports = reports;
    this.settings = settings;
    this.character = character;
    this.onSaid = onSaid;
  }

  /// Says words, after earlier ones.
  void say(String words) {
    waiting.add(new Utterance(words));
    speak();
  }

  void press(char key) {
    if (voice.isInterruptible() && settings.isInterruptedBy("dtmf")) {
      voice.interrupt();
    }
    if (settings.detectsKeys() && (!voice.speaks() || settings.reports("dtmf"))) {
      reports.key(key);
    }
  }

  /// Says what is due.
  void speak() {
    if (current == null && !waiting.isEmpty()) {
      begin(waiting.remove());
    }
    for (Utterance now = current; now != null && System.nanoTime() - due >= 0; now = current) {
      if (now.said < now.words.size()) {
        now.said++;
      }
      if (now.said < now.words.size()) {
        due += length(now);
        prompt(now, false);
      } else {
        end(now);
      }
    }
  }

  private void begin(Utterance next) {
    current = next;
    due = System.nanoTime() + length(next);
    reports.speaker("clientSpeaking", true);
    // What counts as agreement neither interrupts nor begins a turn.
    boolean ignored = voice.speaks() && settings.ignoresBackchannel() && next.isBackchannel();
    if (!ignored && voice.isInterruptible() && settings.isInterruptedBy("speech")) {
      voice.interrupt();
    }
    next.reported = !ignored && (!voice.speaks() || settings.reports("speech"));
  }

  private void end(Utterance now) {
    current = null;
    reports.speaker("clientSpeaking", false);
    prompt(now, true);
    onSaid.run();
    if (!waiting.isEmpty()) {
      begin(waiting.remove());
    }
  }

  private void prompt(Utterance now, boolean last) {
    if (now.reported && now.said > 0 && (last || settings.sendsPartials())) {
      reports.prompt(now.text(now.said), last);
    }
  }

  private long length(Utterance now) {
    return character * (now.words.isEmpty() ? NOISE : now.words.get(now.said).length() + 1);
  }

  /// The time until the next word was said, in nanoseconds.
  long untilNext() {
    return current == null ? Long.MAX_VALUE : Math.max(0, due - System.nanoTime());
  }
}
