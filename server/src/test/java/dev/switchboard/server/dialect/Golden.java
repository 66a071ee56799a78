package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files of what a dialect makes of a case; written anew with `-Dgolden.write=true`.
final class Golden {
  private static final boolean WRITES = Boolean.getBoolean("golden.write");

  private Golden() {}

  static Path tests() {
    return Repository.file("server/src/test");
  }

  static Path file(String name) {
    return tests().resolve("resources/golden/" + name + ".txt");
  }

  static void check(String name, String told) {
    Path file = file(name);
    try {
      if (WRITES) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, told);
      }
      assertThat(told).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(name + " is missing: write it with -Dgolden.write=true", e);
    }
  }

  /// All that an encoder writes of a case.
  static String stream(Encoder encoder, Case of) {
    of.known().forEach(encoder::seen);
    StringBuilder told = new StringBuilder(encoder.begin());
    of.told().forEach(event -> told.append(encoder.encode(event)));
    return told.append(encoder.end()).toString();
  }
}
