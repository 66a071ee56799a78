package dev.switchboard.guard;

import dev.switchboard.guard.Guards.Report;
import dev.switchboard.guard.Guards.Verdict;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.tool.ToolCall;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// One check of some guardrails over related texts, such as a call's arguments. For one thread.
final class Sweep {
  /// The maximum number of digits of a JSON number that is checked as a text.
  private static final int MOST_DIGITS = 100;

  private final List<Guard> guards;
  private final Place place;
  private final @Nullable ToolCall call;
  private final Map<Guard, Integer> found = new LinkedHashMap<>();
  private final Map<Guard, String> errors = new LinkedHashMap<>();
  private boolean changed;

  Sweep(List<Guard> guards, Place place, @Nullable ToolCall call) {
    this.guards = guards;
    this.place = place;
    this.call = call;
  }

  /// Runs the guardrails that judge the whole; the others check each text.
  void judge(String whole) {
    for (Guard guard : guards) {
      if (guard.wantsAll() && !look(guard, whole).isEmpty()) {
        changed |= guard.rail().then() instanceof Guardrail.Redact;
      }
    }
  }

  private List<Span> look(Guard guard, String text) {
    if (errors.containsKey(guard)) {
      // A check that hangs is waited for only once.
      return List.of();
    }
    Guard.Look look = guard.look(text);
    if (look.error() != null) {
      errors.put(guard, look.error());
    }
    if (!look.spans().isEmpty()) {
      found.merge(guard, look.spans().size(), Integer::sum);
    }
    return look.spans();
  }

  /// The text with matches replaced.
  String text(String text) {
    String left = text;
    for (Guard guard : guards) {
      boolean replaces = guard.rail().then() instanceof Guardrail.Redact;
      if (guard.wantsAll()) {
        left = replaces && found.containsKey(guard) ? guard.replacement() : left;
        continue;
      }
      List<Span> spans = look(guard, left);
      if (replaces && !spans.isEmpty()) {
        left = Guard.replaced(left, spans, guard.replacement());
        changed = true;
      }
    }
    return left;
  }

  /// The JSON with matches in its texts, names and numbers replaced; the same object if there are
  /// none.
  Json json(Json json) {
    boolean before = changed;
    changed = false;
    try {
      JsonNode left = node(json.tree());
      return changed ? Json.of(left) : json;
    } catch (JsonException e) {
      // Not JSON: checked as a text.
      String left = text(json.text());
      return changed ? Json.text(left) : json;
    } finally {
      changed |= before;
    }
  }

  private JsonNode node(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode left = Codec.object();
      for (var member : object.properties()) {
        left.set(unused(text(member.getKey()), member.getKey(), left), node(member.getValue()));
      }
      return left;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode left = Codec.object().putArray("");
      array.forEach(child -> left.add(node(child)));
      return left;
    }
    if (node.isString() || node.isNumber()) {
      String text = node.isNumber() ? digits(node) : node.asString();
      String left = text(text);
      return left.equals(text) ? node : StringNode.valueOf(left);
    }
    return node;
  }

  /// A unique name for a renamed member.
  private static String unused(String name, String before, ObjectNode object) {
    String unused = name;
    for (int i = 2; !name.equals(before) && object.has(unused); i++) {
      unused = name + " " + i;
    }
    return unused;
  }

  /// The number without an exponent, if that is short.
  private static String digits(JsonNode number) {
    BigDecimal value = number.isFloatingPointNumber() ? decimal(number.asString()) : null;
    return value == null || Math.abs((long) value.scale()) > MOST_DIGITS
        ? number.asString()
        : value.toPlainString();
  }

  private static @Nullable BigDecimal decimal(String number) {
    try {
      return number.length() > MOST_DIGITS ? null : new BigDecimal(number);
    } catch (NumberFormatException e) {
      return null; // such as Infinity
    }
  }

  boolean changed() {
    return changed;
  }

  /// Whether instructions were found in data.
  boolean fences() {
    return found.keySet().stream().anyMatch(guard -> guard.rail().check() == Known.INSTRUCTIONS);
  }

  /// The verdict over all checked texts.
  ///
  /// @param text the remaining one
  Verdict verdict(String text) {
    List<String> asks = new ArrayList<>();
    for (Guard guard : guards) {
      boolean failed = errors.containsKey(guard) && guard.rail().blocksOnError();
      boolean finds = found.containsKey(guard);
      if (failed || finds && guard.rail().then() instanceof Guardrail.Block) {
        return new Verdict(text, substitute(guard), guard.rail().name(), List.of());
      }
      if (finds && guard.rail().then() instanceof Guardrail.Ask) {
        asks.add(guard.rail().name());
      }
    }
    return new Verdict(text, null, null, asks);
  }

  static String substitute(Guard guard) {
    return guard.rail().then() instanceof Guardrail.Block(String say) ? say : Guardrail.SUBSTITUTE;
  }

  /// Reports matches and failures.
  void report(Consumer<Report> reports) {
    found.forEach((guard, times) ->
        reports.accept(new Report(guard.rail().name(), place, guard.action(), times, null, call)));
    errors.forEach((guard, why) -> {
      String then = guard.rail().blocksOnError() ? "block" : "allow";
      reports.accept(new Report(guard.rail().name(), place, then, 0, why, call));
    });
  }
}
