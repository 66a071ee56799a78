package dev.switchboard.mcp.oauth;

import static dev.switchboard.mcp.oauth.SimulatedAuthority.NO_CANCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir private Path folder;

  @Test
  void keepsWhatBelongsToEachServerInAFileOfItsOwnersAlone() throws Exception {
    Path file = folder.resolve("new").resolve("logins");
    TokenStore store = new TokenFile(file, Time.SYSTEM);
    assertThat(store.read("https://a.example")).isNull();

    store.change("https://a.example", now -> Json.text("{\"a\":1}"), NO_CANCEL);
    store.change("https://b.example", now -> Json.text("{\"b\":1}"), NO_CANCEL);

    TokenStore again = new TokenFile(file, Time.SYSTEM);
    assertThat(again.read("https://a.example")).isEqualTo(Json.text("{\"a\":1}"));
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(folder.resolve("new"))).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(folder.resolve("new"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("logins", "logins.lock");
    }

    again.change("https://a.example", now -> null, NO_CANCEL);
    assertThat(store.read("https://a.example")).isNull();
    assertThat(store.read("https://b.example")).isNotNull();
  }

  @Test
  void narrowsItsOwnFolderAndNoOther() throws Exception {
    Path own = Files.createDirectory(folder.resolve("switchboard"));
    Path file = own.resolve("mcp_logins");
    new TokenFile(file, Time.SYSTEM).change("s", now -> Json.text("1"), NO_CANCEL);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(new TokenFile(file, Time.SYSTEM).read("s")).isNotNull();
    assertThat(mode(own)).isEqualTo("rwxrwxrwx");

    assertThat(TokenFile.inOwnFolder(file, Time.SYSTEM).read("s")).isNotNull();

    assertThat(mode(own)).isEqualTo("rwx------");
  }

  @Test
  void leavesEverythingAsItWasWhenTheChangeFails() throws Exception {
    Path file = folder.resolve("logins");
    TokenStore store = new TokenFile(file, Time.SYSTEM);
    store.change("s", now -> Json.text("1"), NO_CANCEL);

    assertThatThrownBy(() ->
            store.change(
                "s",
                now -> {
                  throw new IOException("no");
                },
                NO_CANCEL))
        .hasMessage("no");

    assertThat(store.read("s")).isEqualTo(Json.text("1"));
    store.change("s", now -> Json.text("2"), NO_CANCEL);
    assertThat(store.read("s")).isEqualTo(Json.text("2"));
  }

  @Test
  void isChangedByOneAtATime() throws Exception {
    Path file = folder.resolve("logins");
    List<CompletableFuture<Void>> all =
        IntStream.range(0, 8)
            .mapToObj(number ->
                CompletableFuture.runAsync(
                    () -> countUp(new TokenFile(file, Time.SYSTEM)),
                    task -> Thread.startVirtualThread(task)))
            .toList();
    all.forEach(CompletableFuture::join);

    assertThat(new TokenFile(file, Time.SYSTEM).read("s")).isEqualTo(Json.text("8"));
  }

  private static void countUp(TokenStore store) {
    try {
      store.change(
          "s",
          now -> Json.text(String.valueOf(1 + (now == null ? 0 : now.tree().asInt()))),
          NO_CANCEL);
    } catch (IOException | InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  void givesUpWaitingForAnother() throws Exception {
    Path file = folder.resolve("logins");
    TokenStore other = new TokenFile(file, new ManualTime());
    new TokenFile(file, Time.SYSTEM)
        .change(
            "s",
            now -> {
              assertThatThrownBy(() -> other.change("s", none -> null, NO_CANCEL))
                  .isInstanceOf(TokenStore.UnusableException.class)
                  .hasMessageContaining("is locked by another process");
              assertThatThrownBy(() -> other.change("s", none -> null, Runnable::run))
                  .hasMessage("cancelled");
              return now;
            },
            NO_CANCEL);
  }

  @Test
  void isNotReadWhereOthersCanChangeIt() throws Exception {
    Path file = folder.resolve("logins");
    TokenStore store = new TokenFile(file, Time.SYSTEM);
    store.change("s", now -> Json.text("1"), NO_CANCEL);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));

    assertThatThrownBy(() -> store.read("s"))
        .isInstanceOf(TokenStore.UnusableException.class)
        .hasMessage(
            "other users can change the file %s; make it yours alone with 'chmod 600 %s'"
                .formatted(file, file));
  }

  @Test
  void isNotOverwrittenWhereItCannotBeUnderstood() throws Exception {
    Path file = folder.resolve("logins");
    TokenStore store = new TokenFile(file, Time.SYSTEM);
    for (String text : List.of("", "{\"v\":2}", "{\"v\":1,\"servers\":[\"secret\"]}")) {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text);

      assertThatThrownBy(() -> store.change("s", now -> Json.text("1"), NO_CANCEL))
          .isInstanceOf(TokenStore.UnusableException.class)
          .hasMessageContaining("the file " + file + " is ")
          .hasMessageNotContaining("secret");
      assertThat(file).hasContent(text);
    }
  }

  @Test
  void staysALinkToWhereItIs() throws Exception {
    Path real = Files.createDirectory(folder.resolve("real")).resolve("logins");
    Path link = folder.resolve("logins");
    new TokenFile(real, Time.SYSTEM).change("s", now -> Json.text("1"), NO_CANCEL);
    Files.createSymbolicLink(link, real);

    new TokenFile(link, Time.SYSTEM).change("s", now -> Json.text("2"), NO_CANCEL);

    assertThat(link).isSymbolicLink();
    assertThat(new TokenFile(real, Time.SYSTEM).read("s")).isEqualTo(Json.text("2"));
    assertThat(mode(real)).isEqualTo("rw-------");
  }

  @Test
  void saysThatItCannotBeWritten() throws Exception {
    Path file = Files.createFile(folder.resolve("file")).resolve("logins");

    assertThatThrownBy(() -> new TokenFile(file, Time.SYSTEM).change("s", now -> null, NO_CANCEL))
        .isInstanceOf(TokenStore.UnusableException.class)
        .hasMessageStartingWith("the file " + file + " cannot be written: ");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
