package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.cli.chat.Chat;
import dev.switchboard.cli.chat.ChatOptions;
import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.cli.chat.Timings;
import dev.switchboard.cli.chat.TypedInput;
import dev.switchboard.cli.chat.View;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.model.Message;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
      "  switchboard chat agent.toml -m 'What is on it?' --image receipt.png",
      "  switchboard chat agent.toml -m 'A table for four on Saturday?'",
      "  switchboard chat agent.toml --conversation c-42 --model openai:" + ModelNames.OPENAI,
      "  switchboard chat agent.toml --continue",
      "  switchboard chat agent.toml --record talk.jsonl"
    })
final class ChatCommand implements Callable<Integer> {
  private static final Duration TICK = Duration.ofMillis(250);

  private final Terminal terminal;
  private String late = "";
  private List<Message.Attachment> files = List.of();

  @Mixin private final FoundAgent agent;
  @Mixin private ChatModelOptions model;

  @Option(names = "--conversation", paramLabel = "ID", description = "The conversation's id.")
  private @Nullable String conversation;

  @Mixin private PrincipalOption principal;

  @Option(names = "--continue", description = "Continue the latest conversation.")
  private boolean latest;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "TEXT",
      description = "Say this, print the reply, and end.")
  private @Nullable String message;

  @Option(
      names = {"--image", "--attach"},
      paramLabel = "FILE",
      description = "Show this image, PDF document or text with -m; may be repeated.")
  private List<Path> attached = List.of();

  @Option(names = "--no-history", description = "Do not read or write the history file.")
  private boolean noHistory;

  @Option(names = "--json", description = "Print the events as JSON, one a line.")
  private boolean json;

  ChatCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    agent = new FoundAgent(folder);
  }

  @Override
  public Integer call() throws IOException {
    if (message != null && message.isBlank()) {
      throw Failure.usage("-m needs a sentence or a command, not a blank text.", null);
    }
    if (!attached.isEmpty() && message == null) {
      throw Failure.usage("--image needs -m; in a conversation, /attach FILE shows a file.", null);
    }
    files = AttachedFiles.read(attached);
    if (latest && conversation != null) {
      throw Failure.usage("--continue and --conversation exclude each other.", null);
    }
    boolean typed = !json && message == null && Terminal.isTyped();
    if (typed) {
      terminal
          .out()
          .println("Loading " + agent.file() + " ... /help lists the commands, Ctrl-D leaves.");
    }
    AgentFile file = agent.readAll(terminal);
    if (!typed) {
      View view = json ? new JsonView(terminal) : new PlainView(terminal.out(), terminal.err());
      return talk(file, view, new Talk(false, this::piped));
    }
    Path history = noHistory ? null : ChatHistory.file(System.getenv());
    try (TypedInput input = TypedInput.ofProcess(history)) {
      View view = input.view(terminal.out(), terminal.colour());
      Thread ticks = Thread.ofVirtual().name("chat-ticks").start(() -> tick(view));
      try {
        return talk(file, view, new Talk(true, chat -> typed(chat, input)));
      } finally {
        ticks.interrupt();
      }
    }
  }

  private static void tick(View view) {
    Time.Signal never = new Time.Signal();
    while (!Thread.currentThread().isInterrupted()) {
      Time.SYSTEM.pause(never, TICK);
      view.tick();
    }
  }

  private record Talk(boolean typed, Course course) {}

  /// The run of a chat, which returns whether it succeeded.
  private interface Course {
    boolean run(Chat chat) throws IOException;
  }

  private boolean piped(Chat chat) throws IOException {
    LineReader lines = new LineReader(terminal.in());
    return message == null ? chat.all(prompt -> lines.nextText()) : chat.message(message, files);
  }

  private boolean typed(Chat chat, TypedInput typed) throws IOException {
    typed.onInterrupt(chat::cancelTurn);
    return chat.all(typed);
  }

  private int talk(AgentFile file, View view, Talk talk) throws IOException {
    try (ChatModelOptions.Opened opened = model.open(file, agent.file(), view);
        OpenedStorage kept = OpenedStorage.open(agent.file(), file, terminal.err())) {
      ConversationStore store = kept.store();
      AgentBuilder builder =
          Switchboard.agent(file)
              .model(opened.model())
              .fallback(opened.inItsPlace())
              .memory(kept.memory());
      if (file.agent().consentTimeout() == null) {
        builder.consentTimeout(ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT); // a person is there
      }
      if (!json) {
        builder.listener(new Timings(view));
      }
      late =
          "The model may be silent for %s; [agent.limits] model_timeout in %s says otherwise."
              .formatted(
                  Durations.text(file.agent().limits().modelTimeout(opened.model())), agent.file());
      AgentBuilder complete = store == null ? builder : builder.store(store);
      return talk(AgentArgument.built(complete::build), store, view, talk);
    } catch (RecordedModel.MismatchException e) {
      throw Failure.work("The recording is of another conversation: " + e.getMessage(), e);
    }
  }

  private int talk(Agent opened, @Nullable ConversationStore store, View view, Talk talk)
      throws IOException {
    String id = id(opened, store);
    if (store == null && conversation != null) {
      view.say(
          "Nothing is kept of conversation '%s': %s has no [storage]."
              .formatted(conversation, agent.file()));
    }
    ChatOptions manner = manner(talk.typed, id, store);
    ConversationOptions options =
        ConversationOptions.NONE.withPrincipal(principal.name()).withActor(principal.actor());
    try (Chat chat = new Chat(opened, () -> opened.conversation(id, options), view, manner)) {
      boolean well = Signals.ending(chat::end, () -> talk.course.run(chat));
      if (store != null && (talk.typed || conversation == null)) {
        view.say(
            "Continue with: "
                + CommandText.again(principal.with("chat", path(), "--conversation", id)));
      }
      return well ? 0 : 1;
    } catch (ConversationNotFoundException e) {
      throw PrincipalOption.others(id, store, e);
    } catch (ConversationConflictException e) {
      throw Failure.work(
          "Another process has continued conversation '%s', so it stops here; run the command again to continue from its current state."
              .formatted(id),
          e);
    }
  }

  private String id(Agent opened, @Nullable ConversationStore store) {
    if (!latest) {
      return conversation == null
          ? UUID.randomUUID().toString()
          : ConversationArguments.stated(conversation, store);
    }
    if (store == null) {
      throw Failure.usage(
          "--continue needs a table [storage] in " + agent.file() + ", which keeps nothing.", null);
    }
    return new StoredConversations(opened.name(), store, new InProcessMemory(), Time.SYSTEM)
        .all().stream()
            .filter(stored -> stored.header().principal().equals(principal.name()))
            .map(Summary::id)
            .filter(id -> !store.lines(id, 1).isEmpty())
            .findFirst()
            .orElseThrow(() -> Failure.work("There is no conversation to continue yet.", null));
  }

  private ChatOptions manner(boolean typed, String id, @Nullable ConversationStore store) {
    if (store == null) {
      return new ChatOptions(typed, late);
    }
    return new ChatOptions(
        typed,
        call ->
            "Answer with: " + CommandText.again("approvals", "approve", id + "/" + call, path()),
        late,
        call -> {
          SettledCall settled = store.settledCall(id, call);
          return settled == null ? null : settled.result();
        });
  }

  private String path() {
    return agent.file().toString();
  }
}
