package dev.switchboard.json;

import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Something stored that cannot be read; its message is the rest of a sentence.
public final class UnreadableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private UnreadableException(String message) {
    super(message);
  }

  /// The result of that reading of JSON that names this version.
  ///
  /// @throws UnreadableException when it names another, or cannot be read
  public static <T> T guarded(Json json, int wanted, Function<JsonNode, T> reading) {
    int version;
    try {
      JsonNode in = json.tree();
      version = in.path("v").asInt(0);
      if (version == wanted) {
        return reading.apply(in);
      }
    } catch (RuntimeException e) {
      // Without the cause: its message may hold what was said.
      throw new UnreadableException("is damaged");
    }
    throw new UnreadableException(
        version == 0
            ? "is damaged"
            : "is of version %d, and only version %d can be read".formatted(version, wanted));
  }
}
