package dev.switchboard.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/// The keywords of a schema of others' making that are not checked here, but by its server. With
/// one that cannot be checked go those that would refuse valid values without it, such as a `not`
/// around it.
final class LeftToServer {
  /// The keywords of which [UnevaluatedShape] reads what is evaluated.
  private static final Set<Keyword> EVALUATE =
      EnumSet.of(
          Keyword.PROPERTIES,
          Keyword.PATTERN_PROPERTIES,
          Keyword.ADDITIONAL_PROPERTIES,
          Keyword.UNEVALUATED_PROPERTIES,
          Keyword.ITEMS,
          Keyword.PREFIX_ITEMS,
          Keyword.UNEVALUATED_ITEMS,
          Keyword.CONTAINS,
          Keyword.ALL_OF,
          Keyword.ANY_OF,
          Keyword.ONE_OF,
          Keyword.IF,
          Keyword.THEN,
          Keyword.ELSE,
          Keyword.DEPENDENT_SCHEMAS,
          Keyword.DEPENDENCIES,
          Keyword.REF,
          Keyword.DYNAMIC_REF);

  /// A keyword that has a schema.
  private record User(JsonNode schema, Keyword keyword) {}

  private final References references;
  private final BiConsumer<JsonNode, Keyword> dependents;
  private final Map<JsonNode, List<User>> users = new IdentityHashMap<>();

  /// The parts that accept more than they state, themselves or by a part below.
  private final Set<JsonNode> wider = Collections.newSetFromMap(new IdentityHashMap<>());

  /// The parts of which it is not known which members and items they evaluate.
  private final Set<JsonNode> blind = Collections.newSetFromMap(new IdentityHashMap<>());

  private final ArrayDeque<JsonNode> nextWider = new ArrayDeque<>();
  private final ArrayDeque<JsonNode> nextBlind = new ArrayDeque<>();

  /// @param dependents receives each keyword that is left because of another
  LeftToServer(References references, BiConsumer<JsonNode, Keyword> dependents) {
    this.references = references;
    this.dependents = dependents;
  }

  /// Notes that the keyword of `schema` has that part.
  void use(JsonNode part, JsonNode schema, Keyword keyword) {
    users.computeIfAbsent(part, unused -> new ArrayList<>()).add(new User(schema, keyword));
  }

  /// Leaves that keyword to the server.
  void leave(JsonNode schema, Keyword keyword) {
    if (!references.words(schema).has(keyword.word())) {
      return;
    }
    references.leave(schema, keyword);
    switch (keyword) {
      case PROPERTIES, PATTERN_PROPERTIES -> follow(schema, Keyword.ADDITIONAL_PROPERTIES);
      case PREFIX_ITEMS -> follow(schema, Keyword.ITEMS);
      case MIN_CONTAINS -> follow(schema, Keyword.CONTAINS);
      default -> {}
    }
    widen(schema);
    if (EVALUATE.contains(keyword)) {
      blind(schema);
    }
  }

  /// Leaves an entry of `patternProperties` to the server.
  void leave(JsonNode schema, String pattern) {
    references.leave(schema, Keyword.PATTERN_PROPERTIES, pattern);
    follow(schema, Keyword.ADDITIONAL_PROPERTIES);
    widen(schema);
    blind(schema);
  }

  /// Notes that the part accepts more than it states.
  void widen(JsonNode schema) {
    if (wider.add(schema)) {
      nextWider.add(schema);
    }
  }

  private void blind(JsonNode schema) {
    if (blind.add(schema)) {
      nextBlind.add(schema);
    }
  }

  private void follow(JsonNode schema, Keyword keyword) {
    if (references.words(schema).has(keyword.word())) {
      dependents.accept(schema, keyword);
      leave(schema, keyword);
    }
  }

  /// Whether the part is checked as it is stated.
  boolean isExact(JsonNode schema) {
    return !wider.contains(schema);
  }

  /// Leaves what depends on the keywords that are left.
  void settle() {
    while (!nextWider.isEmpty() || !nextBlind.isEmpty()) {
      if (!nextWider.isEmpty()) {
        users.getOrDefault(nextWider.remove(), List.of()).forEach(this::afterWider);
      } else {
        afterBlind(nextBlind.remove());
      }
    }
  }

  private void afterWider(User user) {
    switch (user.keyword) {
      case NOT, IF -> follow(user.schema, user.keyword);
      case CONTAINS -> follow(user.schema, Keyword.MAX_CONTAINS);
      default -> {}
    }
    widen(user.schema);
  }

  private void afterBlind(JsonNode schema) {
    follow(schema, Keyword.UNEVALUATED_PROPERTIES);
    follow(schema, Keyword.UNEVALUATED_ITEMS);
    for (User user : users.getOrDefault(schema, List.of())) {
      boolean refers = user.keyword == Keyword.REF || user.keyword == Keyword.DYNAMIC_REF;
      if (refers || user.keyword.inPlace()) {
        blind(user.schema);
      }
    }
  }
}
