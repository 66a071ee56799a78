package dev.switchboard.ruling;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The remaining operations of a tool, and the argument that names one.
///
/// @param allowed in the rule's order
record Operations(OperationArgument argument, Set<String> allowed) {
  static Operations of(OperationArgument argument, List<String> allowed) {
    return new Operations(argument, new LinkedHashSet<>(allowed));
  }

  /// The operations that both allow.
  Operations and(Operations other) {
    Set<String> both = new LinkedHashSet<>(allowed);
    both.retainAll(other.allowed);
    return new Operations(argument, both);
  }

  /// The requested operation that is not allowed, or null. If both usual members are present, both
  /// have to be allowed, since only the tool knows which one it reads.
  @Nullable String refused(Json arguments) {
    JsonNode tree;
    try {
      tree = arguments.text().isEmpty() ? Codec.object() : arguments.tree();
    } catch (JsonException e) {
      // Their own check refuses them.
      return null;
    }
    for (String member : argument.members()) {
      for (String operation : requested(tree.path(member), member)) {
        if (!allowed.contains(operation)) {
          return operation;
        }
      }
    }
    return null;
  }

  /// A member that is missing, or null, requests the tool's default.
  private Set<String> requested(JsonNode operation, String member) {
    return operation.isMissingNode() || operation.isNull()
        ? argument.defaults().getOrDefault(member, Set.of())
        : Set.of(word(operation));
  }

  /// The operation as a word: for an object its tag's.
  static String word(JsonNode operation) {
    JsonNode tag = operation.path(Records.TYPE);
    JsonNode word = tag.isString() ? tag : operation;
    return word.isString() ? word.stringValue() : word.toString();
  }
}
