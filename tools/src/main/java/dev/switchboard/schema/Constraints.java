package dev.switchboard.schema;

import dev.switchboard.tool.Range;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The constraints of a component's annotations: our own [Range] and those of Jakarta Validation,
/// which are recognized by name, so that the library is not needed.
final class Constraints {
  private @Nullable BigDecimal least;
  private @Nullable BigDecimal greatest;
  private boolean aboveLeast;
  private boolean belowGreatest;
  private @Nullable BigDecimal step;
  private boolean numeric;

  private int leastSize;
  private int mostSize = Integer.MAX_VALUE;
  private boolean sized;

  private final List<String> patterns = new ArrayList<>();
  private boolean email;

  /// @throws IllegalArgumentException for a constraint that JSON Schema cannot express
  static Constraints of(Annotations annotations) {
    Constraints constraints = new Constraints();
    annotations.list().forEach(constraints::read);
    return constraints;
  }

  private void read(Annotation annotation) {
    String name = annotation.annotationType().getName();
    if (annotation instanceof Range range) {
      range(range);
    } else if (name.matches("(jakarta|javax)\\.validation\\.constraints\\..*")) {
      if (name.endsWith("$List")) {
        for (Annotation each : (Annotation[]) attribute(annotation, "value")) {
          read(each);
        }
      } else if (Array.getLength(attribute(annotation, "groups")) == 0) {
        jakarta(annotation.annotationType().getSimpleName(), annotation);
      }
    }
  }

  private void range(Range range) {
    if (!Double.isInfinite(range.min())) {
      atLeast(BigDecimal.valueOf(range.min()), false);
    }
    if (!Double.isInfinite(range.max())) {
      atMost(BigDecimal.valueOf(range.max()), false);
    }
  }

  private void jakarta(String name, Annotation annotation) {
    switch (name) {
      case "Min" -> atLeast(BigDecimal.valueOf((long) attribute(annotation, "value")), false);
      case "Max" -> atMost(BigDecimal.valueOf((long) attribute(annotation, "value")), false);
      case "DecimalMin" ->
          atLeast(decimal(annotation), !(boolean) attribute(annotation, "inclusive"));
      case "DecimalMax" ->
          atMost(decimal(annotation), !(boolean) attribute(annotation, "inclusive"));
      case "Positive" -> atLeast(BigDecimal.ZERO, true);
      case "PositiveOrZero" -> atLeast(BigDecimal.ZERO, false);
      case "Negative" -> atMost(BigDecimal.ZERO, true);
      case "NegativeOrZero" -> atMost(BigDecimal.ZERO, false);
      case "Digits" ->
          digits((int) attribute(annotation, "integer"), (int) attribute(annotation, "fraction"));
      case "Size" -> size((int) attribute(annotation, "min"), (int) attribute(annotation, "max"));
      case "NotEmpty" -> size(1, Integer.MAX_VALUE);
      case "NotBlank" -> patterns.add("\\S");
      case "Email" -> email = true;
      case "Pattern" -> pattern(annotation);
      case "NotNull" -> {}
      default ->
          throw new IllegalArgumentException(
              "is annotated with @" + name + ", which JSON Schema cannot express");
    }
  }

  private static Object attribute(Annotation annotation, String name) {
    return Objects.requireNonNull(new ForeignAnnotation(annotation).attribute(name));
  }

  private static BigDecimal decimal(Annotation annotation) {
    return new BigDecimal((String) attribute(annotation, "value"));
  }

  private void pattern(Annotation annotation) {
    if (Array.getLength(attribute(annotation, "flags")) > 0) {
      throw new IllegalArgumentException(
          "has a @Pattern with flags, which JSON Schema cannot express");
    }
    patterns.add("^(?:" + attribute(annotation, "regexp") + ")$");
  }

  private void digits(int integer, int fraction) {
    BigDecimal bound = BigDecimal.TEN.pow(integer);
    atLeast(bound.negate(), true);
    atMost(bound, true);
    step = BigDecimal.ONE.movePointLeft(fraction);
  }

  private void size(int min, int max) {
    leastSize = Math.max(leastSize, min);
    mostSize = Math.min(mostSize, max);
    sized = true;
  }

  private void atLeast(BigDecimal bound, boolean exclusive) {
    numeric = true;
    int order = least == null ? 1 : bound.compareTo(least);
    if (order > 0 || (order == 0 && exclusive)) {
      least = bound;
      aboveLeast = exclusive;
    }
  }

  private void atMost(BigDecimal bound, boolean exclusive) {
    numeric = true;
    int order = greatest == null ? -1 : bound.compareTo(greatest);
    if (order < 0 || (order == 0 && exclusive)) {
      greatest = bound;
      belowGreatest = exclusive;
    }
  }

  /// Checks that all constraints have these kinds.
  ///
  /// @throws IllegalArgumentException that names the kind that does not fit the type
  Constraints only(boolean numbers, boolean sizes, boolean texts) {
    if (numeric && !numbers) {
      throw new IllegalArgumentException("has bounds, but is not a number");
    }
    if (sized && !sizes) {
      throw new IllegalArgumentException("has a size, but is neither text nor a collection");
    }
    if ((email || !patterns.isEmpty()) && !texts) {
      throw new IllegalArgumentException("has a pattern, but is not text");
    }
    return this;
  }

  /// Writes the bounds of a number; those of integers always as inclusive ones.
  void writeBounds(ObjectNode schema) {
    boolean whole = schema.path("type").asString("").equals("integer");
    if (least != null) {
      boolean next = aboveLeast && whole && isWhole(least);
      BigDecimal bound = next ? least.add(BigDecimal.ONE) : least;
      put(schema, aboveLeast && !next ? "exclusiveMinimum" : "minimum", bound);
    }
    if (greatest != null) {
      boolean next = belowGreatest && whole && isWhole(greatest);
      BigDecimal bound = next ? greatest.subtract(BigDecimal.ONE) : greatest;
      put(schema, belowGreatest && !next ? "exclusiveMaximum" : "maximum", bound);
    }
    if (step != null && !(whole && step.compareTo(BigDecimal.ONE) <= 0)) {
      put(schema, "multipleOf", step);
    }
  }

  private static boolean isWhole(BigDecimal number) {
    return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
  }

  private static void put(ObjectNode schema, String keyword, BigDecimal number) {
    boolean fewDigits = number.precision() - number.scale() <= 20;
    if (fewDigits && isWhole(number)) {
      schema.put(keyword, number.toBigIntegerExact());
    } else {
      schema.put(keyword, number);
    }
  }

  /// Writes the limits of the number of characters, items or members.
  void writeSize(ObjectNode schema, String parts) {
    if (leastSize > 0) {
      schema.put("min" + parts, leastSize);
    }
    if (mostSize < Integer.MAX_VALUE) {
      schema.put("max" + parts, mostSize);
    }
  }

  /// Writes the constraints of a text.
  void writeText(ObjectNode schema) {
    if (email) {
      schema.put("format", "email");
    }
    writeSize(schema, "Length");
    for (String pattern : patterns) {
      if (!schema.has("pattern")) {
        schema.put("pattern", pattern);
      } else {
        schema.withArray("allOf").addObject().put("pattern", pattern);
      }
    }
  }

  List<String> patterns() {
    return patterns;
  }
}
