package dev.switchboard.cli.demo;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.cli.chat.View;
import dev.switchboard.config.AgentFile;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The reservation agent in a conversation. The user's messages and consent are scripted, and the
/// model may be a recording; everything else is real.
public final class Demo {
  private static final String WRITTEN_PORT = "127.0.0.1:9001";
  private static final List<String> SENTENCES =
      List.of(
          "Do you have a table for four on Saturday at half past seven?",
          "The patio, please. The name is Ada. And what would you cook for a vegetarian?",
          "Lovely. Can you text me that?",
          "Then cancel it, please. It is R1.");

  private final View view;
  private final ExecutionListener listener;

  /// A demonstration in that view.
  ///
  /// @param listener receives events of calls
  public Demo(View view, ExecutionListener listener) {
    this.view = view;
    this.listener = listener;
  }

  /// Runs the conversation with that model; returns whether every turn succeeded.
  ///
  /// @throws IOException when no server can be started on loopback
  public boolean play(ChatModel model) throws IOException {
    try (BookingService service = new BookingService()) {
      AgentFile file = agent(agentFile(), service.port());
      Agent agent = Switchboard.agent(file).model(new Rounded(model)).listener(listener).build();
      started(file.agent().name(), service.port(), model.name());
      try (Conversation conversation = agent.conversation("demo")) {
        String greeting = conversation.greet(view::show);
        view.rest(greeting == null ? "" : greeting);
        return SENTENCES.stream().allMatch(sentence -> take(sentence, conversation));
      }
    }
  }

  /// The text of the demonstration's agent file, with an unused port.
  public static String agentFile() {
    return Resources.text("agent.toml");
  }

  /// The agent of the demonstration, with its service on that port.
  ///
  /// @param written the text of its file
  static AgentFile agent(String written, int port) throws IOException {
    Path folder = Files.createTempDirectory("switchboard-demo");
    Path file = folder.resolve("agent.toml");
    try {
      String text = written.replace(WRITTEN_PORT, "127.0.0.1:" + port);
      Files.writeString(file, text);
      return AgentFile.read(file, List.of(MenuTool.make()));
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  private void started(String agent, int port, String model) {
    show("demo_started", Map.of("agent", agent, "service", "127.0.0.1:" + port, "model", model));
  }

  private void show(String word, Map<String, String> payload) {
    view.show(new Event.AgentEvent(word, Json.of(payload)));
  }

  private boolean take(String sentence, Conversation conversation) {
    show("user", Map.of("text", sentence));
    Turn turn = conversation.say(sentence, view::show);
    while (turn instanceof Turn.Pending(var requests)) {
      requests.forEach(view::ask);
      turn = approve(requests.getFirst(), conversation);
    }
    return switch (turn) {
      case Turn.Reply(var text) -> {
        view.rest(text);
        yield true;
      }
      case Turn.Pending pending -> false;
      case Turn.Stopped stopped -> false;
    };
  }

  private Turn approve(ConsentRequest request, Conversation conversation) {
    Answer yes = Answer.approveOnce().by("demo");
    return conversation.answer(
        request.id(),
        yes,
        event -> {
          view.show(event);
          if (event instanceof Event.AgentEvent(var word, var payload)
              && word.equals(ConsentAnswer.EVENT)) {
            view.answered(request);
          }
        });
  }
}
