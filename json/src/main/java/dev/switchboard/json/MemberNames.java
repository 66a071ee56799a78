package dev.switchboard.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/// The names in JSON of a class's members, by Jackson's annotations.
final class MemberNames {
  private MemberNames() {}

  /// The name of a member: the stated one, or else by its class's naming strategy.
  ///
  /// @throws IllegalArgumentException when the strategy cannot be used
  static String of(Class<?> type, String component, @Nullable JsonProperty stated) {
    if (stated != null && !stated.value().isEmpty()) {
      return stated.value();
    }
    JsonNaming naming = naming(type);
    if (naming == null || naming.value() == PropertyNamingStrategy.class) {
      return component;
    }
    try {
      PropertyNamingStrategy strategy = naming.value().getDeclaredConstructor().newInstance();
      return strategy.nameForField(null, null, component);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "is named by " + naming.value().getTypeName() + ", which cannot be used here", e);
    }
  }

  private static @Nullable JsonNaming naming(Class<?> type) {
    JsonNaming own = type.getAnnotation(JsonNaming.class);
    for (Class<?> parent : type.getInterfaces()) {
      own = own == null ? naming(parent) : own;
    }
    return own;
  }
}
