package dev.switchboard.rule;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
  /// @param args its arguments, null where it needs none
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
      case ExitLoop exit -> NOTHING;
      case ContinueLoop more -> NOTHING;
      case RequiredBeforeExit required -> NOTHING;
      case Forbidden forbidden -> NOTHING;
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
