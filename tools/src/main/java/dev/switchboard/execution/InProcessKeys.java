package dev.switchboard.execution;

import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// The keys under which principals began conversations. Thread-safe.
final class InProcessKeys {
  private final Places places = new Places(Bound.KEYS);
  private final Map<Key, Keyed> keys = new LinkedHashMap<>(); // the oldest first; guarded by this

  private record Key(String principal, String text) {}

  /// The conversation that a key stands for.
  private record Keyed(String conversation, Instant created, Places.Place place) {}

  /// The conversation that the key stands for: that one, if it is new. The oldest key of the same
  /// principal makes room; if it has none, the key is not kept.
  ///
  /// @param since older keys are forgotten
  synchronized String keyed(
      String principal, String text, String conversation, Instant since, Instant now) {
    forgetOlder(since);
    Key key = new Key(principal, text);
    Keyed known = keys.get(key);
    if (known != null) {
      return known.conversation;
    }
    if (places.isFull(principal) && places.of(principal) > 0) {
      forgetOldest(principal);
    }
    if (!places.isFull(principal)) {
      keys.put(key, new Keyed(conversation, now, places.enter(principal)));
    }
    return conversation;
  }

  /// Forgets the keys that stand for that conversation.
  synchronized void forget(String conversation) {
    keys.values()
        .removeIf(entry -> {
          boolean gone = entry.conversation.equals(conversation);
          if (gone) {
            entry.place.close();
          }
          return gone;
        });
  }

  private void forgetOlder(Instant since) {
    Iterator<Keyed> oldestFirst = keys.values().iterator();
    while (oldestFirst.hasNext()) {
      Keyed oldest = oldestFirst.next();
      if (!oldest.created.isBefore(since)) {
        return;
      }
      oldest.place.close();
      oldestFirst.remove();
    }
  }

  private void forgetOldest(String principal) {
    Iterator<Map.Entry<Key, Keyed>> oldestFirst = keys.entrySet().iterator();
    while (oldestFirst.hasNext()) {
      Map.Entry<Key, Keyed> oldest = oldestFirst.next();
      if (oldest.getKey().principal.equals(principal)) {
        oldest.getValue().place.close();
        oldestFirst.remove();
        return;
      }
    }
  }
}
