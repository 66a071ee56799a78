package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The two ways of a check, each for itself.
public final class Ways {
  private Ways() {}

  /// The shape of a schema without faults.
  static Shape compiled(JsonNode schema) {
    return SchemaCompiler.compile(schema, new References(schema), part -> true, withoutValue -> {});
  }

  /// Whether the fast way accepts the text.
  public static boolean fast(Plan plan, String text) {
    try {
      bound(plan, text);
      return true;
    } catch (Mismatch | JacksonException e) {
      return false;
    }
  }

  /// What the fast way binds.
  public static @Nullable Object bound(Plan plan, String text) {
    try (JsonTokens in = JsonTokens.of(text, Faults.LEAST_STEPS)) {
      in.next();
      Object bound = plan.shape().read(in);
      in.end();
      return bound;
    }
  }

  /// Whether the slow way accepts the text.
  public static boolean slow(Plan plan, String text) {
    Reading reading = Reading.of(text);
    Faults faults = reading.faults();
    if (reading.tree() != null) {
      plan.shape().explain(reading.tree(), Place.ROOT, faults);
    }
    return faults.isEmpty();
  }

  /// The tree of a text that is JSON of whole characters, each member once; else null.
  public static @Nullable JsonNode tree(String text) {
    Reading reading = Reading.of(text);
    return reading.faults().isEmpty() ? reading.tree() : null;
  }
}
