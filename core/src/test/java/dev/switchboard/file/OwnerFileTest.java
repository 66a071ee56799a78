package dev.switchboard.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerFileTest {
  @TempDir Path folder;

  @Test
  void isMadeForItsOwnerAloneWithItsFolder() throws IOException {
    OwnerFile file = new OwnerFile(folder.resolve("inner/tokens"));

    assertThatThrownBy(file::permissions).isInstanceOf(NoSuchFileException.class);
    file.create();

    assertThat(permissions(file.path())).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("inner"))).isEqualTo("rwx------");
  }

  @Test
  void takesOtherUsersPermissionsAway() throws IOException {
    Path open = Files.writeString(folder.resolve("history"), "kept");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    OwnerFile file = new OwnerFile(open);

    assertThat(OwnerFile.areOpen(file.permissions())).isTrue();
    file.create();

    assertThat(OwnerFile.areOpen(file.permissions())).isFalse();
    assertThat(open).hasContent("kept");
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

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
