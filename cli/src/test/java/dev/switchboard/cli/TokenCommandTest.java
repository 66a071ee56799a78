package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.memory.Entry;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.store.Storage;
import dev.switchboard.text.MemoryOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCommandTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve(".switchboard/tokens");
  }

  @Test
  void addPrintsTheTokenAloneOnItsLine() throws IOException {
    Cli added = Cli.runIn(folder, "token", "add", "ada");

    assertThat(added.exit()).isZero();
    assertThat(added.out()).matches("sbt_[A-Za-z0-9_-]{43}\n");
    assertThat(added.err()).isEqualTo("This is shown once; " + file() + " holds its hash.\n");
    assertThat(Files.readString(file()))
        .contains("\"ada\"", "\"chat\"")
        .doesNotContain(added.out().strip());
  }

  @Test
  void theFolderOfTokensIsTheirOwnersAloneAgain() throws IOException {
    for (String[] command : new String[][] {{"token", "list"}, {"token", "add", "ada"}}) {
      Path own = Files.createDirectories(folder.resolve(".switchboard"));
      Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));

      assertThat(Cli.runIn(folder, command).exit()).isZero();

      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void listShowsNamesAndRoles() {
    Path other = folder.resolve("other");
    Cli.runIn(folder, "token", "add", "ada", "--tokens", "other");
    Cli.run("token", "add", "desk", "--role", "approve", "--tokens", other.toString());

    Cli table = Cli.runIn(folder, "token", "list", "--tokens", "other");
    assertThat(table.out())
        .matches(
            """
            NAME  ROLES    CREATED              UNTIL
            ada   chat     .{19}
            desk  approve  .{19}
            """);
    assertThat(Cli.runIn(folder, "token", "list", "--tokens", "other", "--json").json())
        .extracting(token -> token.path("name").stringValue() + token.path("roles"))
        .containsExactly("ada[\"chat\"]", "desk[\"approve\"]");
    assertThat(Cli.runIn(folder, "token", "list"))
        .isEqualTo(new Cli(0, "No token is in " + file() + ".\n", ""));
  }

  @Test
  void revokeSaysWhoHadNone() {
    Cli.runIn(folder, "token", "add", "ada");

    assertThat(Cli.runIn(folder, "token", "revoke", "bob", "ada"))
        .isEqualTo(
            new Cli(1, "Revoked the token of 'ada'.\n", "switchboard: 'bob' has no token.\n"));
    assertThat(Cli.runIn(folder, "token", "list", "--json").out()).isEmpty();
  }

  @Test
  void revokeMakesNoFile() {
    assertThat(Cli.runIn(folder, "token", "revoke", "ada").exit()).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void wrongUsageIsOneSentence() {
    Cli.runIn(folder, "token", "add", "ada");

    assertThat(Cli.runIn(folder, "token", "add", "ada"))
        .isEqualTo(
            new Cli(2, "", "switchboard: 'ada' has a token already; rotate or revoke it first.\n"));
    assertThat(Cli.runIn(folder, "token", "add", "bob", "--role", "admin"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: There is no role 'admin'; the roles are chat, tools, approve,"
                    + " operate.\n"));
    assertThat(Cli.runIn(folder, "token", "add", "a b").err())
        .isEqualTo(
            "switchboard: A token's name must be 1 to 64 letters, digits and '_', '-', '.' or"
                + " '@', and begin with a letter or digit.\n");
  }

  @Test
  void aFileThatOthersCanChangeIsRefused() throws IOException {
    Cli.runIn(folder, "token", "add", "ada");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));

    assertThat(Cli.runIn(folder, "token", "list"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Other users can change the token file %1$s; make it yours alone with 'chmod 600 %1$s'.\n"
                    .formatted(file())));
  }

  @Test
  void rolesAreASetAndChangeWithoutANewToken() {
    String token =
        Cli.runIn(folder, "token", "add", "ada", "--role", "tools", "--role", "chat").out().strip();
    assertThat(Cli.runIn(folder, "token", "list").out()).contains("chat, tools");

    assertThat(Cli.runIn(folder, "token", "roles", "ada", "--role", "approve").out())
        .isEqualTo("The token of 'ada' has approve.\n");
    assertThat(Tokens.open(file()).all().getFirst().roles()).containsExactly(Role.APPROVE);
    assertThat(token).isNotEmpty();
    assertThat(Cli.runIn(folder, "token", "roles", "bob", "--role", "chat"))
        .isEqualTo(new Cli(1, "", "switchboard: 'bob' has no token.\n"));
  }

  @Test
  void aNameThatNoTokenCanHaveIsRefusedWithoutAQuestion() throws IOException {
    Files.writeString(
        folder.resolve("agent.toml"), "[agent]\nname = \"Desk\"\n[storage]\nurl = \"sqlite:d.db\"");
    Files.writeString(folder.resolve("d.db"), "no database");

    assertThat(Cli.runIn(folder, "token", "add", "local").err())
        .startsWith("switchboard: 'local' cannot be the name of a token");
  }

  @Test
  void aTokenThatCannotBePrintedIsNotMade() {
    Cli full = Cli.runFull(folder, "token", "add", "ada");

    assertThat(full.exit()).isEqualTo(1);
    assertThat(full.err())
        .isEqualTo(
            "switchboard: The token cannot be printed, so none was made; standard output cannot be"
                + " written.\n");
    assertThat(Cli.runFull(folder, "token", "add", "shop", "--for-users").exit()).isEqualTo(1);
    assertThat(Tokens.open(file()).all()).isEmpty();

    Cli.runIn(folder, "token", "add", "ada");
    List<Tokens.Issued> before = Tokens.open(file()).all();
    assertThat(Cli.runFull(folder, "token", "rotate", "ada", "--grace", "0s").exit()).isEqualTo(1);
    assertThat(Tokens.open(file()).all()).isEqualTo(before);
  }

  @Test
  void rotateGivesAnotherTokenBesideTheEarlierOne() {
    String first = Cli.runIn(folder, "token", "add", "ada").out().strip();
    Cli rotated = Cli.runIn(folder, "token", "rotate", "ada");

    assertThat(rotated.out()).matches("sbt_[A-Za-z0-9_-]{43}\n").isNotEqualTo(first + "\n");
    assertThat(rotated.err())
        .startsWith(
            "This is shown once; " + file() + " holds its hash. The earlier token is valid until ");
    assertThat(Tokens.open(file()).all()).hasSize(2);
    assertThat(Cli.runIn(folder, "token", "rotate", "ada", "--grace", "0s").err())
        .endsWith("The earlier token is no longer valid.\n");
    assertThat(Tokens.open(file()).all()).hasSize(1);
    assertThat(Cli.runIn(folder, "token", "rotate", "ada", "--grace", "soon").exit()).isEqualTo(2);
    assertThat(Cli.runIn(folder, "token", "rotate", "bob"))
        .isEqualTo(new Cli(1, "", "switchboard: 'bob' has no token.\n"));
  }

  @Test
  void theLastOperatorGoesOnlyIfThatIsMeant() {
    Cli.runIn(folder, "token", "add", "op", "--role", "operate");
    Cli.runIn(folder, "token", "add", "ada");

    for (String[] words :
        new String[][] {{"revoke", "op"}, {"revoke", "ada", "op"}, {"roles", "op"}}) {
      String[] command = Stream.concat(Stream.of("token"), Stream.of(words)).toArray(String[]::new);
      Cli asked = Cli.runIn(folder, command);
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err())
          .isEqualTo(
              "No other token has the role operate. Go on? [y/N] Nothing was changed; --yes goes on"
                  + " without a question.\n");
    }
    assertThat(Tokens.open(file()).all()).hasSize(2);

    assertThat(Cli.runIn(folder, "token", "revoke", "op", "--yes").exit()).isZero();
    assertThat(Cli.runIn(folder, "token", "revoke", "ada").exit()).isZero();
  }

  @Test
  void aTokenForUsersHasTheRoleChat() {
    assertThat(Cli.runIn(folder, "token", "add", "shop", "--for-users").exit()).isZero();
    assertThat(Tokens.open(file()).all().getFirst().forUsers()).isTrue();
    assertThat(Cli.runIn(folder, "token", "list").out()).contains("chat, for users");
    assertThat(Cli.runIn(folder, "token", "add", "other", "--for-users", "--role", "operate").err())
        .isEqualTo("switchboard: A token for users has the role chat; leave out --role.\n");
    assertThat(Cli.runIn(folder, "token", "roles", "shop", "--role", "tools").err())
        .isEqualTo("switchboard: The token of 'shop' is for users, which have the role chat.\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "stdio", "anybody", "a:b", "a/b", "a#b", "a~b"})
  void someNamesAreNotThoseOfTokens(String name) {
    assertThat(Cli.runIn(folder, "token", "add", name).exit()).isEqualTo(2);
  }

  @Test
  void aNameThatStillOwnsMemoryIsAskedFor() throws IOException {
    Path agent = folder.resolve("agent.toml");
    Files.writeString(agent, "[agent]\nname = \"Desk\"\n[storage]\nurl = \"sqlite:desk.db\"\n");
    try (Storage storage = Storage.open("sqlite:desk.db", folder)) {
      String owner = MemoryOwner.of("Desk", "ada");
      Entry tea =
          new Entry(owner, Entry.ARCHIVAL, "1", "likes", null, "Tea.", List.of(), Instant.EPOCH);
      assertThat(storage.memory().insert(tea)).isTrue();
    }

    assertThat(Cli.runIn(folder, "token", "add", "ada").err())
        .startsWith("'ada' still owns memory of the agent 'Desk', which the new token can read.");
    assertThat(Cli.runIn(folder, "token", "add", "bob").exit()).isZero();
  }

  @Test
  void aStorageThatCannotBeReadIsToldBeforeATokenIsAdded() throws IOException {
    Path agent = folder.resolve("agent.toml");
    Files.writeString(agent, "[agent]\nname = \"Desk\"\n[storage]\nurl = \"sqlite:desk.db\"\n");
    Files.writeString(folder.resolve("desk.db"), "This is no database. ".repeat(100));

    Cli asked = Cli.runIn(folder, "token", "add", "ada");

    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err())
        .startsWith("It is not known whether 'ada' owns conversations of the agent 'Desk': ")
        .contains(" Add it? [y/N] No token was added; --yes adds it without a question.");
    assertThat(Cli.runIn(folder, "token", "add", "ada", "--yes").exit()).isZero();
  }

  @Test
  void aNameThatStillOwnsConversationsIsAskedFor() throws IOException {
    Path agent = folder.resolve("agent.toml");
    Files.writeString(agent, "[agent]\nname = \"Desk\"\n[storage]\nurl = \"sqlite:desk.db\"\n");
    try (Storage storage = Storage.open("sqlite:desk.db", folder)) {
      storage
          .conversations("Desk")
          .directory()
          .create("c1", ConversationDirectory.Header.of("ada"));
      storage
          .conversations("Desk")
          .directory()
          .create("c2", ConversationDirectory.Header.of("shop/ann"));
    }

    Cli asked = Cli.runIn(folder, "token", "add", "ada");
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err())
        .isEqualTo(
            "'ada' still owns 1 conversation of the agent 'Desk', which the new token can read."
                + " Add it? [y/N] No token was added; --yes adds it without a question.\n");
    assertThat(Cli.runIn(folder, "token", "add", "shop", "--for-users").exit()).isEqualTo(1);
    assertThat(file()).doesNotExist();
    assertThat(Cli.runIn(folder, "token", "add", "ada", "--yes").exit()).isZero();
    assertThat(Cli.runIn(folder, "token", "add", "bob").exit()).isZero();
  }
}
