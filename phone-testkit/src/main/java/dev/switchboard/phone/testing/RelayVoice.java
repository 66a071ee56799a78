package dev.switchboard.phone.testing;

import java.util.ArrayList;
import java.util.List;

/// The carrier's voice in a relay session: it speaks the agent's words at 14 characters a second of
/// the simulator's clock.
///
/// For the session's thread.
final class RelayVoice {
  static final int CHARACTERS_A_SECOND = 14;

  private static final int PATIENCE = 7; // characters without a token until it is silent, a guess

  private final SimulatedCall call;
  private final RelayReports reports;
  private final long character; // nanoseconds that one takes
  private final TalkCycles cycles = new TalkCycles();
  private final List<Cue> cues = new ArrayList<>();
  private boolean speaks; // as far as it is reported
  private boolean sounds; // whether words are spoken
  private long due; // when a character will have been spoken; without words, when one would have

  /// What is done once words were spoken.
  private record Cue(String after, Runnable step) {}

  RelayVoice(SimulatedCall call, RelayReports reports, long character) {
    this.call = call;
    this.reports = reports;
    this.character = character;
  }

  void add(String token, boolean last, boolean interruptible) {
    cycles.add(token, last, interruptible);
  }

  /// Runs that as soon as these words of a response were spoken.
  void after(String words, Runnable step) {
    if (cycles.spoken().contains(words)) {
      step.run();
    } else {
      cues.add(new Cue(words, step));
    }
  }

  boolean speaks() {
    return speaks;
  }

  /// Whether input of the caller may stop it.
  boolean isInterruptible() {
    return speaks && cycles.isInterruptible();
  }

  /// Speaks what is due.
  void speak() {
    if (cycles.hasNext() && !sounds) {
      sounds = true;
      due = System.nanoTime() + character;
      if (!speaks) {
        speaks = true;
        reports.speaker("agentSpeaking", true);
      }
    }
    while (cycles.hasNext() && System.nanoTime() - due >= 0) {
      cycles.next(call.recorder().at(due - character));
      due += character;
      giveCues();
      if (cycles.isOver()) {
        endCycle();
      }
    }
    if (cycles.isOver()) {
      endCycle();
    }
    fallSilent();
  }

  private void giveCues() {
    String spoken = cycles.spoken();
    List<Cue> given = cues.stream().filter(cue -> spoken.endsWith(cue.after)).toList();
    cues.removeAll(given);
    given.forEach(cue -> cue.step.run());
  }

  private void endCycle() {
    HeardWords words = cycles.end(call.recorder().at(due - character));
    if (!words.words().isEmpty()) {
      reports.played(words.words());
      call.heard(words);
    }
  }

  private void fallSilent() {
    sounds = sounds && cycles.hasNext();
    boolean waits = !cycles.isEmpty() && System.nanoTime() - due < PATIENCE * character;
    if (speaks && !sounds && !waits) {
      speaks = false;
      reports.speaker("agentSpeaking", false);
    }
  }

  /// Stops, since the caller has interrupted it, and drops the words that wait.
  void interrupt() {
    long spoken = cycles.spoken().length();
    reports.interrupt(cycles.wholeWords(), spoken * 1_000 / CHARACTERS_A_SECOND);
    stop();
    fallSilent();
  }

  /// Stops.
  void stop() {
    if (!cycles.isEmpty()) {
      endCycle();
    }
    cycles.clear();
  }

  /// The time until it has something to do, in nanoseconds.
  long untilNext() {
    return cycles.hasNext() ? Math.max(0, sounds ? due - System.nanoTime() : 0) : Long.MAX_VALUE;
  }

  /// The number of characters that wait.
  int waiting() {
    return cycles.waiting();
  }
}
