package dev.switchboard.config.rule;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads a rule's type and its arguments: the value of the type, or the rule's conditions. Each
/// method returns null for an invalid value, which is reported.
final class RuleTypeReader {
  private static final List<String> NAMES =
      Arrays.stream(RuleKind.values()).map(RuleKind::pascal).toList();
  private static final String FORM = ", such as { MaxCalls = 3 }";

  private final RuleKind kind;
  private final StatedValue stated;
  private final @Nullable StatedValue value;
  private final @Nullable StatedValue conditions;

  private RuleTypeReader(
      RuleKind kind,
      StatedValue stated,
      @Nullable StatedValue value,
      @Nullable StatedValue conditions) {
    this.kind = kind;
    this.stated = stated;
    this.value = value;
    this.conditions = conditions;
  }

  /// The type that is stated as a name, as `{ Name = value }` or as `{ type = "Name", value = ..
  /// }`.
  static @Nullable RuleType read(StatedValue stated, @Nullable StatedValue conditions) {
    StatedValue name = stated;
    StatedValue value = null;
    if (stated.has("type")) {
      RuleKeys.RuleType table = stated.bind(RuleKeys.RuleType.class);
      name = stated.member("type");
      value = table == null ? null : table.value();
    } else if (!stated.isString()) {
      return readPair(stated, conditions);
    }
    String text = name.filledText();
    RuleKind kind = text == null ? null : kind(text, name);
    return kind == null ? null : new RuleTypeReader(kind, stated, value, conditions).read();
  }

  private static @Nullable RuleType readPair(StatedValue stated, @Nullable StatedValue conditions) {
    if (!stated.isTable("a name or a table" + FORM)) {
      return null;
    }
    if (stated.node().size() != 1) {
      stated.bad("must hold one name" + FORM);
      return null;
    }
    String name = stated.node().propertyNames().iterator().next();
    StatedValue value = stated.member(name);
    RuleKind kind = kind(name, value);
    return kind == null ? null : new RuleTypeReader(kind, stated, value, conditions).read();
  }

  private static @Nullable RuleKind kind(String name, StatedValue place) {
    RuleKind kind = RuleKind.of(name);
    if (kind == null) {
      place.report(
          Severity.ERROR,
          FaultClass.UNKNOWN_RULE_TYPE,
          "there is no rule type '" + name + "'" + place.closestAndAll(name, NAMES));
    }
    return kind;
  }

  private @Nullable RuleType read() {
    RuleType type =
        switch (kind.form()) {
          case NOTHING -> nothing();
          case TOOLS, OPERATIONS -> given(names());
          case GROUPS -> given(groups());
          case COUNT -> given(count());
          case LENGTH -> given(length());
          case START -> start();
          case CONSENT -> consent();
          case CHILDREN -> children();
          case MAPPING -> mapping();
        };
    return takesConditions() || withoutConditions() ? type : null;
  }

  private @Nullable RuleType given(@Nullable Object value) {
    return value == null ? null : kind.given(Json.of(value));
  }

  private boolean takesConditions() {
    return switch (kind.form()) {
      case TOOLS, OPERATIONS, GROUPS -> true;
      case CHILDREN -> value == null || !value.node().isObject();
      case NOTHING -> kind == RuleKind.CONTINUE_LOOP;
      case COUNT, LENGTH, START, CONSENT, MAPPING -> false;
    };
  }

  /// Whether there are no conditions. An empty list counts as none, for programs that write rules.
  private boolean withoutConditions() {
    if (conditions == null || conditions.node().isArray() && conditions.node().isEmpty()) {
      return true;
    }
    conditions.bad("must be left out: " + kind.pascal() + " takes no conditions");
    return false;
  }

  private @Nullable RuleType nothing() {
    if (value == null) {
      return kind.given(RuleType.NOTHING);
    }
    value.bad("must be left out: " + kind.pascal() + " takes no value");
    return null;
  }

  private @Nullable Integer count() {
    StatedValue count = needed("a number of calls, such as { " + kind.pascal() + " = 3 }");
    if (count != null && count.node().isIntegralNumber() && count.node().doubleValue() < 0) {
      count.bad("must not be negative, and is " + count.node());
      return null;
    }
    return count == null ? null : count.whole(0, Integer.MAX_VALUE);
  }

  private @Nullable String length() {
    StatedValue given = needed(Durations.FORMS);
    Duration length = given == null ? null : given.duration();
    if (length != null && length.isZero() && kind == RuleKind.PERIODIC) {
      needs("more than 0 between two calls");
      return null;
    }
    return length == null ? null : Durations.text(length);
  }

  /// A list of tools, or a table.
  private @Nullable RuleType children() {
    if (value == null || !value.node().isObject()) {
      return given(names());
    }
    RuleKeys.Children table = value.bind(RuleKeys.Children.class);
    if (table == null) {
      return null;
    }
    StatedValue stated = table.args();
    if (stated != null && kind == RuleKind.PARENT) {
      stated.bad("must be left out: only Child sets arguments");
      return null;
    }
    Json args = stated == null ? null : argsByChild(stated);
    if (table.children() == null) {
      needs("children = [..]");
      return null;
    }
    List<String> names = names(table.children());
    if (names == null || stated != null && args == null) {
      return null;
    }
    ObjectNode form = Codec.object();
    names.forEach(form.putArray("children")::add);
    return given(args == null ? form : form.set("args", args.tree()));
  }

