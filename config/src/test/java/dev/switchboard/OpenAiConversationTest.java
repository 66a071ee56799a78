package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.tool.Doc;
import dev.switchboard.tool.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations with a model of OpenAI, from its address to the store.
class OpenAiConversationTest {
  @TempDir private Path folder;
  private final StubResponses server = StubResponses.start();

  record Booking(
      @Doc("Such as T4") String table, LocalDate date, @Range(min = 1, max = 12) int guests) {}

  @AfterEach
  void close() {
    server.close();
  }

  private ChatModel model() {
    return OpenAiModel.of(
        "gpt-6-luna",
        ModelOptions.builder().baseUrl(server.url()).api(ModelOptions.Api.RESPONSES).build());
  }

  /// The program of the README, with a store.
  private Agent concierge(ConversationStore store) {
    Tool bookTable =
        Tool.typed("book_table", Booking.class)
            .description("Books a table.")
            .handler(booking -> "Booked " + booking.table() + " for " + booking.date());
    return Agent.builder("Concierge")
        .model(model())
        .prompt("You book tables at Da Enzo. Be brief.")
        .tools(bookTable)
        .rules(ToolRule.consent("book_table"))
        .store(store)
        .build();
  }

  private static List<String> types(Json request) {
    return request
        .tree()
        .path("input")
        .valueStream()
        .map(item -> item.path("type").asString("") + " " + item.path("role").asString(""))
        .map(String::strip)
        .toList();
  }

  @Test
  void goesOnWithItsReasoningAfterARestartBetweenTwoRounds() {
    server
        .calls("book_table", "{\"table\":\"T4\",\"date\":\"2026-03-14\",\"guests\":2}")
        .says("It is booked.")
        .says("You are welcome.");
    Path file = folder.resolve("talk.db");
    Turn turn;
    try (ConversationStore store = Storage.sqlite(file, "Concierge");
        Agent agent = concierge(store)) {
      turn = agent.conversation("guest-1").say("T4 for two on 14 March 2026, please.");
    }
    String id = ((Turn.Pending) turn).requests().getFirst().id();
    try (ConversationStore store = Storage.sqlite(file, "Concierge");
        Agent agent = concierge(store)) {
      Conversation talk = agent.conversation("guest-1");
      assertThat(talk.answer(id, Answer.approveOnce())).isEqualTo(new Turn.Reply("It is booked."));
    }
    try (ConversationStore store = Storage.sqlite(file, "Concierge");
        Agent agent = concierge(store)) {
      Conversation talk = agent.conversation("guest-1");
      assertThat(talk.say("Thanks.")).isEqualTo(new Turn.Reply("You are welcome."));
      assertThat(talk.history().toString()).doesNotContain("enc1");
    }
    assertThat(server.requests()).hasSize(3);
    assertThat(types(server.requests().get(1)))
        .containsExactly(
            "message developer",
            "message user",
            "reasoning",
            "function_call",
            "function_call_output");
    assertThat(types(server.requests().get(2)))
        .endsWith("function_call_output", "reasoning", "message assistant", "message user");
    assertThat(server.dropped()).isEmpty();
    server.assertDone();
  }

  @Test
  void isAskedByResponsesWhereAServerRefersToThem() throws IOException {
    server.calls("get_rate", "{}").says("1.2").says("Bye.");
    Path file = folder.resolve("agent.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Clerk"
        model = { provider = "openai", name = "gpt-5.6-terra", base_url = "%s" }

        [[tools]]
        name = "get_rate"
        description = "The rate."
        command = ["date"]
        mode = "read"
        """
            .formatted(server.url()));
    try (Agent agent = Switchboard.agent(file)) {
      Conversation talk = agent.conversation("c");
      assertThat(talk.say("What is the rate?")).isEqualTo(new Turn.Reply("1.2"));
      assertThat(talk.say("Thanks.")).isEqualTo(new Turn.Reply("Bye."));
    }
    assertThat(server.requests()).hasSize(3);
    server.assertDone();
  }
}
