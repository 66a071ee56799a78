package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ConversationsCommandTest {
  private static final String CALL = "{\"id\":\"%s\",\"name\":\"%s\",\"arguments\":{}}\n";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private StubModel model;
  private String agent;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    webhook.answer(200, "{\"done\": true}");
    model = new StubModel();
    agent =
        ChatToml.of(
            folder,
            webhook,
            model.toml() + "\nname = \"Desk\"",
            "[storage]\nurl = \"sqlite:agent.db\"\n");
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  private void talk(String id, String reply) {
    model.says(reply);
    assertThat(Cli.run("chat", agent, "--conversation", id, "-m", "Hello").exit()).isZero();
  }

  @Test
  void listsThem() {
    assertThat(Cli.run("conversations", "list", agent).out())
        .isEqualTo("No conversation is stored.\n");
    talk("c-1", "One.");
    talk("c-2", "Two.");
    Cli.runWith(CALL.formatted("x", "look"), "exec", "--conversation", "c-3", agent);

    assertThat(Cli.run("conversations", "list", agent).out().lines())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("ID   STARTED");
    Cli cli = Cli.run("conversations", "list", "--json", agent);
    assertThat(cli.json())
        .extracting(one -> one.path("id").asString())
        .containsExactly("c-3", "c-2", "c-1");
    JsonNode last = cli.json().getLast();
    assertThat(last.propertyNames())
        .containsExactly("id", "started", "last", "turns", "calls", "waiting");
    assertThat(last.path("turns").asInt()).isOne();
    assertThat(cli.json().getFirst().path("calls").asInt()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a~b", "", " ", "a\nb", "a\tb", "a\u001fb", "a/b", "é", ".", ".."})
  void newIdsAreThoseThatAClientMayChooseToo(String id, @TempDir Path other) {
    String refused = "switchboard: The id of a new conversation has 1 to 128 characters of ";
    String bare = AgentToml.write(other, "[agent]\nname = \"Bare\"\n");

    for (String file : List.of(agent, bare)) {
      Cli exec = Cli.runWith("", "exec", "--conversation", id, file);
      assertThat(exec.exit()).isEqualTo(2);
      assertThat(exec.err()).startsWith(refused);
    }
    Cli chat = Cli.run("chat", agent, "--conversation", id, "-m", "Hello");
    assertThat(chat.exit()).isEqualTo(2);
    assertThat(chat.err()).startsWith(refused);
    assertThat(Cli.run("conversations", "list", "--json", agent).out()).isEmpty();
  }

  @Test
  void aLongIdIsNotThatOfANewConversation() {
    assertThat(Cli.runWith("", "exec", "--conversation", "a".repeat(129), agent).exit())
        .isEqualTo(2);
    assertThat(Cli.runWith("", "exec", "--conversation", "a".repeat(128), agent).exit()).isZero();
  }

  @Test
  void aStoredConversationGoesOnWhateverItsId() {
    String odd = "a b\t/" + "c".repeat(200);
    try (Storage storage = Storage.open("sqlite:agent.db", folder)) {
      assertThat(storage.conversations("Desk").directory().create(odd, Header.of("local")))
          .isTrue();
      assertThat(storage.conversations("Desk").directory().create("~mcp.x", Header.of("local")))
          .isTrue();
    }
    talk(odd, "One.");
    talk("~mcp.x", "Two.");
    Cli done = Cli.runWith(CALL.formatted("x", "look"), "exec", "--conversation", odd, agent);
    assertThat(done.exit()).isZero();
  }

  @Test
  void thoseOfAPrincipalAreDeletedInTheOnlyFileHere() {
    talk("c-1", "One.");

    Cli deleted = Cli.runIn(folder, "conversations", "delete", "--principal", "local", "--force");

    assertThat(deleted)
        .isEqualTo(new Cli(0, "Deleted 1 of 1; lines of audit logs are kept.\n", ""));
    assertThat(Cli.runIn(folder, "conversations", "delete"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Name a conversation by its id; 'switchboard conversations list' has"
                    + " them.\n"));
    assertThat(Cli.runIn(folder, "conversations", "show").exit()).isEqualTo(2);
  }

  @Test
  void aNameThatNoPrincipalHasIsRefused() {
    talk("c-1", "One.");

    for (String name : new String[] {"", " ", "\u001f", "a".repeat(201)}) {
      for (String[] words :
          new String[][] {
            {"conversations", "delete", "--principal", name, agent},
            {"memory", "list", "--principal", name, agent},
            {"memory", "search", "--principal", name, "tea", agent},
            {"memory", "export", "--principal", name, agent},
            {"chat", "--principal", name, "-m", "Hi", agent},
            {"exec", "--principal", name, agent}
          }) {
        Cli refused = Cli.run(words);
        assertThat(refused.exit()).as(String.join(" ", words)).isEqualTo(2);
        assertThat(refused.err())
            .startsWith("switchboard: --principal: the name of a principal must have 1 to 200");
      }
    }
    assertThat(Cli.run("conversations", "list", agent).out()).contains("c-1");
  }

  @Test
  void showsWhatWasSaidAndDone() {
    model.calls("look", "{}").says("All\nfine.\u001b[31m");
    Cli.run("chat", agent, "--conversation", "c-1", "-m", "How is it?");

    assertThat(Cli.run("conversations", "show", "c-1", agent).out())
        .contains("user    How is it?\n", "call    look {}\n", "result  look ")
        .contains("agent   All\n        fine.\\u001b[31m\n");
    assertThat(Cli.run("conversations", "show", "c-1", "--json", agent).json())
        .extracting(one -> one.path("role").asString())
        .endsWith("user", "assistant", "tool", "assistant");
    Cli none = Cli.run("conversations", "show", "c-9", agent);
    assertThat(none.exit()).isOne();
    assertThat(none.err()).isEqualTo("switchboard: No conversation 'c-9' is stored.\n");
    assertThat(Cli.run("conversations", "show", "c-1", "c-2", agent).exit()).isEqualTo(2);
  }

  @Test
  void showsTheCallsOfAConversationWithoutAModel() {
    Cli.runWith(CALL.formatted("x", "look"), "exec", "--conversation", "c-3", agent);

    assertThat(Cli.run("conversations", "show", "c-3", agent).out())
        .contains("call    look {}\n", "result  look ");
  }

  @Test
  void deletesThem() {
    talk("c-1", "One.");
    talk("c-2", "Two.");

    Cli cli = Cli.run("conversations", "delete", "c-1", "c-9", agent);
    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).isEqualTo("switchboard: No conversation 'c-9' is stored.\n");
    assertThat(cli.out()).isEqualTo("Deleted 1 of 2; lines of audit logs are kept.\n");
    assertThat(Cli.run("conversations", "list", "--json", agent).json())
        .extracting(one -> one.path("id").asString())
        .containsExactly("c-2");
    assertThat(Cli.run("conversations", "delete", "c-2", agent).exit()).isZero();
    assertThat(Cli.run("conversations", "delete", agent).exit()).isEqualTo(2);
  }

  @Test
  void doesNotDeleteWhatAProcessHolds() {
    talk("c-1", "One.");
    try (ConversationStore store = Storage.sqlite(folder.resolve("agent.db"), "Desk")) {
      Cell<ConversationState> cell = store.state("c-1");
      Lease other = new Lease(9, Time.SYSTEM.now().plusSeconds(25));
      assertThat(cell.replace(cell.load(), cell.load().value().withLease(other))).isTrue();
    }

    Cli cli = Cli.run("conversations", "delete", "c-1", agent);
    assertThat(cli.exit()).isOne();
    assertThat(cli.err())
        .matches(
            "switchboard: Conversation 'c-1' is held until ..:..:.. by another process, or one that"
                + " died; --force deletes it all the same.\n");
    assertThat(Cli.run("conversations", "delete", "c-1", "--force", agent).exit()).isZero();
  }

  @Test
  void prunesWhatIsOld() {
    talk("c-1", "One.");
    talk("c-2", "Two.");

    assertThat(Cli.run("conversations", "prune", "--older", "1d", agent).out())
        .startsWith("No conversation is older than ");
    Cli no = Cli.runWith("n\n", "conversations", "prune", "--older", "0s", agent);
    assertThat(no.exit()).isOne();
    assertThat(no.err())
        .startsWith("Delete 2 conversations, with nothing in them since ")
        .endsWith("Nothing was deleted; --yes deletes without a question.\n");
    assertThat(Cli.runWith("", "conversations", "prune", "--older", "0s", agent).exit()).isOne();
    assertThat(Cli.run("conversations", "prune", "--older", "soon", agent).exit()).isEqualTo(2);
    Cli yes = Cli.run("conversations", "prune", "--older", "0s", "--yes", agent);
    assertThat(yes).isEqualTo(new Cli(0, "Deleted 2 of 2; lines of audit logs are kept.\n", ""));
    assertThat(Cli.run("conversations", "list", agent).out())
        .isEqualTo("No conversation is stored.\n");
  }

  @Test
  void aChatGoesOnWithTheLatest() {
    Cli none = Cli.run("chat", agent, "--continue", "-m", "Hello");
    assertThat(none.exit()).isOne();
    assertThat(none.err()).isEqualTo("switchboard: There is no conversation to continue yet.\n");
    talk("c-1", "One.");
    talk("c-2", "Two.");
    model.says("Three.");
    assertThat(Cli.run("chat", agent, "--continue", "-m", "And?").out()).isEqualTo("Three.\n");

    assertThat(model.requests().getLast().body()).contains("Two.").doesNotContain("One.");
    assertThat(Cli.run("chat", agent, "--continue", "--conversation", "c-1").exit()).isEqualTo(2);
  }
}
