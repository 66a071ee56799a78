package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
  @TempDir private Path folder;
  private final ManualTime time = new ManualTime();

  private Path file() {
    return folder.resolve("inner").resolve("tokens");
  }

  private Tokens open() {
    return Tokens.open(file(), null, time);
  }

  @Test
  void theFirstTokenOperatesAndIsThereOnce() {
    Tokens tokens = open();

    String first = Objects.requireNonNull(tokens.first());

    assertThat(first).matches("sbt_[A-Za-z0-9_-]{43}");
    assertThat(Objects.requireNonNull(tokens.find(first)).principal())
        .isEqualTo(Principal.of("operator", Role.OPERATE));
    assertThat(tokens.first()).isNull();
    assertThat(open().first()).isNull();
  }

  @Test
  void noFirstTokenWhereAnotherIsConfiguredOrAllWereRevoked() {
    assertThat(Tokens.open(file(), "x".repeat(32), time).first()).isNull();
    assertThat(file()).doesNotExist();

    Tokens tokens = open();
    tokens.first();
    assertThat(tokens.revoke("operator")).isTrue();
    assertThat(tokens.first()).isNull();
  }

  @Test
  void theFileHoldsNoTokenAndIsItsOwnersAlone() throws IOException {
    String token = open().add("ada", Role.CHAT);

    assertThat(Files.readString(file())).contains("ada", "chat").doesNotContain(token);
    assertThat(permissions(file())).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("inner"))).isEqualTo("rwx------");
    assertThat(permissions(folder.resolve("inner/tokens.lock"))).isEqualTo("rw-------");
    assertThat(folder.resolve("inner")).isDirectoryNotContaining("glob:**.new");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw------x"})
  void aFileThatOthersCanReadIsNarrowed(String permissions) throws IOException {
    String token = open().add("ada", Role.CHAT);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));

    assertThat(open().find(token)).isNotNull();
    assertThat(permissions(file())).isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw--w----", "rw-rw-r--", "rw-----w-"})
  void aFileThatOthersCanChangeIsRefused(String permissions) throws IOException {
    open().add("ada", Role.CHAT);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));

    assertThatThrownBy(this::open)
        .isInstanceOf(TokensException.class)
        .hasMessage(
            "Other users can change the token file %1$s; make it yours alone with 'chmod 600"
                + " %1$s'.",
            file());
  }

  @Test
  void aRunningServerNoticesWhatOthersAddRevokeAndOpen() throws IOException {
    Tokens running = open();
    Tokens command = open();

    String ada = command.add("ada", Role.CHAT);
    String bob = command.add("bob", Role.APPROVE);
    Tokens.Issued found = Objects.requireNonNull(running.find(ada));
    assertThat(running.holds(found)).isTrue();

    assertThat(command.revoke("ada")).isTrue();
    assertThat(command.revoke("ada")).isFalse();
    assertThat(running.find(ada)).isNull();
    assertThat(running.holds(found)).isFalse();
    assertThat(running.find(bob)).isNotNull();

    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));
    assertThat(running.find(bob)).isNull();
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    assertThat(running.find(bob)).isNotNull();

    Files.delete(file());
    assertThat(running.find(bob)).isNull();
  }

  @Test
  void aTokenWithAnotherRoleUnderTheSameNameIsAnother() {
    Tokens tokens = open();
    Tokens.Issued before = Objects.requireNonNull(tokens.find(tokens.add("ada", Role.CHAT)));
    tokens.revoke("ada");
    tokens.add("ada", Role.OPERATE);

    assertThat(tokens.holds(before)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "",
        "{\"v\":2,\"tokens\":[]}",
        "{\"v\":1,\"tokens\":[{\"name\":\"a\"}]}",
        "\u0000"
      })
  void aDamagedFileIsRefusedAndMakesNoTokenValid(String content) throws IOException {
    Tokens running = open();
    String token = running.add("ada", Role.CHAT);
    Files.writeString(file(), content);

    assertThat(running.find(token)).isNull();
    assertThatThrownBy(this::open)
        .isInstanceOf(TokensException.class)
        .hasMessageStartingWith("The token file " + file() + " is ");
    assertThatThrownBy(() -> running.add("bob", Role.CHAT)).isInstanceOf(TokensException.class);
    assertThat(file()).hasContent(content);
  }

  @Test
  void onlyTheTokenItselfIsFound() {
    Tokens tokens = open();
    String token = tokens.add("ada", Role.CHAT);

    for (String wrong :
        List.of(
            "",
            token.substring(1),
            token + "a",
            token.toUpperCase(java.util.Locale.ROOT),
            Tokens.hash(token),
            "x".repeat(100_000))) {
      assertThat(tokens.find(wrong)).isNull();
    }
  }

  @Test
  void theConfiguredTokenOperates() {
    String configured = "c".repeat(32);
    Tokens tokens = Tokens.open(file(), configured, time);

    assertThat(Objects.requireNonNull(tokens.find(configured)).roles())
        .containsExactly(Role.OPERATE);
    assertThat(tokens.all()).isEmpty();
    assertThatThrownBy(() -> Tokens.open(file(), "c".repeat(31), time))
        .hasMessage("The token in the environment must have 32 to 512 characters, not 31.");
    assertThat(Tokens.open(file(), "c".repeat(512), time).find("c".repeat(512))).isNotNull();
    assertThatThrownBy(() -> Tokens.open(file(), "c".repeat(513), time))
        .isInstanceOf(TokensException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", "a b", "a\n", "a/b", "sbt_a", "é", "\u202e"})
  void aNameHasFewCharacters(String name) {
    assertThatThrownBy(() -> open().add(name, Role.CHAT)).isInstanceOf(TokensException.class);
  }

  @Test
  void aNameIsGivenOnceAndHasAnEnd() {
    Tokens tokens = open();
    tokens.add("a".repeat(64), Role.CHAT);

    assertThatThrownBy(() -> tokens.add("a".repeat(65), Role.CHAT))
        .isInstanceOf(TokensException.class);
    assertThatThrownBy(() -> tokens.add("a".repeat(64), Role.CHAT))
        .hasMessageEndingWith("has a token already; rotate or revoke it first.");
  }

  @Test
  void tokensThatAreAddedSideBySideAreAllThere() throws Exception {
    Tokens tokens = open();
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        String name = "p" + i;
        workers.submit(() -> tokens.add(name, Role.CHAT));
      }
    }
    assertThat(open().all()).hasSize(20);
  }

  @Test
  void aLinkToTheFileStays() throws IOException {
    Files.createDirectories(folder.resolve("inner"));
    Path elsewhere = folder.resolve("elsewhere");
    Tokens.open(elsewhere, null, time).add("ada", Role.CHAT);
    Files.createSymbolicLink(file(), elsewhere);

    open().add("bob", Role.CHAT);

    assertThat(Files.isSymbolicLink(file())).isTrue();
    assertThat(Tokens.open(elsewhere, null, time).all()).hasSize(2);
  }
}
