package dev.switchboard.rule;

import dev.switchboard.json.Json;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A rule for the calls of an agent. Import its static methods: `rules(startWith("load"),
/// maxCalls("search", 3).priority(8))`.
///
/// @param tool the tool's name, or `*` for each of the agent's tools
/// @param priority 1 to 10; orders texts and selects the refusal that is named first
/// @param scope which earlier calls count
/// @param metadata the author's own, without effect
public record ToolRule(String tool, RuleType type, int priority, Scope scope, Json metadata) {
  /// Every tool.
  public static final String ANY = "*";

  /// The priority of a rule that states none.
  public static final int DEFAULT_PRIORITY = 5;

  /// @throws IllegalArgumentException when the priority is not 1 to 10
  public ToolRule {
    if (priority < 1 || priority > 10) {
      throw new IllegalArgumentException("a rule's priority must be 1 to 10, not " + priority);
    }
  }

  /// A rule of the default priority and scope.
  public static ToolRule of(String tool, RuleType type) {
    return new ToolRule(tool, type, DEFAULT_PRIORITY, defaultScope(type), Json.EMPTY_OBJECT);
  }

  /// The default scope: the agent for a cooldown, the turn for rules about the next step, otherwise
  /// the conversation.
  public static Scope defaultScope(RuleType type) {
    Scope usual = type.usualScope();
    return usual == null ? Scope.CONVERSATION : usual;
  }

  /// The conversation begins with this tool.
  public static ToolRule startWith(String tool) {
    return of(tool, new RuleType.StartConstraint(null, true));
  }

  /// The conversation begins with this tool, called with these arguments.
  public static ToolRule startWith(String tool, Json args) {
    return of(tool, new RuleType.StartConstraint(args, true));
  }

  /// The tool may run after all of these have succeeded.
  public static ToolRule after(String tool, String... preceding) {
    return of(tool, new RuleType.RequiresPreceding(List.of(preceding)));
  }

  /// The tool may run until one of these has succeeded.
  public static ToolRule before(String tool, String... following) {
    return of(tool, new RuleType.RequiresFollowing(List.of(following)));
  }

  /// At most so many calls of the tool start in a conversation.
  public static ToolRule maxCalls(String tool, int max) {
    return of(tool, new RuleType.MaxCalls(max));
  }

  /// The least time between two starts of the tool.
  public static ToolRule cooldown(String tool, Duration length) {
    return of(tool, new RuleType.Cooldown(length));
  }

  /// Only one of these tools is used in a conversation.
  public static ToolRule oneOf(String... group) {
    RuleType type = new RuleType.ExclusiveGroups(List.of(new LinkedHashSet<>(List.of(group))));
    return of(group[0], type);
  }

  /// The loop ends when the tool has succeeded.
  public static ToolRule exitAfter(String tool) {
    return of(tool, new RuleType.ExitLoop());
  }

  /// The loop does not end before the tool has succeeded.
  public static ToolRule requiredBeforeExit(String tool) {
    return of(tool, new RuleType.RequiredBeforeExit());
  }

  /// The loop does not end before the tool has succeeded, if all of these did.
  public static ToolRule requiredBeforeExitIf(String tool, String... used) {
    return of(tool, new RuleType.RequiredBeforeExitIf(List.of(used)));
  }

  /// A person has to agree to each call of the tool. A lasting grant covers the values of these
  /// arguments; without any, all calls of the rule.
  public static ToolRule consent(String tool, String... bind) {
    return of(tool, new RuleType.RequiresConsent(null, null, List.of(bind)));
  }

  /// A person has to agree to calls of the tool whose arguments match that JSON Schema.
  public static ToolRule consentWhen(String tool, Json schema, String... bind) {
    return of(tool, new RuleType.RequiresConsent(null, schema, List.of(bind)));
  }

  /// The tool never runs.
  public static ToolRule forbidden(String tool) {
    return of(tool, new RuleType.Forbidden());
  }

  /// Only these operations of the tool are allowed.
  public static ToolRule allowedOperations(String tool, String... operations) {
    return of(tool, new RuleType.AllowedOperations(List.of(operations)));
  }

  /// After a success of the tool the next call has to be one of these.
  public static ToolRule next(String tool, String... children) {
    return of(tool, new RuleType.Child(new LinkedHashSet<>(List.of(children)), Map.of()));
  }

  /// These run only right after a success of the tool, and then they alone.
  public static ToolRule onlyAfter(String tool, String... children) {
    return of(tool, new RuleType.Parent(new LinkedHashSet<>(List.of(children))));
  }

  /// The result of the tool selects the next tool; any tool may follow an unmapped result.
  /// [RuleType.Conditional] has more options.
  public static ToolRule nextBy(String tool, Map<String, String> mapping) {
    return of(tool, new RuleType.Conditional(mapping, null, null, false));
  }

  /// The tool is due when so much time has passed since its last start.
  public static ToolRule every(String tool, Duration length) {
    return of(tool, new RuleType.Periodic(length));
  }

  /// The tool is one of the agent's although `tools` does not name it.
  public static ToolRule needed(String tool) {
    return of(tool, new RuleType.Needed());
  }

  /// This rule for another tool.
  public ToolRule tool(String other) {
    return new ToolRule(other, type, priority, scope, metadata);
  }

  /// This rule with another priority, 1 to 10.
  public ToolRule priority(int other) {
    return new ToolRule(tool, type, other, scope, metadata);
  }

  /// This rule with another scope.
  public ToolRule scope(Scope other) {
    return new ToolRule(tool, type, priority, other, metadata);
  }

  /// This rule with that metadata.
  public ToolRule metadata(Json other) {
    return new ToolRule(tool, type, priority, scope, other);
  }

  /// Whether the rule is for that tool, by name or for all.
  public boolean isFor(String name) {
    return tool.equals(ANY) || tool.equals(name);
  }

  /// Which earlier calls a rule counts.
  public enum Scope {
    /// Those since the user's last message.
    TURN,
    /// Those of the conversation.
    CONVERSATION,
    /// Those of all conversations of the agent.
    AGENT;

    /// The word in a file, such as `turn`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The scope of that word, or null.
    public static @Nullable Scope ofWord(String word) {
      for (Scope scope : values()) {
        if (scope.word().equals(word)) {
          return scope;
        }
      }
      return null;
    }
  }
}
