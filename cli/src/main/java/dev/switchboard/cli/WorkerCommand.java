package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `switchboard worker`: turns of agents whose storage several machines share.
@Command(
    name = "worker",
    description = {
      "Run the turns of agents whose storage several machines share.",
      "",
      "The agents' files have a table [cluster] and a PostgreSQL [storage]. Any number of workers"
          + " may run, on any number of machines: each conversation is taken up by one of them, and"
          + " by another one within the hold if that dies. `switchboard serve` with the same files"
          + " takes what clients say.",
      "",
      "Ctrl-C and SIGTERM hand running turns over to the other workers."
    },
    footer = {"  switchboard worker agent.toml", "  switchboard worker desk.toml kitchen.toml"})
final class WorkerCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  @Parameters(paramLabel = "AGENT.toml", arity = "1..*", description = "The agents' files.")
  private List<Path> files = List.of();

  @Mixin private ModelOptions model;

  WorkerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (files.size() > 1 && model.isOfOneConversation()) {
      throw Failure.usage("--record and --replay are for one agent.", null);
    }
    CountDownLatch end = new CountDownLatch(1);
    try {
      return Signals.ending(
          () -> {
            end.countDown();
            awaitClosed();
          },
          () -> work(end));
    } finally {
      closeAll();
      closed.countDown();
    }
  }

  private int work(CountDownLatch end) {
    List<String> names = new ArrayList<>();
    for (Path file : files) {
      names.add(start(file));
    }
    terminal.out().println("Working for '" + String.join("', '", names) + "'");
    terminal.out().flush();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  /// The name of that file's agent, which is worked for from now on.
  private String start(Path path) {
    AgentFile file = AgentArgument.readAll(path, terminal);
    Agent.Cluster cluster = file.cluster();
    if (cluster == null) {
      throw Failure.usage(
          path + " has no table [cluster] with workers = true; `switchboard serve` runs its turns.",
          null);
    }
    Kept kept = Kept.open(path, file, terminal.err());
    opened.push(kept);
    ModelOptions.Opened opening =
        model.open(file, path, new PlainView(terminal.err(), terminal.err()));
    opened.push(opening);
    ConversationStore store = kept.store();
    Agent agent =
        Switchboard.agent(file)
            .memory(kept.memory())
            .store(Objects.requireNonNull(store))
            .time(Switchboard.time(file, kept.storage()))
            .model(opening.model())
            .fallback(opening.inItsPlace())
            .build();
    opened.push(agent);
    opened.push(agent.work(cluster));
    return agent.name();
  }

  private void awaitClosed() {
    try {
      closed.await();
      terminal.out().flush();
      terminal.err().flush();
      Runtime.getRuntime().halt(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