  private static @Nullable Json argsByChild(StatedValue stated) {
    String form = "a table of arguments by child, such as { send = { to = \"me\" } }";
    Json args = stated.table(form);
    if (args == null) {
      return null;
    }
    if (args.tree().valueStream().allMatch(JsonNode::isObject)) {
      return args;
    }
    stated.report(Severity.ERROR, FaultClass.WRONG_TYPE, stated.path() + " must be " + form);
    return null;
  }

  private @Nullable RuleType mapping() {
    StatedValue given = needed("a mapping, such as { mapping = { yes = \"book\" } }");
    RuleKeys.Conditional table = given == null ? null : given.bind(RuleKeys.Conditional.class);
    if (given == null || table == null) {
      return null;
    }
    StatedValue stated = table.mapping();
    if (stated == null) {
      needs("a mapping, such as { mapping = { yes = \"book\" } }");
      return null;
    }
    String form = "a table of tools by result, such as { yes = \"book\" }";
    Json tools = stated.table(form);
    boolean names = tools != null && tools.tree().valueStream().allMatch(JsonNode::isString);
    if (tools == null || !names) {
      if (tools != null) {
        stated.report(Severity.ERROR, FaultClass.WRONG_TYPE, stated.path() + " must be " + form);
      }
      return null;
    }
    Map<String, String> mapping = new LinkedHashMap<>();
    tools.tree().forEachEntry((result, tool) -> mapping.put(result, tool.stringValue()));
    boolean requireMatch = requireNonNullElse(table.requireMatch(), false);
    return new RuleType.Conditional(mapping, table.pointer(), table.otherwise(), requireMatch);
  }

  private @Nullable StatedValue needed(String what) {
    if (value == null) {
      needs(what);
    }
    return value;
  }

  private void needs(String what) {
    stated.report(
        Severity.ERROR,
        FaultClass.BAD_VALUE,
        stated.path() + ": " + kind.pascal() + " needs " + what);
  }

  private @Nullable RuleType start() {
    if (value == null) {
      return kind.given(RuleType.NOTHING);
    }
    RuleKeys.StartConstraint table = value.bind(RuleKeys.StartConstraint.class);
    StatedValue stated = table == null ? null : table.args();
    Json args = stated == null ? null : stated.table("a table of arguments, or its JSON text");
    return table == null || stated != null && args == null
        ? null
        : new RuleType.StartConstraint(args, requireNonNullElse(table.auto(), true));
  }

  private @Nullable RuleType consent() {
    if (value == null) {
      return kind.given(RuleType.NOTHING);
    }
    RuleKeys.RequiresConsent table = value.bind(RuleKeys.RequiresConsent.class);
    StatedValue stated = table == null ? null : table.when();
    Json when = stated == null ? null : stated.table("a JSON Schema: a table, or its JSON text");
    return table == null || stated != null && (when == null || !isSchema(when, stated))
        ? null
        : new RuleType.RequiresConsent(table.scope(), when, table.bind());
  }

  private static boolean isSchema(Json schema, StatedValue place) {
    ObjectNode around = Codec.object().put("type", "object");
    around.putArray("allOf").add(schema.tree());
    if (schema.tree().has("$defs")) {
      around.set("$defs", schema.tree().get("$defs"));
    }
    List<String> faults = ParameterSchema.faultsOf("", Json.of(around), false);
    faults.forEach(fault -> place.bad("is not a JSON Schema: " + sentence(fault)));
    return faults.isEmpty();
  }

  private static String sentence(String fault) {
    return fault
        .replace("tool '': ", "")
        .replace("parameters.allOf[0]", "when")
        .replaceAll("\\.$", "");
  }

  private @Nullable List<String> names() {
    StatedValue list = list();
    return list == null ? null : names(list);
  }

  private @Nullable List<List<String>> groups() {
    StatedValue list = list();
    if (list == null) {
      return null;
    }
    boolean nested =
        list.node().isArray() && list.node().valueStream().anyMatch(item -> item.isArray());
    List<List<String>> groups = new ArrayList<>();
    for (StatedValue group : nested ? list.items() : List.of(list)) {
      List<String> names = nested ? all(group) : names(group);
      if (names == null) {
        return null;
      }
      groups.add(names);
    }
    return groups;
  }

  /// The list of names, in one of the two places, but not in both.
  private @Nullable StatedValue list() {
    boolean conditionsAreEmpty = conditions == null || conditions.node().isEmpty();
    if (value != null && conditions != null && !conditionsAreEmpty) {
      conditions.bad("must be left out: rule_type holds the list already");
      return null;
    }
    StatedValue list = value == null ? conditions : value;
    if (list == null) {
      needs("conditions = [..]");
    }
    return list;
  }

  private static @Nullable List<String> names(StatedValue list) {
    if (list.isString()) {
      String single = list.filledText();
      return single == null ? null : List.of(single);
    }
    return all(list);
  }

  private static @Nullable List<String> all(StatedValue list) {
    List<String> names = list.texts();
    return list.node().isArray() && names.size() == list.node().size() ? names : null;
  }
}
