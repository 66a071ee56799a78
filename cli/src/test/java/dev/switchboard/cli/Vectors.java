package dev.switchboard.cli;

import dev.switchboard.harness.Repository;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/// The cases of the harness's `vectors/cases.json`: sentences of the contract as data.
final class Vectors {
  private Vectors() {}

  static JsonNode byId(String id) {
    Path root = Repository.root();
    try {
      Path file = root.resolve("harness/src/main/resources/vectors/cases.json");
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
