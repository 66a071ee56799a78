package dev.switchboard.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The cases of `cases.json`: sentences of the contract as data.
final class Vectors {
  private static final JsonNode ALL = load();

  private Vectors() {}

  /// What the case of this id begins with.
  static JsonNode given(String id) {
    return byId(id).path("given");
  }

  /// What is expected of the case of this id.
  static JsonNode expect(String id) {
    return byId(id).path("expect");
  }

  /// The ids of all cases.
  static List<String> ids() {
    return ALL.valueStream().map(each -> each.path("id").stringValue()).toList();
  }

  private static JsonNode byId(String id) {
    for (JsonNode each : ALL) {
      if (each.path("id").stringValue().equals(id)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no vector " + id);
  }

  private static JsonNode load() {
    try (InputStream file = Vectors.class.getResourceAsStream("/cases.json")) {
      return JsonMapper.shared().readTree(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
