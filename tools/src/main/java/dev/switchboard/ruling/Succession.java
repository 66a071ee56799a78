package dev.switchboard.ruling;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType;
import dev.switchboard.tool.ToolResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rules about the step after a tool's success, and the arguments that rules set in its calls.
///
/// @param counts whether any rule of the agent limits the next step
/// @param limits the rules about the tools after a success of this one
/// @param prefills by priority
record Succession(boolean counts, List<RuleType> limits, List<Prefill> prefills) {
  /// The tools that may follow this success, by each rule that limits them.
  List<Set<String>> after(ToolResult result) {
    List<Set<String>> sets = new ArrayList<>();
    for (RuleType limit : limits) {
      if (limit instanceof RuleType.Conditional conditional) {
        String tool = next(conditional, result);
        if (tool != null || conditional.requireMatch()) {
          sets.add(tool == null ? Set.of() : Set.of(tool));
        }
      } else {
        sets.add(Set.copyOf(limit.tools()));
      }
    }
    return sets;
  }

  private static @Nullable String next(RuleType.Conditional rule, ToolResult result) {
    JsonNode value = value(rule.at(), result);
    for (var entry : rule.mapping().entrySet()) {
      if (value != null && isSame(value, entry.getKey())) {
        return entry.getValue();
      }
    }
    return rule.otherwise();
  }

  /// The compared part of a result, null if it has none. A text may be JSON, as of a handler that
  /// returns a number.
  private static @Nullable JsonNode value(@Nullable String at, ToolResult result) {
    JsonNode whole = result.data() == null ? read(result.text()) : result.data().tree();
    if (at == null) {
      return whole;
    }
    JsonNode part = whole == null ? null : whole.at(at);
    return part == null || part.isMissingNode() ? null : part;
  }

  private static @Nullable JsonNode read(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Json.text(text).tree();
    } catch (JsonException e) {
      // Plain text, as most tools return it.
      return Codec.object().put("words", text).get("words");
    }
  }

  private static boolean isSame(JsonNode value, String key) {
    return switch (value.getNodeType()) {
      case STRING -> value.stringValue().equals(key);
      case BOOLEAN -> String.valueOf(value.booleanValue()).equals(key);
      case NUMBER -> isSame(value.decimalValue(), read(key));
      case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> false;
    };
  }

  private static boolean isSame(BigDecimal value, @Nullable JsonNode key) {
    return key != null && key.isNumber() && key.decimalValue().compareTo(value) == 0;
  }

  /// The members that rules set in a call now, null for none; the rule of the higher priority wins.
  @Nullable ObjectNode prefilled(RuleState state, Tallies agent) {
    ObjectNode members = null;
    for (Prefill prefill : prefills) {
      if (prefill.holds(state, agent)) {
        members = members == null ? Codec.object() : members;
        for (var member : prefill.args().tree().properties()) {
          members.putIfAbsent(member.getKey(), member.getValue());
        }
      }
    }
    return members;
  }
}
