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

/// What a rule asks for. A new kind is one record here and one word in [RuleKind], which says the
/// form of its value; the compiler then names every switch to extend.
public sealed interface RuleType {
  /// The value of a rule that needs none.
  Json NOTHING = Json.of(null);

  /// The tool has to succeed before any other may run; the runtime makes the call itself where it
  /// can.
  ///
  /// @param args its arguments, null if it needs none
  /// @param auto whether the runtime calls it itself
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

  /// The tool is started at most that often.
  record MaxCalls(int max) implements RuleType {
    /// @throws IllegalArgumentException when it is negative
    public MaxCalls {
      if (max < 0) {
        throw new IllegalArgumentException("MaxCalls must not be negative");
      }
    }
  }

  /// At least this time lies between two starts of the tool.
  record Cooldown(Duration length) implements RuleType {
    /// The longest there is: a hundred years.
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

  /// Only one tool of each group is used. Applies to every tool named, not only to the rule's own.
  ///
  /// @param groups sets whose order is kept, for texts
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

  /// The loop continues after the tool, as it does after every tool; kept for files that state it.
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
  /// @param scope a label shown to that person, null for none
  /// @param when a JSON Schema: only calls whose arguments meet it are asked about; null for all
  /// @param bind the arguments whose values a lasting grant holds for; empty for all calls that the
  ///   rule asks about
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
      // Named, so that the check leaves it in: the condition sees what the handler gets.
      schema.putObject("properties").put("request_heartbeat", true);
      try {
        schema.putArray("allOf").add(ownResource(when.tree()));
      } catch (JsonException e) {
        // No JSON, hence no schema: what its check will say.
        schema.putArray("allOf").add(when.text());
      }
      return Json.of(schema);
    }

    /// A separate resource, so that references within it stay valid.
    private static JsonNode ownResource(JsonNode schema) {
      return schema.isObject() && !schema.has("$id")
          ? ((ObjectNode) schema.deepCopy()).put("$id", "when")
          : schema;
    }
  }

  /// The tool never runs, is not offered, and cannot be allowed by a grant.
  record Forbidden() implements RuleType {}

  /// Only these operations of a tool with several are allowed.
  record AllowedOperations(List<String> operations) implements RuleType {
    public AllowedOperations {
      operations = List.copyOf(operations);
    }
  }

  /// After a success of the tool the next call has to be one of these: the calls of a round are one
  /// step, and what it leaves holds until one of them has succeeded, or the turn ends.
  ///
  /// @param children names, whose order is kept for texts
  /// @param args by child, the arguments that the rule sets; they win over the model's
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
  /// @param children names, whose order is kept for texts
  record Parent(Set<String> children) implements RuleType {
    public Parent {
      children = Collections.unmodifiableSet(new LinkedHashSet<>(children));
    }

    @Override
    public List<String> tools() {
      return List.copyOf(children);
    }
  }

  /// The result of the tool says which tool has to be next.
  ///
  /// @param mapping the tool by the result: a text, or a number or a boolean, which are compared by
  ///   value
  /// @param at a JSON pointer to the part of the result that is compared, null for all of it
  /// @param otherwise the tool for any other result, null for none
  /// @param requireMatch whether no tool may be next where the result leads to none; otherwise any
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

  /// The tool is due when so much time has passed since its last start, or since the conversation
  /// began: the model is reminded of it, or the runtime calls it where it only reads and needs no
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

  /// The kind of the rule.
  default RuleKind kind() {
    return switch (this) {
      case StartConstraint start -> RuleKind.START_CONSTRAINT;
      case RequiresPreceding preceding -> RuleKind.REQUIRES_PRECEDING;
      case RequiresFollowing following -> RuleKind.REQUIRES_FOLLOWING;
      case MaxCalls max -> RuleKind.MAX_CALLS;
      case Cooldown cooldown -> RuleKind.COOLDOWN;
      case ExclusiveGroups groups -> RuleKind.EXCLUSIVE_GROUPS;
      case ExitLoop exit -> RuleKind.EXIT_LOOP;
      case ContinueLoop more -> RuleKind.CONTINUE_LOOP;
      case RequiredBeforeExit required -> RuleKind.REQUIRED_BEFORE_EXIT;
      case RequiredBeforeExitIf required -> RuleKind.REQUIRED_BEFORE_EXIT_IF;
      case RequiresConsent consent -> RuleKind.REQUIRES_CONSENT;
      case Forbidden forbidden -> RuleKind.FORBIDDEN;
      case AllowedOperations operations -> RuleKind.ALLOWED_OPERATIONS;
      case Child child -> RuleKind.CHILD;
      case Parent parent -> RuleKind.PARENT;
      case Conditional conditional -> RuleKind.CONDITIONAL;
      case Periodic periodic -> RuleKind.PERIODIC;
      case Needed needed -> RuleKind.NEEDED;
    };
  }

  /// The tools that the rule names.
  default List<String> tools() {
    return List.of();
  }

  /// The rule's value beside its name, as files, commands and tables show it: JSON of its kind's
  /// [RuleKind#form()], or JSON `null` where it needs none.
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
