package dev.switchboard.config;

import dev.switchboard.rule.RuleKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The type of a rule as a file states it: its name, and what is given with it.
///
/// @param value null where there is only a name
record StatedType(RuleKind kind, @Nullable Value value) {
  private static final List<String> NAMES =
      Arrays.stream(RuleKind.values()).map(RuleKind::pascal).toList();
  private static final String FORM = ", such as { MaxCalls = 3 }";

  /// A name, `{ Name = value }` or `{ type = "Name", value = .. }`; null where it is none, which is
  /// then reported.
  static @Nullable StatedType read(Value stated) {
    if (stated.node().isString()) {
      return named(stated, null);
    }
    if (!stated.is(stated.node().isObject(), "a name or a table" + FORM)) {
      return null;
    }
    if (stated.node().has("type")) {
      return tagged(stated);
    }
    List<Value.Member> members = stated.members();
    if (members.size() != 1) {
      stated.bad("must hold one name" + FORM);
      return null;
    }
    Value value = members.getFirst().value();
    return of(members.getFirst().key(), value.place(), value);
  }

  private static @Nullable StatedType tagged(Value stated) {
    Section table = stated.section(Keys.RULE_TYPE);
    Value type = table == null ? null : table.value("type");
    return table == null || type == null ? null : named(type, table.value("value"));
  }

  private static @Nullable StatedType named(Value name, @Nullable Value value) {
    String text = name.filledText();
    return text == null ? null : of(text, name.place(), value);
  }

  private static @Nullable StatedType of(String name, Place place, @Nullable Value value) {
    RuleKind kind = RuleKind.of(name);
    if (kind == null) {
      place.error(FaultClass.UNKNOWN_RULE_TYPE, unknown(name));
      return null;
    }
    return new StatedType(kind, value);
  }

  private static String hint(String name) {
    String closest = Suggestion.of(name, NAMES);
    return closest.isEmpty() ? "; there are " + String.join(", ", NAMES) : closest;
  }

  private static String unknown(String name) {
    return RuleKind.isLater(name)
        ? "the rule type '" + name + "' is not built yet"
        : "there is no rule type '" + name + "'" + hint(name);
  }
}
