package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The remaining operations of a tool, and the arguments that may name one.
///
/// @param members the stated argument, or the usual ones
/// @param allowed in the rule's order
record Operations(List<String> members, Set<String> allowed) {
  private static final List<String> USUAL = List.of("operation", "op");

  static Operations of(@Nullable String stated, List<String> allowed) {
    return new Operations(members(stated), new LinkedHashSet<>(allowed));
  }

  static List<String> members(@Nullable String stated) {
    return stated == null ? USUAL : List.of(stated);
  }

  /// The operations that both allow.
  Operations and(Operations other) {
    Set<String> both = new LinkedHashSet<>(allowed);
    both.retainAll(other.allowed);
    return new Operations(members, both);
  }

  /// The requested operation that is not allowed, or null. If both usual members are present, both
  /// have to be allowed, since only the tool knows which one it reads.
  @Nullable String refused(Json arguments) {
    if (arguments.text().isEmpty()) {
      return null;
    }
    JsonNode tree;
    try {
      tree = arguments.tree();
    } catch (JsonException e) {
      // Their own check refuses them.
      return null;
    }
    for (String member : members) {
      JsonNode operation = tree.path(member);
      if (!operation.isMissingNode() && !allowed.contains(word(operation))) {
        return word(operation);
      }
    }
    return null;
  }

  /// The operation as a word: for an object its tag's.
  static String word(JsonNode operation) {
    JsonNode tag = operation.path(Records.TYPE);
    JsonNode word = tag.isString() ? tag : operation;
    return word.isString() ? word.stringValue() : word.toString();
  }
}
