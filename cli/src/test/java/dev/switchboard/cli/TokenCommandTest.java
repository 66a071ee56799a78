package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void listShowsNamesAndRoles() {
    Path other = folder.resolve("other");
    Cli.runIn(folder, "token", "add", "ada", "--tokens", "other");
    Cli.run("token", "add", "desk", "--role", "approve", "--tokens", other.toString());

    Cli table = Cli.runIn(folder, "token", "list", "--tokens", "other");
    assertThat(table.out())
        .matches("NAME  ROLE     CREATED\nada   chat     .{19}\ndesk  approve  .{19}\n");
    assertThat(Cli.runIn(folder, "token", "list", "--tokens", "other", "--json").json())
        .extracting(token -> token.path("name").stringValue() + token.path("role").stringValue())
        .containsExactly("adachat", "deskapprove");
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
        .isEqualTo(new Cli(2, "", "switchboard: 'ada' has a token already; revoke it first.\n"));
    assertThat(Cli.runIn(folder, "token", "add", "bob", "--role", "admin"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: There is no role 'admin'; the roles are chat, approve, operate.\n"));
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
}
