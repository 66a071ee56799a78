package dev.switchboard.rule;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a rule requires. A new type is a record here; the compiler names every switch to extend.
public sealed interface RuleType {
  /// The value of a rule without a value.
  Json NOTHING = Json.of(null);

  /// The tool has to succeed before any other may run.
  ///
  /// @param args its arguments, null if it needs none
  /// @param auto whether the runtime calls it
  record StartConstraint(@Nullable Json args, boolean auto) implements RuleType {}

  /// All of these succeeded earlier.
  record RequiresPreceding(List<String> tools) implements RuleType {
    public RequiresPreceding {
      tools = List.copyOf(tools);
    }
  }

  /// None of these succeeded earlier: the tool comes before them.
  record RequiresFollowing(List<String> tools) implements RuleType {
    public RequiresFollowing {
      tools = List.copyOf(tools);
    }
  }

  /// At most so many calls of the tool start.
  record MaxCalls(int max) implements RuleType {
    /// @throws IllegalArgumentException when it is negative
    public MaxCalls {
      if (max < 0) {
        throw new IllegalArgumentException("MaxCalls must not be negative");
      }
    }
  }

  /// The least time between two starts of the tool.
  record Cooldown(Duration length) implements RuleType {
    /// The longest cooldown: a hundred years.
    public static final Duration LONGEST = Duration.ofDays(36_500);

    /// @throws IllegalArgumentException when it is negative or above [#LONGEST]
    public Cooldown {
      if (length.isNegative()) {
        throw new IllegalArgumentException("Cooldown must not be negative");
      }
      if (length.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("Cooldown must be at most 36500 days");
      }
    }
  }

  /// Only one tool of each group is used; applies to every tool of a group.
  ///
  /// @param groups in the order of the texts
  record ExclusiveGroups(List<Set<String>> groups) implements RuleType {
    public ExclusiveGroups {
      groups =
          groups.stream()
              .map(group -> Collections.unmodifiableSet(new LinkedHashSet<>(group)))
              .toList();
    }

    @Override
    public List<String> tools() {
      return groups.stream().flatMap(Set::stream).toList();
    }
  }

  /// A success of the tool ends the loop.
  record ExitLoop() implements RuleType {}

  /// The loop continues after the tool, the default; an exception to an [ExitLoop].
  record ContinueLoop() implements RuleType {}

  /// The tool has to succeed before the loop may end.
  record RequiredBeforeExit() implements RuleType {}

  /// The tool has to succeed before the loop may end, if all of these did.
  record RequiredBeforeExitIf(List<String> tools) implements RuleType {
    public RequiredBeforeExitIf {
      tools = List.copyOf(tools);
    }
  }

  /// A person has to agree to the call.
  ///
  /// @param scope a label for that person, null for none
  /// @param when a JSON Schema that selects calls by their arguments; null for all
  /// @param bind the arguments whose values a lasting grant covers; empty for all calls of the rule
  record RequiresConsent(@Nullable String scope, @Nullable Json when, List<String> bind)
      implements RuleType {
    public RequiresConsent {
      bind = List.copyOf(bind);
    }

    /// `when` as a schema of a tool's arguments; null for all calls.
    public @Nullable Json condition() {
      if (when == null) {
        return null;
      }
      ObjectNode schema = Codec.object().put("type", "object");
      // Present for the check: the condition sees what the handler gets.
      schema.putObject("properties").put("request_heartbeat", true);
      try {
        schema.putArray("allOf").add(ownResource(when.tree()));
      } catch (JsonException e) {
        // Not JSON, so not a schema: the check reports it.
        schema.putArray("allOf").add(when.text());
      }
      return Json.of(schema);
    }

    /// A separate resource, so that its references stay valid.
    private static JsonNode ownResource(JsonNode schema) {
      return schema.isObject() && !schema.has("$id")
          ? ((ObjectNode) schema.deepCopy()).put("$id", "when")
          : schema;
    }
  }

  /// The tool never runs and is not offered; no grant allows it.
  record Forbidden() implements RuleType {}

  /// Only these operations of the tool are allowed.
  record AllowedOperations(List<String> operations) implements RuleType {
    public AllowedOperations {
      operations = List.copyOf(operations);
    }
  }

  /// After a success of the tool the next call has to be one of these, until one has succeeded or
  /// the turn ends. The calls of a round are one step.
  ///
  /// @param children in the order of the texts
  /// @param args by child, arguments that override the model's
  record Child(Set<String> children, Map<String, Json> args) implements RuleType {
    public Child {
      children = Collections.unmodifiableSet(new LinkedHashSet<>(children));
      args = Collections.unmodifiableMap(new LinkedHashMap<>(args));
    }

    @Override
    public List<String> tools() {
      return List.copyOf(children);
    }
  }

  /// These run only right after a success of the tool, and then they alone.
  ///
  /// @param children in the order of the texts
  record Parent(Set<String> children) implements RuleType {
    public Parent {
      children = Collections.unmodifiableSet(new LinkedHashSet<>(children));
    }

    @Override
    public List<String> tools() {
      return List.copyOf(children);
    }
  }

