package dev.switchboard.phone.call;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The transcription of the caller's speech. The words of an item of the engine may arrive before
/// or after the turn that it begins; once both are there, they are stored and checked by the
/// guardrails.
///
/// For the actor's thread.
final class Transcription {
  private static final int MOST_ITEMS = 100;

  private final CallContext call;
  private final ResponsePlayer player;
  private final CallJournal journal;
  private final Map<String, Integer> turns = latest(); // by item, of words that have not arrived
  private final Map<String, String> early = latest(); // words by item, whose turn has not begun

  Transcription(CallContext call, ResponsePlayer player, CallJournal journal) {
    this.call = call;
    this.player = player;
    this.journal = journal;
  }

  /// A map that keeps the latest items of an engine.
  private static <V> Map<String, V> latest() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MOST_ITEMS;
      }
    };
  }

  /// The speech of that item has begun a turn.
  void begun(String item, int turn) {
    String words = early.remove(item);
    if (words == null) {
      turns.put(item, turn);
    } else {
      understood(turn, words);
    }
  }

  /// The words of that item have arrived.
  ///
  /// @param text empty or null if they were not understood
  void arrived(String item, @Nullable String text) {
    String words = text == null || text.isBlank() ? TurnInput.NOT_UNDERSTOOD : text;
    call.record().line("caller", journal.shown(words));
    Integer turn = turns.remove(item);
    if (turn != null) {
      understood(turn, words);
    } else {
      early.put(item, words);
    }
  }

  private void understood(int turn, String words) {
    journal.understood(turn, words, player::guarded);
  }
}
