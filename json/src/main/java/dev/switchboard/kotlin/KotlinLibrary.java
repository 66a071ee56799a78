package dev.switchboard.kotlin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Types of Kotlin's own libraries for which Java has one with a JSON Schema.
final class KotlinLibrary {
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("kotlin.UByte", "Int with @Range(min = 0.0, max = 255.0)"),
          Map.entry("kotlin.UShort", "Int with @Range(min = 0.0, max = 65535.0)"),
          Map.entry("kotlin.UInt", "Long with @Range(min = 0.0)"),
          Map.entry("kotlin.ULong", "java.math.BigInteger"),
          Map.entry("kotlin.text.Regex", "String"),
          Map.entry("kotlin.time.Duration", "java.time.Duration"),
          Map.entry("kotlin.time.Instant", "java.time.Instant"),
          Map.entry("kotlin.uuid.Uuid", "java.util.UUID"),
          Map.entry("kotlinx.datetime.Instant", "java.time.Instant"),
          Map.entry("kotlinx.datetime.LocalDate", "java.time.LocalDate"),
          Map.entry("kotlinx.datetime.LocalDateTime", "java.time.LocalDateTime"),
          Map.entry("kotlinx.datetime.LocalTime", "java.time.LocalTime"),
          Map.entry("kotlinx.datetime.DatePeriod", "java.time.Period"),
          Map.entry("kotlinx.datetime.YearMonth", "java.time.YearMonth"));

  private KotlinLibrary() {}

  /// Whether Java has another type for it.
  static boolean replaced(Class<?> type) {
    return INSTEAD.containsKey(type.getName());
  }

  /// Why a type of these libraries has no JSON Schema, a clause; null if it is not one of them.
  static @Nullable String instead(Class<?> type) {
    String name = type.getName();
    boolean own = name.startsWith("kotlin.") || name.startsWith("kotlinx.");
    if (!own || name.equals("kotlin.Pair") || name.equals("kotlin.Triple")) {
      return null;
    }
    String known = INSTEAD.get(name);
    return "is of the type "
        + type.getTypeName()
        + ", which has no JSON Schema here"
        + (known == null ? "" : ": use " + known);
  }
}
