package dev.switchboard.provider;

import dev.switchboard.harness.Repository;
import java.nio.file.Path;

/// Folders of these tests.
final class Places {
  private Places() {}

  static Path exchanges() {
    return tests().resolve("resources/exchanges");
  }

  static Path servers() {
    return tests().resolve("servers");
  }

  private static Path tests() {
    return Repository.file("agent/src/test");
  }
}
