package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.ToolSessionBuilder;
import dev.switchboard.json.Json;
import dev.switchboard.observe.AuditLog;
import dev.switchboard.process.OwnerFile;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard exec`: reads tool calls and prints events.
@Command(
    name = "exec",
    description = {
      "Run tool calls from standard input and print events.",
      "",
      "Each line is a tool call {\"id\", \"name\", \"arguments\"}, a list of calls that are made"
          + " together, {\"user\": text}, which begins a new turn, or {\"consent\": id,"
          + " \"decision\": \"approve\"}, which answers a request. Each event is a line of JSON."
          + " Exits with 1 if a line was not taken or a result could not be stored, with 0 if calls"
          + " failed."
    },
    footer = {
      "  switchboard exec agent.toml < calls.jsonl",
      "  switchboard exec --conversation c-42 --audit audit.jsonl agent.toml < calls.jsonl"
    })
final class ExecCommand implements Callable<Integer> {
  private static final Duration EXPIRY_CHECK = Duration.ofMillis(200);

  private final Terminal terminal;

  @Mixin private final FoundAgent agent;

  @Option(names = "--conversation", paramLabel = "ID", description = "The conversation's id.")
  private @Nullable String conversation;

  @Mixin private PrincipalOption principal;

  @Option(
      names = "--caller",
      paramLabel = "NUMBER",
      description = "The caller's number, for webhooks.")
  private @Nullable String caller;

  @Option(
      names = "--callee",
      paramLabel = "NUMBER",
      description = "The called number, for webhooks.")
  private @Nullable String callee;

  @Option(
      names = "--audit",
      paramLabel = "FILE",
      description = "Append a line for each call to this file.")
  private @Nullable Path audit;

  ExecCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    agent = new FoundAgent(folder);
  }

  @Override
  public Integer call() throws IOException {
    AgentFile file = agent.readAll(terminal);
    try (OpenedStorage kept = OpenedStorage.open(agent.file(), file, terminal.err())) {
      ConversationStore store = kept.store();
      ToolExecutorBuilder executor = Switchboard.executor(file, kept.memory());
      return run(store == null ? executor : executor.store(store), file, store);
    }
  }

  private int run(ToolExecutorBuilder executor, AgentFile file, @Nullable ConversationStore store)
      throws IOException {
    if (audit == null || isSame(audit, file.audit())) {
      return run(AgentArgument.built(executor::build), file, store);
    }
    try (Writer log = open(audit)) {
      return run(AgentArgument.built(executor.listener(AuditLog.to(log))::build), file, store);
    }
  }

  /// Whether the agent's file names the same log.
  private static boolean isSame(Path log, @Nullable Path other) {
    return other != null
        && log.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  private static Writer open(Path file) {
    try {
      return new OwnerFile(file).append();
    } catch (IOException e) {
      throw Failure.usage("The audit log " + file + " cannot be written.", e);
    }
  }

  private int run(ToolExecutor executor, AgentFile file, @Nullable ConversationStore store) {
    EventLines events = new EventLines(terminal.out());
    boolean denies = file.agent().denyPending();
    ExecRun.Options options = new ExecRun.Options(store != null, denies);
    ExecRun run = new ExecRun(executor, options, session(events, store), events);
    Thread expiry = Thread.ofVirtual().name("exec-expiry").start(() -> expire(run));
    String fault;
    try {
      fault =
          Signals.ending(
              run::cancel,
              () -> {
                run.takeAll(new LineReader(terminal.in()));
                return run.fault();
              });
    } catch (IOException e) {
      run.cancel();
      throw Failure.work("Standard input cannot be read.", e);
    } finally {
      expiry.interrupt();
    }
    if (fault != null) {
      throw Failure.work(fault, null);
    }
    return events.broken() || run.hasSkipped() ? 1 : 0;
  }

  private static void expire(ExecRun run) {
    Time.Signal never = new Time.Signal();
    while (!Thread.currentThread().isInterrupted()) {
      Time.SYSTEM.pause(never, EXPIRY_CHECK);
      try {
        run.expire();
      } catch (StoreException e) {
        System.getLogger(ExecCommand.class.getName())
            .log(Level.DEBUG, "the store is looked at again in a moment", e);
      }
    }
  }

  /// A user who types the lines reads how to answer.
  private void show(Event event, EventLines events) {
    events.show(event);
    if (Boolean.getBoolean("switchboard.typed")
        && event instanceof Event.AgentEvent(String word, Json payload)
        && word.equals("consent_request")
        && payload != null) {
      Json id = Json.of(payload.tree().path("id"));
      terminal
          .err()
          .printf("Answer with {\"consent\": %s, \"decision\": \"approve\"}, or \"deny\".%n", id);
    }
  }

  private ToolSession session(EventLines events, @Nullable ConversationStore store) {
    String id =
        conversation == null
            ? UUID.randomUUID().toString()
            : ConversationArguments.stated(conversation, store);
    ToolSessionBuilder session =
        ToolSession.builder(id).principal(principal.name()).events(event -> show(event, events));
    String actor = principal.actor();
    if (actor != null) {
      session.attributes(Map.of(ExecutionListener.ACTOR, actor));
    }
    if (caller != null) {
      session.caller(caller);
    }
    if (callee != null) {
      session.callee(callee);
    }
    try {
      return store == null ? session.build() : session.store(store).build();
    } catch (ConversationNotFoundException e) {
      throw PrincipalOption.others(id, store, e);
    }
  }
}
