package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The name of a [RuleType] in all spellings of files and commands, and the form of its value.
public enum RuleKind {
  /// [RuleType.StartConstraint]
  START_CONSTRAINT(
      Form.START,
      given ->
          new RuleType.StartConstraint(json(given, "args"), given.path("auto").booleanValue(true))),
  /// [RuleType.RequiresPreceding]
  REQUIRES_PRECEDING(Form.TOOLS, given -> new RuleType.RequiresPreceding(names(given))),
  /// [RuleType.RequiresFollowing]
  REQUIRES_FOLLOWING(Form.TOOLS, given -> new RuleType.RequiresFollowing(names(given))),
  /// [RuleType.MaxCalls]
  MAX_CALLS(Form.COUNT, given -> new RuleType.MaxCalls(given.intValue())),
  /// [RuleType.Cooldown]
  COOLDOWN(Form.LENGTH, given -> new RuleType.Cooldown(length(given))),
  /// [RuleType.ExclusiveGroups]
  EXCLUSIVE_GROUPS(Form.GROUPS, given -> new RuleType.ExclusiveGroups(groups(given))),
  /// [RuleType.ExitLoop]
  EXIT_LOOP(Form.NOTHING, given -> new RuleType.ExitLoop()),
  /// [RuleType.ContinueLoop]
  CONTINUE_LOOP(Form.NOTHING, given -> new RuleType.ContinueLoop()),
  /// [RuleType.RequiredBeforeExit]
  REQUIRED_BEFORE_EXIT(Form.NOTHING, given -> new RuleType.RequiredBeforeExit()),
  /// [RuleType.RequiredBeforeExitIf]
  REQUIRED_BEFORE_EXIT_IF(Form.TOOLS, given -> new RuleType.RequiredBeforeExitIf(names(given))),
  /// [RuleType.RequiresConsent]
  REQUIRES_CONSENT(
      Form.CONSENT,
      given ->
          new RuleType.RequiresConsent(
              given.path("scope").stringValue(null),
              json(given, "when"),
              names(given.path("bind")))),
  /// [RuleType.Forbidden]
  FORBIDDEN(Form.NOTHING, given -> new RuleType.Forbidden()),
  /// [RuleType.AllowedOperations]
  ALLOWED_OPERATIONS(Form.OPERATIONS, given -> new RuleType.AllowedOperations(names(given))),
  /// [RuleType.Child]
  CHILD(Form.CHILDREN, given -> new RuleType.Child(children(given), argsByChild(given))),
  /// [RuleType.Parent]
  PARENT(Form.CHILDREN, given -> new RuleType.Parent(children(given))),
  /// [RuleType.Conditional]
  CONDITIONAL(Form.MAPPING, given -> conditional(given)),
  /// [RuleType.Periodic]
  PERIODIC(Form.LENGTH, given -> new RuleType.Periodic(length(given))),
  /// [RuleType.Needed]
  NEEDED(Form.NOTHING, given -> new RuleType.Needed());

  /// The form of a rule's value.
  public enum Form {
    /// Nothing.
    NOTHING,
    /// A list of tools.
    TOOLS,
    /// A list of operations of the tool.
    OPERATIONS,
    /// Lists of tools.
    GROUPS,
    /// A number of calls.
    COUNT,
    /// A duration, as a text such as `1500ms`.
    LENGTH,
    /// The arguments `args` of a call, and `auto`, whether the runtime makes it; both optional.
    START,
    /// A list of tools `children`, and `args`, arguments by tool that the rule sets; a list alone
    /// without `args`.
    CHILDREN,
    /// `mapping`, tools by result; optionally a JSON pointer `at`, a tool `default`, and
    /// `require_match`.
    MAPPING,
    /// A label `scope`, a JSON Schema `when`, and arguments `bind`; all optional.
    CONSENT
  }

  private final Form form;

