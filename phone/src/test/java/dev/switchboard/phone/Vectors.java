package dev.switchboard.phone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The cases of `cases.json`: sentences of the contract as data.
public final class Vectors {
  private static final JsonNode ALL = load();

  private Vectors() {}

  /// What the case of this id begins with.
  public static JsonNode given(String id) {
    return byId(id).path("given");
  }

  /// What is expected of the case of this id.
  public static JsonNode expect(String id) {
    return byId(id).path("expect");
  }

  /// The ids of the cases of these areas.
  static Set<String> ids(Set<String> areas) {
    return ALL.valueStream()
        .filter(each -> areas.contains(each.path("area").stringValue()))
        .map(each -> each.path("id").stringValue())
        .collect(Collectors.toCollection(TreeSet::new));
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
