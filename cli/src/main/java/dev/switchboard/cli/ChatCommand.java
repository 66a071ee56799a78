package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.cli.chat.Chat;
import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.cli.chat.View;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.model.RecordingMismatchException;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard chat`: a conversation with an agent.
@Command(
    name = "chat",
    description = {
      "Talk with the agent.",
      "",
      "On a terminal, /help lists the commands, and Ctrl-C cuts a turn off. In a pipe, each line of"
          + " standard input is a sentence of the user; the replies go to standard output, all else"
          + " to standard error. Exits with 1 if a turn failed."
    },
    footer = {
      "  switchboard chat agent.toml",
      "  switchboard chat agent.toml -m 'A table for four on Saturday?'",
      "  switchboard chat agent.toml --conversation c-42 --model openai:gpt-4.1-mini",
      "  switchboard chat agent.toml --record talk.jsonl"
    })
final class ChatCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;
  @Mixin private ModelOptions model;

  @Option(names = "--conversation", paramLabel = "ID", description = "The conversation's id.")
  private @Nullable String conversation;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "TEXT",
      description = "Say this, print the reply, and end.")
  private @Nullable String message;

  @Option(names = "--json", description = "Print the events as JSON, one a line.")
  private boolean json;

  ChatCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    AgentFile file = agent.read(terminal);
    View view = view();
    try (ModelOptions.Opened opened = model.open(file.agent().model(), agent.file(), view);
        ConversationStore store = Switchboard.store(agent.file(), file)) {
      AgentBuilder builder = Switchboard.agent(file).model(opened.model());
      return run((store == null ? builder : builder.store(store)).build(), store != null, view);
    } catch (RecordingMismatchException e) {
      throw Failure.work("The recording is of another conversation: " + e.getMessage(), e);
    }
  }

  private View view() {
    return json
        ? new JsonView(terminal)
        : new PlainView(terminal.out(), terminal.err(), Time.SYSTEM);
  }

  private int run(Agent made, boolean stored, View view) throws IOException {
    String id = conversation == null ? UUID.randomUUID().toString() : conversation;
    String remedy =
        stored
            ? "Answer with: switchboard approvals approve %s/%%s %s".formatted(id, agent.file())
            : null;
    try (Conversation open = made.conversation(id)) {
      Chat chat = new Chat(made, open, view, new Chat.Manner(false, remedy));
      return Signals.ending(chat::end, () -> talk(chat)) ? 0 : 1;
    }
  }

  private boolean talk(Chat chat) throws IOException {
    return message == null ? chat.all(new PipedInput(terminal)) : chat.message(message);
  }
}
