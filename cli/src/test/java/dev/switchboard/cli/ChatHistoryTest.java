package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatHistoryTest {
  @TempDir private Path folder;

  @Test
  void standsInTheFolderForStateForItsOwnerAlone() throws IOException {
    Path state = folder.resolve("state");

    Path file = ChatHistory.file(Map.of("XDG_STATE_HOME", state.toString()));

    assertThat(file).isEqualTo(state.resolve("switchboard/chat_history")).isEmptyFile();
    assertThat(permissions(Objects.requireNonNull(file))).isEqualTo("rw-------");
    assertThat(permissions(Objects.requireNonNull(file.getParent()))).isEqualTo("rwx------");
  }

  @Test
  void takesWhatOthersMayReadFromThem() throws IOException {
    Map<String, String> environment = Map.of("HOME", folder.toString(), "XDG_STATE_HOME", "");
    Path file = folder.resolve(".local/state/switchboard/chat_history");
    Path own = Files.createDirectories(folder.resolve(".local/state/switchboard"));
    Files.writeString(file, "1:hello\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThat(ChatHistory.file(environment)).isEqualTo(file).hasContent("1:hello\n");
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(own)).isEqualTo("rwx------");
  }

  @Test
  void isNotThereWhereItCannotBeWritten() throws IOException {
    Files.writeString(folder.resolve("state"), "a file");

    assertThat(ChatHistory.file(Map.of("XDG_STATE_HOME", folder.resolve("state").toString())))
        .isNull();
    assertThat(ChatHistory.file(Map.of("HOME", "relative"))).isNull();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
