package dev.switchboard.check;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The repair of common mistakes of models, guided by the schema. The result is checked again.
final class Repair {
  /// Repaired arguments.
  ///
  /// @param notes the repairs, a sentence each
  record Repaired(Json arguments, List<String> notes) {}

  private final List<String> notes = new ArrayList<>();
  private final Faults budget;

  private Repair(Faults budget) {
    this.budget = budget;
  }

  /// The repaired arguments, or null if nothing can be repaired.
  static @Nullable Repaired of(String text, Shape shape, Faults budget) {
    Repair repair = new Repair(budget);
    try {
      return repair.of(text, shape);
    } catch (Mismatch | StackOverflowError e) {
      // Too costly to repair.
      return null;
    }
  }

  private @Nullable Repaired of(String text, Shape shape) {
    JsonNode tree = read(text, Place.ROOT);
    if (tree == null) {
      return null;
    }
    JsonNode mended = mend(container(tree, true, Place.ROOT), shape, Place.ROOT);
    return notes.isEmpty() ? null : new Repaired(Json.of(mended), List.copyOf(notes));
  }

  private void note(Place at, String what) {
    String pointer = at.pointer();
    notes.add((pointer.isEmpty() ? "the arguments" : pointer) + ": " + what);
  }

  private @Nullable JsonNode read(String text, Place at) {
    Reading reading = Reading.of(text);
    if (reading.tree() == null) {
      String shorter = withoutTrailingCommas(text);
      reading = shorter.equals(text) ? reading : Reading.of(shorter);
      if (reading.tree() != null) {
        note(at, "trailing comma left out");
      }
    }
    return reading.faults().isEmpty() ? reading.tree() : null;
  }

