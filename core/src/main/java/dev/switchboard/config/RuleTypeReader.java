package dev.switchboard.config;

import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The reading of what a rule asks for: the value of its type, or the rule's conditions. Each
/// reading gives null where something is faulty, which is then reported.
final class RuleTypeReader {
  private final RuleKind kind;
  private final Place place;
  private final @Nullable Value value;
  private final @Nullable Value conditions;

  /// @param place of the type as a whole
  RuleTypeReader(StatedType stated, Place place, @Nullable Value conditions) {
    this.kind = stated.kind();
    this.place = place;
    this.value = stated.value();
    this.conditions = conditions;
  }

  @Nullable RuleType read() {
    return switch (kind) {
      case START_CONSTRAINT -> withoutConditions(RuleTables.start(value));
      case REQUIRES_PRECEDING -> ofNames(RuleType.RequiresPreceding::new);
      case REQUIRES_FOLLOWING -> ofNames(RuleType.RequiresFollowing::new);
      case MAX_CALLS -> withoutConditions(maxCalls());
      case COOLDOWN -> withoutConditions(cooldown());
      case EXCLUSIVE_GROUPS -> groups();
      case EXIT_LOOP -> withoutConditions(bare(new RuleType.ExitLoop()));
      case CONTINUE_LOOP -> bare(new RuleType.ContinueLoop());
      case REQUIRED_BEFORE_EXIT -> withoutConditions(bare(new RuleType.RequiredBeforeExit()));
      case REQUIRED_BEFORE_EXIT_IF -> ofNames(RuleType.RequiredBeforeExitIf::new);
      case REQUIRES_CONSENT -> withoutConditions(RuleTables.consent(value));
      case FORBIDDEN -> withoutConditions(bare(new RuleType.Forbidden()));
      case ALLOWED_OPERATIONS -> ofNames(RuleType.AllowedOperations::new);
    };
  }

  private @Nullable RuleType bare(RuleType type) {
    if (value == null) {
      return type;
    }
    value.bad("must be left out: " + kind.pascal() + " takes no value");
    return null;
  }

  /// An empty list is none, since a rule made by a program may have one.
  private @Nullable RuleType withoutConditions(@Nullable RuleType type) {
    if (conditions == null || conditions.node().isArray() && conditions.node().isEmpty()) {
      return type;
    }
    conditions.bad("must be left out: " + kind.pascal() + " takes no conditions");
    return null;
  }

  private @Nullable RuleType maxCalls() {
    Value count = needed("a number of calls, such as { MaxCalls = 3 }");
    if (count == null) {
      return null;
    }
    if (count.node().isIntegralNumber() && count.node().decimalValue().signum() < 0) {
      count.bad("must not be negative, and is " + count.node());
      return null;
    }
    Integer max = count.whole(0, Integer.MAX_VALUE);
    return max == null ? null : new RuleType.MaxCalls(max);
  }

  private @Nullable RuleType cooldown() {
    Value stated = needed(Durations.FORMS);
    Duration length = stated == null ? null : stated.duration();
    return length == null ? null : new RuleType.Cooldown(length);
  }

  private @Nullable Value needed(String what) {
    if (value == null) {
      place.error(FaultClass.BAD_VALUE, place.path() + ": " + kind.pascal() + " needs " + what);
    }
    return value;
  }

  private @Nullable RuleType ofNames(Function<List<String>, RuleType> type) {
    Value list = list();
    if (list == null) {
      return null;
    }
    List<String> names = names(list);
    return names == null ? null : type.apply(names);
  }

  private @Nullable RuleType groups() {
    Value list = list();
    if (list == null) {
      return null;
    }
    boolean nested =
        list.node().isArray() && list.node().valueStream().anyMatch(item -> item.isArray());
    List<Value> groups = nested ? list.items() : List.of(list);
    List<Set<String>> read = new ArrayList<>();
    for (Value group : groups) {
      List<String> names = nested ? all(group) : names(group);
      if (names == null) {
        return null;
      }
      read.add(new LinkedHashSet<>(names));
    }
    return new RuleType.ExclusiveGroups(read);
  }

  /// The list of names, which may stand at either place, but not at both.
  private @Nullable Value list() {
    boolean conditionsAreEmpty = conditions == null || conditions.node().isEmpty();
    if (value != null && conditions != null && !conditionsAreEmpty) {
      conditions.bad("must be left out: rule_type holds the list already");
      return null;
    }
    Value list = value == null ? conditions : value;
    if (list == null) {
      String sentence = "%s: %s needs conditions = [..]".formatted(place.path(), kind.pascal());
      place.error(FaultClass.BAD_VALUE, sentence);
    }
    return list;
  }

  private static @Nullable List<String> names(Value list) {
    if (list.node().isString()) {
      String single = list.filledText();
      return single == null ? null : List.of(single);
    }
    return all(list);
  }

  private static @Nullable List<String> all(Value list) {
    if (!list.node().isArray()) {
      list.items();
      return null;
    }
    List<String> names = list.texts();
    return names.size() == list.node().size() ? names : null;
  }
}
