package dev.switchboard.provider;

import java.nio.file.Path;

/// Folders of core's tests, whatever folder they are started in.
final class Places {
  private Places() {}

  static Path exchanges() {
    return tests().resolve("resources/exchanges");
  }

  static Path servers() {
    return tests().resolve("servers");
  }

  private static Path tests() {
    Path here = Path.of("").toAbsolutePath();
    return (here.endsWith("core") ? here : here.resolve("core")).resolve("src/test");
  }
}
