package dev.switchboard.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerFileTest {
  @TempDir Path folder;

  private static final class Messages extends Handler {
    private final List<String> messages;

    private Messages(List<String> messages) {
      this.messages = messages;
    }

    @Override
    public void publish(LogRecord line) {
      messages.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void isMadeForItsOwnerAloneWithItsFolder() throws IOException {
    OwnerFile file = new OwnerFile(folder.resolve("inner/tokens"));

    assertThatThrownBy(file::permissions).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(file::create).isInstanceOf(NoSuchFileException.class);
    file.createWithFolder();

    assertThat(permissions(file.path())).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("inner"))).isEqualTo("rwx------");
  }

  @Test
  void takesOtherUsersPermissionsAwayAndLeavesItsOwners() throws IOException {
    Path open = file("history", "r--rw-r--");
    OwnerFile file = new OwnerFile(open);

    assertThat(file.isOpen()).isTrue();
    assertThat(file.isWritableByOthers()).isTrue();
    file.create();

    assertThat(permissions(open)).isEqualTo("r--------");
    assertThat(file.isOpen()).isFalse();
    assertThat(file.isWritableByOthers()).isFalse();
    assertThat(open).hasContent("kept");
  }

  @Test
  void tellsOnceThatOthersCouldReadIt() throws IOException {
    Path open = file("history", "rw-r--r--");

    List<String> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("dev.switchboard.process");
    Handler handler = new Messages(logged);
    logger.addHandler(handler);
    try {
      assertThat(new OwnerFile(open).narrow()).isTrue();
      assertThat(new OwnerFile(open).narrow()).isTrue();
      assertThat(new OwnerFile(folder.resolve("none")).narrow()).isTrue();
    } finally {
      logger.removeHandler(handler);
    }

    assertThat(logged.stream().filter(line -> line.startsWith(folder.toString())))
        .containsExactly(open + " could be read by other users; now only its owner can");
  }

  @Test
  void aFolderIsNarrowedToo() throws IOException {
    Path calls = Files.createDirectory(folder.resolve("calls"));
    Files.setPosixFilePermissions(calls, PosixFilePermissions.fromString("rwxr-xr-x"));

    OwnerFile.folder(calls);
    OwnerFile.folder(folder.resolve("a/b"));

    assertThat(permissions(calls)).isEqualTo("rwx------");
    assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
    assertThat(permissions(folder.resolve("a/b"))).isEqualTo("rwx------");
  }

  @Test
  void aFolderOfSuchFilesAloneIsNarrowedWithTheFile() throws IOException {
    Path own = Files.createDirectory(folder.resolve(".switchboard"));
    Path state = Files.createDirectory(folder.resolve("state"));
    Path other = Files.createDirectory(folder.resolve("other"));
    for (OwnerFile file :
        List.of(
            new OwnerFile(own.resolve("tokens")),
            new OwnerFile(state.resolve("tokens"), true),
            new OwnerFile(other.resolve("tokens")))) {
      Path in = Objects.requireNonNull(file.path().getParent());
      for (int i = 0; i < 2; i++) {
        open(in);
        assertThat(file.narrow()).isTrue();
        assertThat(permissions(in)).isEqualTo(in.equals(other) ? "rwxrwxrwx" : "rwx------");
        open(in);
        file.openLock().close();
        assertThat(permissions(in)).isEqualTo(in.equals(other) ? "rwxrwxrwx" : "rwx------");
        open(in);
        file.createWithFolder();
        assertThat(permissions(in)).isEqualTo(in.equals(other) ? "rwxrwxrwx" : "rwx------");
        assertThat(Files.exists(file.path())).isTrue();
      }
    }
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void isExposedOnlyInAFolderThatOthersCanEnter() throws IOException {
    OwnerFile file = new OwnerFile(file(".env", "rw-r--r--"));

    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    assertThat(file.isExposed()).isFalse();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(file.isExposed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "overwrite"})
  void isWrittenWhereALinkWithoutATargetLeads(String how) throws IOException {
    Path target = folder.resolve("target");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    OwnerFile file = new OwnerFile(link);

    try (Writer out = how.equals("append") ? file.append() : file.overwrite()) {
      out.write("é");
    }

    assertThat(target).hasContent("é");
    assertThat(permissions(target)).isEqualTo("rw-------");
  }

  @Test
  void aFolderInItsPlaceIsRefusedAndKeepsItsPermissions() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
    OwnerFile file = new OwnerFile(other);

    assertThatThrownBy(file::create).hasMessage(other + ": is a folder");
    assertThatThrownBy(file::append).hasMessage(other + ": is a folder");
    assertThatThrownBy(file::overwrite).hasMessage(other + ": is a folder");

    assertThat(permissions(other)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void aDeviceKeepsItsPermissions() throws IOException {
    String before = permissions(Path.of("/dev/null"));
    OwnerFile device = new OwnerFile(Path.of("/dev/null"));

    device.create();
    device.replace("gone");

    assertThat(permissions(device.path())).isEqualTo(before);
    assertThat(Files.isRegularFile(device.path())).isFalse();
  }

  @Test
  void aReplacementThatFailsLeavesTheFileAndNothingBesideIt() throws IOException {
    Path kept = file("export", "rw-------");
    Path foreign = Files.writeString(folder.resolve("export.part"), "foreign");

    assertThatThrownBy(() ->
            new OwnerFile(kept)
                .replace(out -> {
                  out.write("half");
                  throw new IOException("full");
                }))
        .hasMessage("full");

    assertThat(kept).hasContent("kept");
    assertThat(foreign).hasContent("foreign");
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void isReplacedWhereALinkLeads() throws IOException {
    Path real = Files.writeString(folder.resolve("real"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);

    new OwnerFile(link).replace("after");

    assertThat(link).isSymbolicLink();
    assertThat(real).hasContent("after");
    assertThat(permissions(real)).isEqualTo("rw-------");
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void hasALockBesideIt() throws IOException {
    try (FileChannel lock = new OwnerFile(folder.resolve("inner/tokens")).openLock()) {
      assertThat(lock.isOpen()).isTrue();
    }
    assertThat(permissions(folder.resolve("inner/tokens.lock"))).isEqualTo("rw-------");
  }

  private Path file(String name, String permissions) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "kept");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
