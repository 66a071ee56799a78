package dev.switchboard.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The name of a [RuleType], in every spelling that a file or a command may use.
public enum RuleKind {
  /// [RuleType.StartConstraint]
  START_CONSTRAINT,
  /// [RuleType.RequiresPreceding]
  REQUIRES_PRECEDING,
  /// [RuleType.RequiresFollowing]
  REQUIRES_FOLLOWING,
  /// [RuleType.MaxCalls]
  MAX_CALLS,
  /// [RuleType.Cooldown]
  COOLDOWN,
  /// [RuleType.ExclusiveGroups]
  EXCLUSIVE_GROUPS,
  /// [RuleType.ExitLoop]
  EXIT_LOOP,
  /// [RuleType.ContinueLoop]
  CONTINUE_LOOP,
  /// [RuleType.RequiredBeforeExit]
  REQUIRED_BEFORE_EXIT,
  /// [RuleType.RequiredBeforeExitIf]
  REQUIRED_BEFORE_EXIT_IF,
  /// [RuleType.RequiresConsent]
  REQUIRES_CONSENT,
  /// [RuleType.Forbidden]
  FORBIDDEN,
  /// [RuleType.AllowedOperations]
  ALLOWED_OPERATIONS;

  // Names that are kept for types to come.
  private static final List<String> LATER =
      List.of("periodic", "needed", "child", "parent", "conditional", "prefilledarguments");

  /// The kind of that spelling: `MaxCalls`, `max-calls` or `max_calls`; or null when there is none.
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

  /// Whether that spelling names a kind that is planned, but not built yet.
  public static boolean isLater(String spelling) {
    return LATER.contains(plain(spelling));
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
