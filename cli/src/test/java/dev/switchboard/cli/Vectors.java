package dev.switchboard.cli;

import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/// The cases of core's `vectors/cases.json`: sentences of the contract as data.
final class Vectors {
  private Vectors() {}

  static JsonNode byId(String id) {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("cli") ? here.getParent() : here;
    try {
      Path file = root.resolve("core/src/test/resources/vectors/cases.json");
      return Json.text(Files.readString(file))
          .tree()
          .valueStream()
          .filter(vector -> vector.path("id").stringValue().equals(id))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no vector " + id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