  /// The text without commas before the end of an object or an array, outside strings.
  private static String withoutTrailingCommas(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean inString = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inString) {
        out.append(c);
        if (c == '\\' && i + 1 < text.length()) {
          out.append(text.charAt(++i));
        }
        inString = c != '"';
      } else {
        inString = c == '"';
        if (c != ',' || !endsAfter(text, i + 1)) {
          out.append(c);
        }
      }
    }
    return out.toString();
  }

  private static boolean endsAfter(String text, int from) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() && (text.charAt(at) == '}' || text.charAt(at) == ']');
  }

  private JsonNode mend(JsonNode value, Shape shape, Place at) {
    budget.step();
    return switch (shape) {
      case ReferenceShape reference -> mend(value, reference.target(), at);
      case NullableShape nullable -> value.isNull() ? value : mend(value, nullable.content(), at);
      case ConstructedShape made -> mend(value, made.content(), at);
      case ObjectShape object -> members(container(value, true, at), object, at);
      case MapShape map -> values(container(value, true, at), map, at);
      case TaggedShape tagged -> tagged(container(value, true, at), tagged, at);
      case ArrayShape array -> items(list(value, at), array, at);
      case IntegerShape _whole -> number(value, shape, at);
      case NumberShape _number -> number(value, shape, at);
      case BooleanShape _boolean -> truth(value, at);
      case EnumShape words -> word(value, List.copyOf(words.constants().keySet()), at);
      case ConstantShape constants -> constant(value, constants, at);
      case ByTypeShape types -> typed(value, types, at);
      case UnionShape union -> first(value, union.alternatives(), at);
      case AllShape all -> all(value, all, at);
      case AnyShape _any -> value;
      case NeverShape _never -> value;
      case ConditionalShape _condition -> value;
      case ContainsShape _some -> value;
      case MembersShape _members -> value;
      case UnevaluatedShape _others -> value;
      case StringShape _string -> value;
    };
  }

  /// The object or array that was sent as text, or the value itself.
  private JsonNode container(JsonNode value, boolean object, Place at) {
    if (!value.isString()) {
      return value;
    }
    int before = notes.size();
    JsonNode inner = read(value.stringValue(), at);
    if (inner == null || (object ? !inner.isObject() : !inner.isArray())) {
      notes.subList(before, notes.size()).clear();
      return value;
    }
    note(at, "string read as " + (object ? "object" : "array"));
    return inner;
  }

  private JsonNode members(JsonNode value, ObjectShape shape, Place at) {
    if (!value.isObject()) {
      return value;
    }
    ObjectNode mended = Codec.object();
    value.forEachEntry((name, member) -> {
      Shape expected = shape.member(name);
      mended.set(name, expected == null ? member : mend(member, expected, at.child(name)));
    });
    return mended;
  }

  private JsonNode values(JsonNode value, MapShape shape, Place at) {
    if (!value.isObject()) {
      return value;
    }
    ObjectNode mended = Codec.object();
    value.forEachEntry(
        (name, member) -> mended.set(name, mend(member, shape.values(), at.child(name))));
    return mended;
  }

  private JsonNode tagged(JsonNode value, TaggedShape shape, Place at) {
    if (!value.isObject() || !value.path(shape.tag()).isString()) {
      return value;
    }
    JsonNode word =
        word(
            value.path(shape.tag()), List.copyOf(shape.variants().keySet()), at.child(shape.tag()));
    ObjectShape variant = shape.variants().get(word.stringValue());
    if (variant == null) {
      return value;
    }
    ObjectNode renamed = value.deepCopy().asObject();
    renamed.set(shape.tag(), word);
    return members(renamed, variant, at);
  }

  private JsonNode list(JsonNode value, Place at) {
    JsonNode read = container(value, false, at);
    if (read.isArray() || read.isNull()) {
      return read;
    }
    note(at, ValueText.of(value) + " read as a list of one");
    return JsonNodeFactory.instance.arrayNode().add(value);
  }

  private JsonNode items(JsonNode value, ArrayShape shape, Place at) {
    if (!value.isArray()) {
      return value;
    }
    ArrayNode mended = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < value.size(); i++) {
      mended.add(mend(value.get(i), shape.shapeAt(i), at.child(i)));
    }
    return mended;
  }

  private JsonNode number(JsonNode value, Shape shape, Place at) {
    JsonNode number = value.isString() ? Reading.of(value.stringValue()).tree() : null;
    if (number == null || !number.isNumber() || !shape.accepts(number, budget)) {
      return value;
    }
    note(at, ValueText.of(value) + " read as " + number);
    return number;
  }

  private JsonNode truth(JsonNode value, Place at) {
    String word = value.isString() ? value.stringValue().toLowerCase(Locale.ROOT) : "";
    if (!word.equals("true") && !word.equals("false")) {
      return value;
    }
    note(at, ValueText.of(value) + " read as " + word);
    return JsonNodeFactory.instance.booleanNode(word.equals("true"));
  }

  private JsonNode word(JsonNode value, List<String> words, Place at) {
    if (!value.isString() || words.contains(value.stringValue())) {
      return value;
    }
    List<String> meant =
        words.stream().filter(word -> word.equalsIgnoreCase(value.stringValue())).toList();
    if (meant.size() != 1) {
      return value;
    }
    note(at, ValueText.of(value) + " read as " + ValueText.quoted(meant.getFirst()));
    return JsonNodeFactory.instance.stringNode(meant.getFirst());
  }

  private JsonNode constant(JsonNode value, ConstantShape shape, Place at) {
    List<String> words =
        shape.values().stream().filter(JsonNode::isString).map(JsonNode::stringValue).toList();
    JsonNode word = word(value, words, at);
    if (!value.isString() || shape.accepts(word, budget)) {
      return word;
    }
    JsonNode scalar = Reading.of(value.stringValue()).tree();
    if (scalar == null || scalar.isNull() || !shape.accepts(scalar, budget)) {
      return value;
    }
    note(at, ValueText.of(value) + " read as " + scalar);
    return scalar;
  }

  private JsonNode typed(JsonNode value, ByTypeShape shape, Place at) {
    JsonType type = JsonType.of(value);
    Shape own = type == null ? null : shape.shapes().get(type);
    return own == null
        ? first(value, List.copyOf(shape.shapes().values()), at)
        : mend(value, own, at);
  }

  /// The first repair of the value that one of the shapes accepts.
  private JsonNode first(JsonNode value, List<Shape> shapes, Place at) {
    if (shapes.stream().anyMatch(shape -> shape.accepts(value, budget))) {
      return value;
    }
    int before = notes.size();
    for (Shape shape : shapes) {
      JsonNode mended = mend(value, shape, at);
      if (shape.accepts(mended, budget)) {
        return mended;
      }
      notes.subList(before, notes.size()).clear();
    }
    return value;
  }

  private JsonNode all(JsonNode value, AllShape shape, Place at) {
    JsonNode mended = value;
    for (Shape part : shape.parts()) {
      mended = mend(mended, part, at);
    }
    return mended;
  }
}
