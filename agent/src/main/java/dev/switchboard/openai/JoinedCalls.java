package dev.switchboard.openai;

import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tool calls joined from their fragments, in the order of their `index`, or else in the order in
/// which they began.
///
/// A fragment belongs to the call of its `index`. Servers deviate: some omit the index, or use one
/// for all calls of a reply; some repeat the id and name in every fragment, send them late, or the
/// name in pieces.
final class JoinedCalls {
  private final List<CallFragments> calls = new ArrayList<>();
  private final Map<Integer, CallFragments> byIndex = new HashMap<>();

  /// Adds the fragments of one chunk.
  void add(JsonNode fragments) {
    int before = calls.size();
    for (JsonNode fragment : fragments) {
      JsonNode index = fragment.path("index");
      CallFragments call = find(fragment, before);
      if (call == null) {
        call = new CallFragments(index.isInt() ? index.intValue() : latest());
        calls.add(call);
      }
      if (index.isInt()) {
        byIndex.put(index.intValue(), call);
      }
      call.add(fragment);
    }
  }

  /// The call that the fragment continues, null if it begins another.
  ///
  /// @param before how many calls there were before its chunk
  private @Nullable CallFragments find(JsonNode fragment, int before) {
    String id = fragment.path("id").asString("");
    JsonNode index = fragment.path("index");
    CallFragments known = index.isInt() ? byIndex.get(index.intValue()) : lately(id);
    if (known == null || known.isAnother(id)) {
      return null;
    }
    boolean named = !CallFragments.name(fragment).isEmpty();
    boolean begunInThisChunk = calls.indexOf(known) >= before;
    boolean sameId = !id.isEmpty() && known.has(id);
    boolean continued = index.isInt() && id.isEmpty() && known.awaitsName();
    boolean another = begunInThisChunk || !continued && known.isOver(fragment);
    return named && !sameId && another ? null : known;
  }

  /// The index of the call that began last, which a call without an index follows.
  private int latest() {
    return calls.isEmpty() ? 0 : calls.getLast().order();
  }

  /// The call of that id, or else the last one.
  private @Nullable CallFragments lately(String id) {
    for (CallFragments call : calls) {
      if (call.has(id)) {
        return call;
      }
    }
    return calls.isEmpty() ? null : calls.getLast();
  }

  List<RequestedCall> list() {
    return calls.stream()
        .sorted(Comparator.comparingInt(CallFragments::order))
        .map(CallFragments::call)
        .toList();
  }
}
