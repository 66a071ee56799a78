package dev.switchboard.json;

import org.jspecify.annotations.Nullable;

/// The version of Jackson on the class path, which the application may determine.
///
/// It refers to no class of Jackson, so that it works without it.
final class Jackson {
  private static final String ANNOTATIONS =
      "An older com.fasterxml.jackson.core:jackson-annotations stands in the way of Jackson 3,"
          + " which needs 2.21 or newer: with Spring Boot add"
          + " <jackson-bom.version>2.21.0</jackson-bom.version> to the properties of your POM,"
          + " elsewhere depend on jackson-annotations 2.21.";
  private static final String MISSING =
      "Jackson 3 cannot be loaded: add tools.jackson.core:jackson-databind to the class path.";

  private static final @Nullable LinkageError FAULT = fault();

  private Jackson() {}

  /// Throws, at every call, if Jackson is missing or too old.
  ///
  /// @throws IllegalStateException with a sentence that names the remedy
  static void check() {
    if (FAULT != null) {
      throw new IllegalStateException(remedy(FAULT), FAULT);
    }
  }

  private static @Nullable LinkageError fault() {
    try {
      Codec.Mapping.load();
      return null;
    } catch (LinkageError e) {
      return e;
    }
  }

  private static String remedy(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains("com/fasterxml/jackson/annotation/")) {
        return ANNOTATIONS;
      }
    }
    return MISSING;
  }
}
