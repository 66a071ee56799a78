package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file of the version in which a conversation had two states and two tables: one that rests, one
/// that waits for consent, one whose process was killed within a call, and one of a host without a
/// model.
class OlderConversationsTest {
  @TempDir private Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private Storage storage;
  private ConversationStore store;

  @BeforeEach
  void open() throws IOException {
    InputStream file =
        Objects.requireNonNull(
            OlderConversationsTest.class.getResourceAsStream("/store/version5.db.gz"));
    try (InputStream unpacked = new GZIPInputStream(file)) {
      Files.copy(unpacked, folder.resolve("store.db"));
    }
    storage = Storage.open("sqlite:store.db", folder);
    store = storage.conversations("Booker");
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private Tool tool(String name, ToolMode mode) {
    return Tool.dynamic(name)
        .mode(mode)
        .handler(arguments -> {
          ran.add(name);
          return name + " done";
        });
  }

  private Agent agent() {
    return Agent.builder("Booker")
        .model(model)
        .tools(
            tool("find_table", ToolMode.READ),
            tool("pay", ToolMode.EXTERNAL),
            tool("die", ToolMode.READ))
        .rules(ToolRule.consent("pay"))
        .store(store)
        .build();
  }

  private static List<String> words(Conversation talk) {
    return talk.history().stream()
        .map(message ->
            switch (message) {
              case Message.User(String text, var files) -> text;
              case Message.Assistant assistant -> assistant.text() + assistant.calls().size();
              case Message.Result result -> result.tool() + ": " + result.text();
              case Message.System system -> system.text();
              case Message.Notice notice -> notice.text();
            })
        .toList();
  }

  @Test
  void listsThemAll() {
    assertThat(store.directory().conversations())
        .extracting(one -> one.id() + " " + one.turns() + " " + one.calls() + " " + one.waiting())
        .containsExactlyInAnyOrder("talk 2 1 1", "cut 2 1 0", "calls 2 3 1");
    assertThat(store.directory().conversations()).allMatch(one -> one.started() != null);
  }

  @Test
  void aTurnThatWaitsIsAnswered() {
    Conversation talk = agent().conversation("talk");
    assertThat(words(talk))
        .containsExactly(
            "A table for four?",
            "1",
            "find_table: Table 4",
            "Table 4 is free.0",
            "I pay now.",
            "1");

    model.says("Paid.");
    assertThat(talk.answer(talk.waiting().getFirst(), Answer.approveOnce()))
        .isEqualTo(new Turn.Reply("Paid."));
    assertThat(ran).containsExactly("pay");
    assertThat(talk.state().turn()).isEqualTo(2);
    model.says("Bye.");
    assertThat(talk.say("Thanks").text()).isEqualTo("Bye.");
    assertThat(store.lines("talk", 99))
        .extracting(ConversationStore.Line::key)
        .contains("turn3/input", "turn3/end");
  }

  @Test
  void aTurnWhoseProcessWasKilledGoesOn() {
    Conversation talk = agent().conversation("cut");
    model.says("Done.");

    assertThat(talk.resume()).isEqualTo(new Turn.Reply("Done."));
    assertThat(ran).containsExactly("die");
    assertThat(talk.state().turn()).isEqualTo(2);
    assertThat(talk.resume()).isNull();
  }

  @Test
  void callsOfAHostWithoutAModelHaveTheirResults() {
    ToolSession session = ToolSession.builder("calls").store(store).build();

    assertThat(store.settledCalls("calls", 1))
        .extracting(settled -> settled.call().id() + settled.call().arguments().text())
        .containsExactly("e1{\"a\":\"\\u0000 \uE000e\"}", "e2no JSON \u0000\uE000 at all");
    assertThat(session.result("e3")).extracting(result -> result.text()).isEqualTo("Table 4");
    assertThat(session.state().turn()).isEqualTo(2);
    assertThat(agent().executor().answer("e4", Answer.approveOnce(), session).orElseThrow().text())
        .isEqualTo("pay done");
  }
}
