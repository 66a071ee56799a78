package dev.switchboard.memory;

import dev.switchboard.mount.Places;
import dev.switchboard.text.MemoryOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The entries of an [InProcessMemory] and their vectors. What was said makes room, the oldest
/// first, for what is new of the same principal.
///
/// Not thread-safe: that memory guards it.
final class InProcessEntries {
  /// The memory that an object takes beside its texts, in characters.
  static final int OBJECT = 256;

  private final Places room;
  private final Map<String, SequencedMap<Key, Kept>> owners = new HashMap<>();
  private final Map<Long, Kept> numbers = new HashMap<>();
  private final Map<String, Said> said = new HashMap<>(); // by principal
  private long latest;

  /// @param room in characters, of principals
  InProcessEntries(Places room) {
    this.room = room;
  }

  private record Key(String domain, String id) {
    static Key of(Entry entry) {
      return new Key(entry.domain(), entry.id());
    }
  }

  private record Embedded(String model, VectorStore.Vector vector) {}

  /// What a principal's conversations said, the oldest first.
  private static final class Said {
    final SequencedSet<Kept> all = new LinkedHashSet<>();
    long characters;
  }

  /// An entry as it is kept.
  static final class Kept {
    final long number;
    final Ranking.Indexed indexed;
    private @Nullable Embedded embedded;

    private Kept(long number, Ranking.Indexed indexed) {
      this.number = number;
      this.indexed = indexed;
    }

    Entry entry() {
      return indexed.entry();
    }

    /// Its vector of that model, null for none.
    VectorStore.@Nullable Vector vector(String model) {
      Embedded known = embedded;
      return known == null || !known.model.equals(model) ? null : known.vector;
    }

    private boolean isSaid() {
      return entry().domain().equals(Entry.CONVERSATIONS);
    }

    private String principal() {
      return MemoryOwner.principal(entry().agent());
    }

    private long characters() {
      Entry entry = entry();
      long sum = (long) OBJECT + entry.text().length() + indexed.words().joined().length();
      sum += (long) entry.id().length() + entry.label().length();
      for (String tag : entry.tags()) {
        sum += (long) OBJECT / 8 + tag.length();
      }
      return embedded == null ? sum : sum + characters(embedded.vector);
    }

    private static long characters(VectorStore.Vector vector) {
      return OBJECT / 4 + 2L * vector.dimensions();
    }
  }

  /// Adds those that are new; returns their number. What was said is not kept where there is no
  /// room.
  ///
  /// @throws MemoryException when there is no room for another entry; then none is added
  int add(List<Ranking.Indexed> added) {
    List<Kept> kept = new ArrayList<>();
    try {
      for (Ranking.Indexed one : added) {
        Entry entry = one.entry();
        if (find(entry.agent(), entry.domain(), entry.id()) == null) {
          Kept made = new Kept(++latest, one);
          if (hasRoom(made)) {
            put(made);
            kept.add(made);
          }
        }
      }
    } catch (MemoryException full) {
      kept.stream().filter(one -> numbers.containsKey(one.number)).forEach(this::remove);
      throw full;
    }
    return kept.size();
  }

  private boolean hasRoom(Kept made) {
    boolean has = makeRoom(made.principal(), made.characters());
    if (!has && !made.isSaid()) {
      throw full(made.principal(), made.characters());
    }
    return has;
  }

  /// What is thrown where so many characters are too many.
  MemoryException full(String principal, long characters) {
    return new MemoryException(
        MemoryException.Kind.LIMIT_EXCEEDED,
        room.refusal(principal, characters) + " Delete what is no longer needed.");
  }

  /// Makes room for so many characters of that principal; false, without effect, if what it said
  /// does not take so many.
  boolean makeRoom(String principal, long characters) {
    return makeRoom(principal, characters, 0);
  }

  /// As the other.
  ///
  /// @param others how many characters the caller can free
  boolean makeRoom(String principal, long characters, long others) {
    if (room.refusal(principal, characters) == null) {
      return true;
    }
    Said own = said.get(principal);
    long most = others + (own == null ? 0 : own.characters);
    if (room.refusal(principal, characters - most) != null) {
      return false;
    }
    while (own != null && !own.all.isEmpty() && room.refusal(principal, characters) != null) {
      remove(own.all.getFirst());
    }
    return true;
  }

  private void put(Kept made) {
    Entry entry = made.entry();
    owners.computeIfAbsent(entry.agent(), any -> new LinkedHashMap<>()).put(Key.of(entry), made);
    numbers.put(made.number, made);
    if (made.isSaid()) {
      said.computeIfAbsent(made.principal(), any -> new Said()).all.add(made);
    }
    count(made, made.characters());
  }

  private void count(Kept kept, long more) {
    room.change(kept.principal(), more);
    Said own = said.get(kept.principal());
    if (kept.isSaid() && own != null) {
      own.characters += more;
    }
  }

  private void remove(Kept gone) {
    Entry entry = gone.entry();
    count(gone, -gone.characters());
    numbers.remove(gone.number);
    SequencedMap<Key, Kept> own = owned(entry.agent());
    own.remove(Key.of(entry));
    if (own.isEmpty()) {
      owners.remove(entry.agent());
    }
    Said words = said.get(gone.principal());
    if (words != null && words.all.remove(gone) && words.all.isEmpty()) {
      said.remove(gone.principal());
    }
  }

  private SequencedMap<Key, Kept> owned(String agent) {
    SequencedMap<Key, Kept> own = owners.get(agent);
    return own == null ? new LinkedHashMap<>() : own;
  }

  @Nullable Entry find(String agent, String domain, String id) {
    Kept found = owned(agent).get(new Key(domain, id));
    return found == null ? null : found.entry();
  }

  /// Deletes an entry; false if there is none.
  boolean delete(String agent, String domain, String id) {
    Kept gone = owned(agent).get(new Key(domain, id));
    if (gone != null) {
      remove(gone);
    }
    return gone != null;
  }

  /// Deletes the entries of that domain and label; returns their number.
  long deleteLabelled(String agent, String domain, String label) {
    List<Kept> gone = new ArrayList<>();
    for (Kept one : owned(agent).values()) {
      Entry entry = one.entry();
      if (entry.domain().equals(domain) && entry.label().equals(label)) {
        gone.add(one);
      }
    }
    gone.forEach(this::remove);
    return gone.size();
  }

  /// The agent's entries, in the order they were stored.
  List<Kept> of(String agent) {
    return List.copyOf(owned(agent).values());
  }

  /// The first of the agent's entries that have no vector of that model.
  List<VectorStore.Unembedded> unembedded(String agent, String model, long after, int most) {
    return owned(agent).values().stream()
        .filter(one -> one.number > after && one.vector(model) == null)
        .limit(most)
        .map(one -> new VectorStore.Unembedded(one.number, one.entry()))
        .toList();
  }

  /// Keeps the vector of the entry of that number, if there is one, and room.
  void embed(long number, String model, VectorStore.Vector vector) {
    Kept kept = numbers.get(number);
    if (kept == null) {
      return;
    }
    Embedded before = kept.embedded;
    long more = Kept.characters(vector) - (before == null ? 0 : Kept.characters(before.vector));
    // Making room may remove the entry itself.
    if (makeRoom(kept.principal(), more) && numbers.containsKey(number)) {
      kept.embedded = new Embedded(model, vector);
      count(kept, more);
    }
  }

  /// The owners of entries.
  Set<String> owners() {
    return owners.keySet();
  }
}
