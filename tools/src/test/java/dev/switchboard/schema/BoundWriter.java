package dev.switchboard.schema;

import dev.switchboard.check.Samples;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Bound values written back as the JSON that they would be bound from.
final class BoundWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private BoundWriter() {}

  static JsonNode write(@Nullable Object value) {
    return switch (value) {
      case null -> NODES.nullNode();
      case Json json -> json.tree();
      case JsonNode node -> node;
      case Optional<?> optional -> optional.map(BoundWriter::write).orElse(NODES.nullNode());
      case OptionalInt optional ->
          optional.isPresent() ? NODES.numberNode(optional.getAsInt()) : NODES.nullNode();
      case OptionalLong optional ->
          optional.isPresent() ? NODES.numberNode(optional.getAsLong()) : NODES.nullNode();
      case OptionalDouble optional ->
          optional.isPresent()
              ? Samples.number(BigDecimal.valueOf(optional.getAsDouble()).toString())
              : NODES.nullNode();
      case Float number -> NODES.numberNode(BigDecimal.valueOf(number));
      case Double number -> NODES.numberNode(BigDecimal.valueOf(number));
      case BigDecimal number -> NODES.numberNode(number);
      case BigInteger number -> NODES.numberNode(number);
      case Number number -> NODES.numberNode(number.longValue());
      case OffsetDateTime time ->
          NODES.stringNode(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
      case ZonedDateTime time ->
          NODES.stringNode(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
      case Year year -> NODES.numberNode(year.getValue());
      case Boolean truth -> NODES.booleanNode(truth);
      case byte[] bytes -> NODES.stringNode(Base64.getEncoder().encodeToString(bytes));
      case char[] characters -> NODES.stringNode(new String(characters));
      case Enum<?> constant -> NODES.stringNode(constantName(constant));
      case Map<?, ?> map -> map(map);
      case Collection<?> items -> array(items.toArray());
      case Record object -> object(object);
      default -> value.getClass().isArray() ? array(value) : NODES.stringNode(value.toString());
    };
  }

  private static String constantName(Enum<?> constant) {
    return LeafSchemas.constants(constant.getDeclaringClass()).entrySet().stream()
        .filter(entry -> entry.getValue() == constant)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static JsonNode map(Map<?, ?> map) {
    ObjectNode object = Codec.object();
    map.forEach((key, value) ->
        object.set(
            key instanceof Enum<?> constant ? constantName(constant) : key.toString(),
            write(value)));
    return object;
  }

  private static JsonNode array(Object items) {
    ArrayNode array = NODES.arrayNode();
    for (int i = 0; i < Array.getLength(items); i++) {
      array.add(write(Array.get(items, i)));
    }
    return array;
  }

  private static JsonNode object(Record value) {
    ObjectNode object = Codec.object();
    for (Class<?> face : value.getClass().getInterfaces()) {
      if (face.isSealed()) {
        object.put("type", Records.typeOf(value.getClass()));
      }
    }
    var names = Component.of(TypeUse.of(value.getClass())).iterator();
    try {
      for (var component : value.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        JsonNode written = write(component.getAccessor().invoke(value));
        String name = names.next().name();
        object.set(name, written);
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
    return object;
  }
}
