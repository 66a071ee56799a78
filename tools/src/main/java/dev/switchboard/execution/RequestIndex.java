package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// The open requests of conversations in memory in the order in which they expire: of all, and of
/// each principal. Thread-safe; the changes of one conversation are made one after the other.
final class RequestIndex {
  private static final String ALL = ""; // no principal's name

  private final ConcurrentSkipListMap<Key, ConsentRequest> open =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(Key::owner).thenComparing(Key::position, Position.ASCENDING));

  private record Key(String owner, Position position) {}

  /// Replaces the requests of a conversation of that principal.
  void replace(String principal, List<ConsentRequest> before, List<ConsentRequest> next) {
    if (!before.equals(next)) {
      for (String owner : List.of(ALL, principal)) {
        before.forEach(request -> open.remove(new Key(owner, Position.of(request))));
        next.forEach(request -> open.put(new Key(owner, Position.of(request)), request));
      }
    }
  }

  /// The selected requests.
  List<ConsentRequest> selected(Selection selection) {
    String owner = selection.principal() == null ? ALL : selection.principal();
    Position before = selection.before();
    Map<Key, ConsentRequest> rest =
        before == null
            ? open.tailMap(new Key(owner, Position.FIRST))
            : open.tailMap(new Key(owner, before), false);
    return rest.entrySet().stream()
        .takeWhile(one -> one.getKey().owner.equals(owner))
        .limit(selection.most())
        .map(Map.Entry::getValue)
        .toList();
  }
}
