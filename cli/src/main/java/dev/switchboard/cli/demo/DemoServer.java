package dev.switchboard.cli.demo;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.memory.Block;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.Phones;
import dev.switchboard.server.Server;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// The reservation agent for the server, offline, with a running conversation: it has used tools,
/// one circuit breaker is open, and one call waits for a person.
public final class DemoServer implements AutoCloseable {
  private static final String CONVERSATION = "demo";
  private static final List<String> SENTENCES =
      List.of(
          "Do you have a table for four on Saturday at half past seven?",
          "Book the one on the patio, please. The name is Ada.",
          "And one inside on Sunday, please.",
          "What is on the menu for a vegetarian?",
          "Can you text me that?",
          "Please try that message once more.",
          "Then cancel the one on Saturday, please. It is R1.");

  private final BookingService service = new BookingService();
  private final Phone phone;
  private final Agent agent;

  /// @throws IOException when no server can be started on loopback
  public DemoServer() throws IOException {
    AgentFile file = Demo.agent(written(), service.port());
    phone = Objects.requireNonNull(new Phones().of(file));
    agent =
        Switchboard.agent(file)
            .model(new OfflineModel())
            .store(new InProcessConversations())
            .blocks(
                List.of(
                    block("guest", "What is known of the guest.", "Ada comes with three friends."),
                    block("house", "The rules of the house.", "The patio closes at ten.")))
            .build();
  }

  // Keeps the breaker open until someone looks at it.
  private static String written() {
    return Demo.agentFile().replace("cooldown = \"30s\"", "cooldown = \"10m\"");
  }

  private static Block block(String label, String description, String value) {
    return Block.of("Reservations", label, Block.Kind.WORKING)
        .withDescription(description)
        .withValue(value);
  }

  /// The agent.
  public Agent agent() {
    return agent;
  }

  /// The agent's phone, for calls from the console.
  public Phone phone() {
    return phone;
  }

  /// Runs the conversation in that server.
  ///
  /// @param principal its owner
  public void play(Server server, String principal) {
    Conversation conversation = server.conversation(agent.name(), CONVERSATION, principal);
    conversation.greet();
    for (String sentence : SENTENCES) {
      Turn turn = conversation.say(sentence, event -> {});
      if (turn instanceof Turn.Pending) {
        return;
      }
    }
  }

  @Override
  public void close() {
    agent.close();
    service.close();
  }
}
