package dev.switchboard.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/// The files of this repository, whatever folder the tests are started in.
public final class Repository {
  private static final Path ROOT = find();

  private Repository() {}

  /// The folder that holds everything.
  public static Path root() {
    return ROOT;
  }

  /// The file or folder at a path from the root, such as `docs/README.md`.
  public static Path file(String path) {
    return ROOT.resolve(path);
  }

  private static Path find() {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(".ci/run"))) {
        return folder;
      }
    }
    throw new IllegalStateException("No folder above " + here + " has a .ci/run.");
  }
}
