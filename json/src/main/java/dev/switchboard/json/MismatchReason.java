package dev.switchboard.json;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/// Why JSON does not fit a record, as a clause.
final class MismatchReason {
  private MismatchReason() {}

  static String of(JacksonException fault) {
    if (fault instanceof InvalidTypeIdException unknown) {
      String type = unknown.getTypeId();
      return type == null
          ? member(fault) + " has no type"
          : "'" + type + "' is not a type that is known here";
    }
    if (fault instanceof ValueInstantiationException refused && refused.getCause() != null) {
      return String.valueOf(refused.getCause().getMessage());
    }
    String member = member(fault);
    if (String.valueOf(fault.getOriginalMessage()).startsWith("Missing required creator")) {
      return member + " is missing";
    }
    return fault instanceof MismatchedInputException wrong
        ? member + " must be " + wanted(wrong.getTargetType())
        : member + " cannot be read";
  }

  private static String member(JacksonException fault) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : fault.getPath()) {
      String name = step.getPropertyName();
      path.append(name == null ? "[" + step.getIndex() + "]" : path.isEmpty() ? name : "." + name);
    }
    return path.isEmpty() ? "it" : "'" + path + "'";
  }

  private static String wanted(@Nullable Class<?> type) {
    if (type == null) {
      return "another value";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(one -> ((Enum<?>) one).name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type == String.class || type == Json.class) {
      return "a text";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == Instant.class) {
      return "a time";
    }
    return type.isPrimitive() || Number.class.isAssignableFrom(type)
        ? "a whole number"
        : "an object";
  }
}
