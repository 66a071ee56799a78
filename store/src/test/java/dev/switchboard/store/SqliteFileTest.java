package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stands at a store's path and is not its database is left as it is.
class SqliteFileTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("agent.db");
  }

  @Test
  void aFolderIsRefusedAsOne() throws IOException {
    Files.createDirectory(path);
    permit("rwxr-xr-x");

    assertThatThrownBy(() -> Database.open(path))
        .isInstanceOf(StoreException.class)
        .hasMessage("The store " + path + " cannot be opened: it is a folder.");

    assertThat(permissions(path)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void aForeignFileKeepsItsPermissionsAndWhatStandsBesideIt() throws IOException {
    Files.writeString(path, "Notes of a meeting, in which no database was mentioned.");
    Path beside = Files.writeString(folder.resolve("agent.db-journal"), "1 May");
    permit("rw-r--r--");
    Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-rw-r--"));

    assertThatThrownBy(() -> Database.open(path))
        .isInstanceOf(StoreException.class)
        .hasMessage("The store " + path + " cannot be opened: it is not a database of SQLite.");

    assertThat(permissions(path)).isEqualTo("rw-r--r--");
    assertThat(permissions(beside)).isEqualTo("rw-rw-r--");
    assertThat(beside).hasContent("1 May");
  }

  @Test
  void aShortForeignFileKeepsItsPermissions() throws IOException {
    Files.writeString(path, "SQLite");
    permit("rw-r--r--");

    assertThatThrownBy(() -> Database.open(path)).isInstanceOf(StoreException.class);

    assertThat(permissions(path)).isEqualTo("rw-r--r--");
    assertThat(path).hasContent("SQLite");
  }

  @Test
  void aDatabaseAndAnEmptyFileAreNarrowed() throws IOException {
    Files.createFile(path);
    permit("rw-r--r--");
    Database.open(path).close();
    assertThat(permissions(path)).isEqualTo("rw-------");

    permit("rw-rw-r--");
    Database.open(path).close();
    assertThat(permissions(path)).isEqualTo("rw-------");
  }

  @Test
  void aMissingFolderIsNamed() {
    Path file = folder.resolve("none/agent.db");
    assertThatThrownBy(() -> Database.open(file))
        .hasMessageContaining("its folder " + folder.resolve("none") + " is missing");
  }

  private void permit(String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
