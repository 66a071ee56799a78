package dev.switchboard.restate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A disk of a few megabytes at a folder, in memory, which can be filled to its last byte. Linux
/// lets only root mount it.
final class SmallDisk implements AutoCloseable {
  private static final int PIECE = 64 << 10;

  private final Path folder;
  private final Path filling;

  private SmallDisk(Path folder) {
    this.folder = folder;
    filling = folder.resolve("filling");
  }

  /// @throws AssertionError when it cannot be mounted
  static SmallDisk at(Path folder, int megabytes) {
    run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
    return new SmallDisk(folder);
  }

  /// Leaves room for so many bytes.
  void fill(long left) throws IOException {
    byte[] piece = new byte[PIECE];
    try (OutputStream out =
        Files.newOutputStream(filling, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (room() > left) {
        out.write(piece, 0, (int) Math.min(PIECE, room() - left));
      }
    } catch (IOException e) {
      // Others write too.
      if (room() > 0) {
        throw e;
      }
    }
  }

  private long room() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  /// Has room again.
  void empty() throws IOException {
    Files.delete(filling);
  }

  @Override
  public void close() {
    run("umount", "-l", folder.toString());
  }

  private static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + said);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
