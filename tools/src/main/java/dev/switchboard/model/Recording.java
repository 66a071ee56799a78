package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A recording.
///
/// @param name of its file, for messages
/// @param model the name of the recorded model
record Recording(String name, String model, List<RecordedExchange> entries) {
  static final int VERSION = 1;

  private static final String HEADER = "{\"recording\":1,\"model\":\"...\"}";

  /// @param line its number, from 1
  record RecordedExchange(int line, Exchange exchange) {}

  /// The recording of these lines.
  ///
  /// @throws IllegalArgumentException when they are not one, with the line and what is wrong
  static Recording read(String name, List<String> lines) {
    String model = null;
    ExchangeLines reader = new ExchangeLines();
    List<RecordedExchange> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      try {
        JsonNode line = Json.text(lines.get(i)).tree();
        if (model == null) {
          model = header(line);
        } else {
          entries.add(new RecordedExchange(i + 1, reader.read(line)));
        }
      } catch (JsonException | IllegalArgumentException e) {
        throw new IllegalArgumentException(name + ":" + (i + 1) + ": " + fault(e), e);
      }
    }
    return new Recording(name, whole(name, model), List.copyOf(entries));
  }

  /// The message without a line number, which would not be the file's.
  private static String fault(RuntimeException e) {
    return String.valueOf(e.getMessage()).replace("(line 1, column ", "(column ");
  }

  private static String whole(String name, @Nullable String model) {
    if (model == null) {
      throw new IllegalArgumentException(name + ":1: is empty: a recording begins with " + HEADER);
    }
    return model;
  }

  private static String header(JsonNode line) {
    JsonNode version = line.path("recording");
    if (!version.isInt()) {
      throw new IllegalArgumentException("is not a recording: one begins with " + HEADER);
    }
    if (version.intValue() != VERSION) {
      throw new IllegalArgumentException(
          "is a recording of version " + version + "; version " + VERSION + " can be read");
    }
    return line.path("model").asString("model");
  }
}
