package dev.switchboard.config;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleType;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading of what a rule is given: the value of its type, or the rule's conditions. Each
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
    Json given =
        switch (kind.form()) {
          case NOTHING -> kind == RuleKind.CONTINUE_LOOP ? nothing() : withoutConditions(nothing());
          case TOOLS, OPERATIONS -> names();
          case GROUPS -> groups();
          case COUNT -> withoutConditions(count());
          case LENGTH -> withoutConditions(length());
          case START -> withoutConditions(RuleTables.start(value));
          case CONSENT -> withoutConditions(RuleTables.consent(value));
        };
    return given == null ? null : kind.given(given);
  }

  private @Nullable Json nothing() {
    if (value == null) {
      return RuleType.NOTHING;
    }
    value.bad("must be left out: " + kind.pascal() + " takes no value");
    return null;
  }

  /// An empty list is none, since a rule made by a program may have one.
  private @Nullable Json withoutConditions(@Nullable Json given) {
    if (conditions == null || conditions.node().isArray() && conditions.node().isEmpty()) {
      return given;
    }
    conditions.bad("must be left out: " + kind.pascal() + " takes no conditions");
    return null;
  }

  private @Nullable Json count() {
    Value count = needed("a number of calls, such as { " + kind.pascal() + " = 3 }");
    if (count == null) {
      return null;
    }
    if (count.node().isIntegralNumber() && count.node().decimalValue().signum() < 0) {
      count.bad("must not be negative, and is " + count.node());
      return null;
    }
    Integer whole = count.whole(0, Integer.MAX_VALUE);
    return whole == null ? null : Json.of(whole);
  }

  private @Nullable Json length() {
    Value stated = needed(Durations.FORMS);
    Duration length = stated == null ? null : stated.duration();
    return length == null ? null : Json.of(Durations.text(length));
  }

  private @Nullable Value needed(String what) {
    if (value == null) {
      place.error(FaultClass.BAD_VALUE, place.path() + ": " + kind.pascal() + " needs " + what);
    }
    return value;
  }

  private @Nullable Json names() {
    Value list = list();
    List<String> names = list == null ? null : names(list);
    return names == null ? null : Json.of(names);
  }

  private @Nullable Json groups() {
    Value list = list();
    if (list == null) {
      return null;
    }
    boolean nested =
        list.node().isArray() && list.node().valueStream().anyMatch(item -> item.isArray());
    List<List<String>> groups = new ArrayList<>();
    for (Value group : nested ? list.items() : List.of(list)) {
      List<String> names = nested ? all(group) : names(group);
      if (names == null) {
        return null;
      }
      groups.add(names);
    }
    return Json.of(groups);
  }

  /// The list of names, which may be in either place, but not in both.
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
