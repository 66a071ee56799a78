package dev.switchboard.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The cases of `vectors/cases.json`: sentences of the contract as data.
public final class Vectors {
  /// One case.
  ///
  /// @param when what is done, in words, or steps as JSON
  public record Vector(String id, String area, JsonNode given, String when, JsonNode expect) {
    /// The id, as the name of a parameterised test.
    @Override
    public String toString() {
      return id;
    }
  }

  private static final List<Vector> ALL = load();

  private Vectors() {}

  /// The cases of an area in the file's order; there is at least one.
  public static Stream<Vector> area(String area) {
    List<Vector> found = ALL.stream().filter(vector -> vector.area().equals(area)).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException("no vectors of the area " + area);
    }
    return found.stream();
  }

  /// The cases of all areas that begin so, in the file's order.
  public static Stream<Vector> areas(String... beginnings) {
    return ALL.stream()
        .filter(vector -> Arrays.stream(beginnings).anyMatch(vector.area()::startsWith));
  }

  /// The ids of the cases of these areas.
  public static Set<String> ids(Set<String> areas) {
    return ALL.stream()
        .filter(vector -> areas.contains(vector.area()))
        .map(Vector::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// What the case of this id begins with.
  public static JsonNode given(String id) {
    return byId(id).given();
  }

  /// What is expected of the case of this id.
  public static JsonNode expect(String id) {
    return byId(id).expect();
  }

  /// The case of this id.
  public static Vector byId(String id) {
    return ALL.stream()
        .filter(vector -> vector.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no vector " + id));
  }

  private static List<Vector> load() {
    try (InputStream file = Vectors.class.getResourceAsStream("/vectors/cases.json")) {
      JsonNode cases = JsonMapper.shared().readTree(Objects.requireNonNull(file));
      return cases.valueStream().map(Vectors::vector).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Vector vector(JsonNode node) {
    return new Vector(
        node.path("id").stringValue(),
        node.path("area").stringValue(),
        node.path("given"),
        node.path("when").isString()
            ? node.path("when").stringValue()
            : node.path("when").toString(),
        node.path("expect"));
  }
}