  /// The result of the tool selects the next tool.
  ///
  /// @param mapping the tool by result: a text, a number or a boolean, compared by value
  /// @param at a JSON pointer to the compared part of the result, null for all of it
  /// @param otherwise the tool for any other result, null for none
  /// @param requireMatch whether no tool may be next after an unmapped result; otherwise any may
  record Conditional(
      Map<String, String> mapping,
      @Nullable String at,
      @Nullable String otherwise,
      boolean requireMatch)
      implements RuleType {
    public Conditional {
      mapping = Collections.unmodifiableMap(new LinkedHashMap<>(mapping));
    }

    @Override
    public List<String> tools() {
      return Stream.concat(mapping.values().stream(), Stream.ofNullable(otherwise))
          .distinct()
          .toList();
    }

    private ObjectNode table() {
      ObjectNode table = Codec.object();
      ObjectNode tools = table.putObject("mapping");
      mapping.forEach(tools::put);
      if (at != null) {
        table.put("at", at);
      }
      if (otherwise != null) {
        table.put("default", otherwise);
      }
      return requireMatch ? table.put("require_match", true) : table;
    }
  }

  /// The tool is due when so much time has passed since its last start or the beginning of the
  /// conversation. The model is reminded, or the runtime calls it if it only reads and needs no
  /// arguments.
  record Periodic(Duration every) implements RuleType {
    /// @throws IllegalArgumentException when it is not positive, or above [Cooldown#LONGEST]
    public Periodic {
      if (every.isNegative() || every.isZero()) {
        throw new IllegalArgumentException("Periodic must be more than 0");
      }
      if (every.compareTo(Cooldown.LONGEST) > 0) {
        throw new IllegalArgumentException("Periodic must be at most 36500 days");
      }
    }
  }

  /// The tool is one of the agent's although `tools` does not name it.
  record Needed() implements RuleType {}

  /// The default scope of such a rule; null if it counts no earlier calls.
  default ToolRule.@Nullable Scope usualScope() {
    return switch (this) {
      case StartConstraint start -> ToolRule.Scope.CONVERSATION;
      case RequiresPreceding preceding -> ToolRule.Scope.CONVERSATION;
      case RequiresFollowing following -> ToolRule.Scope.CONVERSATION;
      case MaxCalls max -> ToolRule.Scope.CONVERSATION;
      case ExclusiveGroups groups -> ToolRule.Scope.CONVERSATION;
      case RequiredBeforeExit required -> ToolRule.Scope.CONVERSATION;
      case RequiredBeforeExitIf required -> ToolRule.Scope.CONVERSATION;
      case Periodic periodic -> ToolRule.Scope.CONVERSATION;
      case Cooldown cooldown -> ToolRule.Scope.AGENT;
      case Child child -> ToolRule.Scope.TURN;
      case Parent parent -> ToolRule.Scope.TURN;
      case Conditional conditional -> ToolRule.Scope.TURN;
      case ExitLoop exit -> null;
      case ContinueLoop more -> null;
      case RequiresConsent consent -> null;
      case Forbidden forbidden -> null;
      case AllowedOperations operations -> null;
      case Needed needed -> null;
    };
  }

  /// Whether it only says when calls of its own tool may not run.
  default boolean restricts() {
    return switch (this) {
      case RequiresPreceding preceding -> true;
      case RequiresFollowing following -> true;
      case MaxCalls max -> true;
      case Cooldown cooldown -> true;
      case RequiresConsent consent -> true;
      case Forbidden forbidden -> true;
      case AllowedOperations operations -> true;
      case StartConstraint start -> false;
      case ExclusiveGroups groups -> false;
      case ExitLoop exit -> false;
      case ContinueLoop more -> false;
      case RequiredBeforeExit required -> false;
      case RequiredBeforeExitIf required -> false;
      case Child child -> false;
      case Parent parent -> false;
      case Conditional conditional -> false;
      case Periodic periodic -> false;
      case Needed needed -> false;
    };
  }

  /// The tools that the rule names.
  default List<String> tools() {
    return List.of();
  }

  /// The rule's value in files, commands and tables; JSON `null` for none.
  default Json value() {
    return switch (this) {
      case StartConstraint(var args, boolean auto) -> {
        ObjectNode table = table("args", args);
        yield some(auto ? table : table.put("auto", false));
      }
      case RequiresPreceding(var tools) -> Json.of(tools);
      case RequiresFollowing(var tools) -> Json.of(tools);
      case MaxCalls(int max) -> Json.of(max);
      case Cooldown(var length) -> Json.of(Durations.text(length));
      case ExclusiveGroups(var groups) ->
          Json.of(groups.stream().map(group -> group.stream().sorted().toList()).toList());
      case RequiredBeforeExitIf(var tools) -> Json.of(tools);
      case RequiresConsent(var scope, var when, var bind) -> {
        ObjectNode table = Codec.object();
        if (scope != null) {
          table.put("scope", scope);
        }
        table.setAll(table("when", when));
        if (!bind.isEmpty()) {
          bind.forEach(table.putArray("bind")::add);
        }
        yield some(table);
      }
      case AllowedOperations(var operations) -> Json.of(operations);
      case Child(var children, var args) -> {
        if (args.isEmpty()) {
          yield Json.of(children);
        }
        ObjectNode table = Codec.object();
        children.forEach(table.putArray("children")::add);
        ObjectNode byChild = table.putObject("args");
        args.forEach((child, given) -> byChild.set(child, given.tree()));
        yield Json.of(table);
      }
      case Parent(var children) -> Json.of(children);
      case Conditional conditional -> Json.of(conditional.table());
      case Periodic(var every) -> Json.of(Durations.text(every));
      case ExitLoop exit -> NOTHING;
      case ContinueLoop more -> NOTHING;
      case RequiredBeforeExit required -> NOTHING;
      case Forbidden forbidden -> NOTHING;
      case Needed needed -> NOTHING;
    };
  }

  private static ObjectNode table(String member, @Nullable Json value) {
    ObjectNode table = Codec.object();
    return value == null ? table : table.set(member, value.tree());
  }

  private static Json some(ObjectNode table) {
    return table.isEmpty() ? NOTHING : Json.of(table);
  }
}
