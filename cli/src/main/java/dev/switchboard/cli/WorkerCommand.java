package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `switchboard worker`: runs the turns of agents whose storage several machines share.
@Command(
    name = "worker",
    description = {
      "Run the turns of agents whose storage several machines share.",
      "",
      "The agents' files have a table [cluster] and a PostgreSQL [storage]. Any number of workers"
          + " may run, on any number of machines. One of them holds a conversation; if it dies,"
          + " another one continues after the lease, 'hold'. `switchboard serve` with the same"
          + " files accepts the messages of clients.",
      "",
      "With --engine a Restate server assigns the turns to the workers. Inputs that wait in the"
          + " storage are forwarded to it, and others may be sent to it directly. The file then"
          + " needs no [cluster], but without it `switchboard serve` runs the turns itself.",
      "",
      "Ctrl-C and SIGTERM hand running turns over to the other workers."
    },
    footer = {
      "  switchboard worker agent.toml",
      "  switchboard worker desk.toml kitchen.toml",
      "  switchboard worker agent.toml --engine restate://engine:8080"
    })
final class WorkerCommand implements Callable<Integer> {
  // A turn may take 30 s to be handed over, a database that is silent 20 s to be given up.
  private static final Duration CLOSING = Duration.ofSeconds(60);

  private final Terminal terminal;
  private final OpenResources opened = new OpenResources();

  @Parameters(paramLabel = "AGENT.toml", arity = "1..*", description = "The agents' files.")
  private List<Path> files = List.of();

  @Mixin private ChatModelOptions model;
  @Mixin private EngineOptions engine;
  @Mixin private StartOptions start;

  private volatile boolean working;

  WorkerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (files.size() > 1 && model.isOfOneConversation()) {
      throw Failure.usage("--record and --replay are for one agent.", null);
    }
    engine.check();
    Duration unused = start.most();
    CountDownLatch end = new CountDownLatch(1);
    try {
      return Signals.ending(
          () -> {
            end.countDown();
            // One that has not begun has nothing to hand over: what it waits for may never come.
            if (working) {
              opened.endProcess(CLOSING, terminal);
            }
          },
          () -> work(end));
    } finally {
      opened.close();
    }
  }

  private int work(CountDownLatch end) {
    List<Agent> agents = new ArrayList<>();
    List<Agent.Cluster> clusters = new ArrayList<>();
    List<AgentFile> read = new ArrayList<>();
    for (Path path : files) {
      AgentFile file = AgentArgument.readAll(path, terminal);
      clusters.add(cluster(path, file));
      read.add(file);
    }
    ReachableAgents neighbours = new ReachableAgents(read);
    for (int i = 0; i < read.size(); i++) {
      agents.add(agent(files.get(i), read.get(i), neighbours));
    }
    start.opened(terminal, () -> neighbours.open(agents));
    opened.push(neighbours);
    start.opened(terminal, () -> neighbours.notes(read, agents)).forEach(terminal.err()::println);
    agents.forEach(WorkerCommand::prepareMemory);
    String where = engine.isNamed() ? engine(agents) : work(agents, clusters);
    working = true;
    String names = agents.stream().map(Agent::name).collect(Collectors.joining("', '", "'", "'"));
    terminal.out().println("Working for " + names + where);
    terminal.out().flush();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  /// Prepares memory for the principals of clients, whom `switchboard serve` admits.
  private static void prepareMemory(Agent agent) {
    try {
      List<String> unused = agent.admitPrincipals();
    } catch (StoreException e) {
      // Each conversation tries again, and logs it.
    }
  }

  /// How workers share that agent's conversations; with an engine, its file need not state it.
  private Agent.Cluster cluster(Path path, AgentFile file) {
    Agent.Cluster cluster = file.cluster();
    if (cluster != null) {
      return cluster;
    }
    if (!engine.isNamed()) {
      throw Failure.usage(
          path + " has no table [cluster] with workers = true; `switchboard serve` runs its turns.",
          null);
    }
    if (file.storage() == null) {
      throw Failure.usage(path + " has no [storage], which workers of an engine need.", null);
    }
    terminal
        .err()
        .println(
            path
                + " has no table [cluster] with workers = true: `switchboard serve` forwards"
                + " nothing to the engine.");
    return Agent.Cluster.USUAL;
  }

  private Agent agent(Path path, AgentFile file, ReachableAgents neighbours) {
    OpenedStorage kept =
        start.opened(terminal, () -> OpenedStorage.open(path, file, terminal.err()));
    opened.push(kept);
    ChatModelOptions.Opened opening = model.open(file, path, null);
    opened.push(opening);
    ConversationStore store = kept.store();
    AgentBuilder builder =
        Switchboard.agent(file)
            .memory(kept.memory())
            .model(opening.model())
            .fallback(opening.inItsPlace());
    Agent agent =
        start.agent(
            terminal, builder, file, kept.storage(), Objects.requireNonNull(store), neighbours);
    opened.push(agent);
    return agent;
  }

  /// Starts workers on the agents' storages.
  private String work(List<Agent> agents, List<Agent.Cluster> clusters) {
    for (int i = 0; i < agents.size(); i++) {
      Agent agent = agents.get(i);
      Agent.Cluster cluster = clusters.get(i);
      opened.push(start.opened(terminal, () -> agent.work(cluster)));
    }
    return "";
  }

  /// Starts a worker of the engine.
  private String engine(List<Agent> agents) {
    EngineWorker worker =
        start.awaited(
            terminal, () -> engine.start(agents), e -> e instanceof EngineWorker.AwayException);
    opened.push(worker);
    return ", by the engine at " + worker.engine() + ", on port " + worker.port();
  }
}