  @SuppressWarnings("ImmutableEnumChecker") // keeps nothing
  private final Function<JsonNode, RuleType> type;

  RuleKind(Form form, Function<JsonNode, RuleType> type) {
    this.form = form;
    this.type = type;
  }

  /// The kind of that spelling, `MaxCalls`, `max-calls` or `max_calls`; null if there is none.
  public static @Nullable RuleKind of(String spelling) {
    String plain = plain(spelling);
    for (RuleKind kind : values()) {
      String own = kind.name().toLowerCase(Locale.ROOT).replace("_", "");
      if (plain.equals(own) || plain.equals(own + "tools")) {
        return kind;
      }
    }
    return null;
  }

  /// The kind of that type.
  public static RuleKind of(RuleType type) {
    return switch (type) {
      case RuleType.StartConstraint start -> START_CONSTRAINT;
      case RuleType.RequiresPreceding preceding -> REQUIRES_PRECEDING;
      case RuleType.RequiresFollowing following -> REQUIRES_FOLLOWING;
      case RuleType.MaxCalls max -> MAX_CALLS;
      case RuleType.Cooldown cooldown -> COOLDOWN;
      case RuleType.ExclusiveGroups groups -> EXCLUSIVE_GROUPS;
      case RuleType.ExitLoop exit -> EXIT_LOOP;
      case RuleType.ContinueLoop more -> CONTINUE_LOOP;
      case RuleType.RequiredBeforeExit required -> REQUIRED_BEFORE_EXIT;
      case RuleType.RequiredBeforeExitIf required -> REQUIRED_BEFORE_EXIT_IF;
      case RuleType.RequiresConsent consent -> REQUIRES_CONSENT;
      case RuleType.Forbidden forbidden -> FORBIDDEN;
      case RuleType.AllowedOperations operations -> ALLOWED_OPERATIONS;
      case RuleType.Child child -> CHILD;
      case RuleType.Parent parent -> PARENT;
      case RuleType.Conditional conditional -> CONDITIONAL;
      case RuleType.Periodic periodic -> PERIODIC;
      case RuleType.Needed needed -> NEEDED;
    };
  }

  /// The form of the value of a rule of this kind.
  public Form form() {
    return form;
  }

  /// The type with this value, the inverse of [RuleType#value()].
  ///
  /// @param value of the kind's form, checked; JSON `null` for none
  public RuleType given(Json value) {
    return type.apply(value.tree());
  }

  private static @Nullable Json json(JsonNode given, String member) {
    return given.has(member) ? Json.of(given.get(member)) : null;
  }

  private static Set<String> children(JsonNode given) {
    return new LinkedHashSet<>(names(given.isArray() ? given : given.path("children")));
  }

  private static Map<String, Json> argsByChild(JsonNode given) {
    Map<String, Json> args = new LinkedHashMap<>();
    given.path("args").forEachEntry((child, of) -> args.put(child, Json.of(of)));
    return args;
  }

  private static RuleType conditional(JsonNode given) {
    Map<String, String> mapping = new LinkedHashMap<>();
    given.path("mapping").forEachEntry((value, tool) -> mapping.put(value, tool.stringValue()));
    return new RuleType.Conditional(
        mapping,
        given.path("at").stringValue(null),
        given.path("default").stringValue(null),
        given.path("require_match").booleanValue(false));
  }

  private static List<String> names(JsonNode given) {
    return given.valueStream().map(JsonNode::stringValue).toList();
  }

  private static List<Set<String>> groups(JsonNode given) {
    return given
        .valueStream()
        .<Set<String>>map(group -> new LinkedHashSet<>(names(group)))
        .toList();
  }

  private static Duration length(JsonNode given) {
    return Objects.requireNonNull(Durations.parse(given.stringValue()));
  }

  private static String plain(String spelling) {
    return spelling.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  /// As in a file: `MaxCalls`.
  public String pascal() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /// As in a command: `max-calls`.
  public String kebab() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
