package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.cli.demo.DemoServer;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.StoreException;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.Calls;
import dev.switchboard.phone.Phone;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.server.access.TokensException;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard serve`: serves agents over HTTP.
@Command(
    name = "serve",
    description = {
      "Serve agents over HTTP, with a console in the browser.",
      "",
      "Clients need a token: the first start creates one and prints it once; `switchboard token"
          + " add` creates others. On Ctrl-C and SIGTERM running turns get at most 30 seconds to"
          + " end.",
      "",
      "If an agent's file has a table [cluster], `switchboard worker` runs its turns.",
      "",
      "An agent whose file has a table [phone] also answers that phone. After Ctrl-C and SIGTERM no"
          + " new call is accepted, and running calls get the time of 'drain', by default 5"
          + " minutes."
    },
    footer = {
      "  switchboard serve agent.toml",
      "  switchboard serve desk.toml kitchen.toml --port 9000",
      "  switchboard serve agent.toml --replay conversation.jsonl",
      "  switchboard serve --demo"
    })
final class ServeCommand implements Callable<Integer> {
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Terminal terminal;
  private final Path folder;
  private final OpenResources opened = new OpenResources();
  private final InProcessMemory inProcess = new InProcessMemory(); // of agents without storage
  private final Set<String> reserved = new HashSet<>();
  private final Set<Optional<Agent.Cluster>> clusters = new HashSet<>(); // of the agents
  private final ServedPhones phones;

  @Parameters(
      paramLabel = "AGENT.toml",
      arity = "0..*",
      description = "The agents' files; left out, the only one here.")
  private List<Path> files = List.of();

  @Mixin private ServerOptions options;
  @Mixin private ChatModelOptions model;
  @Mixin private StartOptions start;

  @Option(
      names = "--demo",
      description = "Serve the agent of the demonstration, offline, with a conversation under way.")
  private boolean demo;

  ServeCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
    phones = new ServedPhones(terminal);
  }

  @Override
  public Integer call() throws Exception {
    if (demo && !files.isEmpty()) {
      throw Failure.usage("--demo brings its own agent; name no file.", null);
    }
    if (!demo && files.isEmpty()) {
      files = List.of(FoundAgent.only(folder));
    }
    options.readConfig(terminal);
    options.check();
    Duration unused = start.most();
    if (files.size() > 1 && model.isOfOneConversation()) {
      throw Failure.usage("--record and --replay are for one agent.", null);
    }
    try {
      return demo ? demo() : serve(agents(), options.tokens(), server -> {});
    } finally {
      opened.close();
    }
  }

  private List<Agent> agents() {
    List<AgentFile> read = new ArrayList<>();
    for (Path path : files) {
      read.add(AgentArgument.readAll(path, terminal));
    }
    ReachableAgents neighbours = new ReachableAgents(read);
    List<Agent> agents = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      agents.add(agent(files.get(i), read.get(i), neighbours));
    }
    start.opened(terminal, () -> neighbours.open(agents));
    opened.push(neighbours);
    start.opened(terminal, () -> neighbours.notes(read, agents)).forEach(terminal.err()::println);
    return agents;
  }

  private Agent agent(Path path, AgentFile file, ReachableAgents neighbours) {
    Phone phone = phones.of(path, file);
    OpenedStorage kept =
        start.opened(terminal, () -> OpenedStorage.open(path, file, terminal.err(), inProcess));
    opened.push(kept);
    ConversationStore store = kept.store();
    if (file.cluster() == null) {
      reserve(path, kept.storage(), file.storage());
    }
    clusters.add(Optional.ofNullable(file.cluster()));
    if (store == null) {
      terminal
          .err()
          .println(path + " has no [storage]: its conversations last as long as this server.");
      store = new InProcessConversations(Bound.CONVERSATIONS.all(), kept.words(file));
    }
    AgentBuilder builder = Switchboard.agent(file).memory(kept.memory());
    if (phone == null || phone.needsModel() || model.isNamed(file)) {
      ChatModelOptions.Opened opening = model.open(file, path, null);
      opened.push(opening);
      builder.model(opening.model()).fallback(opening.inItsPlace());
    }
    Agent agent = start.agent(terminal, builder, file, kept.storage(), store, neighbours);
    if (phone != null) {
      phones.answer(phone, agent);
    }
    return agent;
  }

  /// Reserves the storage, since a storage has only one server.
  private void reserve(Path path, @Nullable Storage storage, @Nullable String url) {
    if (storage == null || url == null || !reserved.add(place(path, url))) {
      return;
    }
    String holder =
        "process %d on port %d since %s"
            .formatted(
                ProcessHandle.current().pid(),
                options.port(),
                Time.SYSTEM.now().truncatedTo(ChronoUnit.SECONDS));
    try {
      opened.push(start.opened(terminal, () -> storage.reserve(holder)));
    } catch (StoreException e) {
      throw Failure.usage(String.valueOf(e.getMessage()), e);
    }
  }

  /// An identifier of the storage.
  private static String place(Path path, String url) {
    return url.startsWith("sqlite:")
        ? path.toAbsolutePath().resolveSibling(url.substring(7)).normalize().toString()
        : url;
  }

  private int demo() throws Exception {
    Path folder = Files.createTempDirectory("switchboard-demo");
    Path own = folder.resolve("tokens");
    try (DemoServer play = new DemoServer()) {
      phones.answer(play.phone(), play.agent());
      return serve(List.of(play.agent()), own, server -> play.play(server, Tokens.OPERATOR));
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }

  /// Runs once the server listens.
  private interface Begun {
    void with(Server server);
  }

  private int serve(List<Agent> agents, Path tokenFile, Begun begun) throws IOException {
    Tokens issued = openTokens(tokenFile);
    CountDownLatch end = new CountDownLatch(1);
    Calls calls = phones.calls();
    Server server =
        options.start(
            turns(Server.builder(issued))
                .agents(agents.toArray(Agent[]::new))
                .mount(calls.routes().toArray(Mount[]::new))
                .calls(calls.pages())
                .mount(tools(agents).toArray(Mount[]::new)));
    return Signals.ending(
        () -> {
          phones.drain(calls);
          server.close();
          end.countDown();
          opened.endProcess(CLOSING, terminal);
        },
        () -> {
          printAddress(agents, server);
          printTokens(tokenFile, issued);
          agents.forEach(this::warnOfMemory);
          Thread.ofVirtual().name("begun").start(() -> begun.with(server));
          await(end, calls, server);
          return 0;
        });
  }

  /// Sets where turns run: in this process, or in workers.
  private Server.Builder turns(Server.Builder server) {
    if (clusters.size() > 1) {
      throw Failure.usage(
          "Agents with workers and agents without cannot share a server, nor those whose tables"
              + " [cluster] differ: serve each with its own command.",
          null);
    }
    Optional<Agent.Cluster> cluster = clusters.stream().findFirst().flatMap(Function.identity());
    return cluster.map(shared -> server.workers(shared.hold())).orElseGet(server::sole);
  }

  /// The agents' tools for MCP clients: at `/mcp` for one agent, otherwise at paths below it by
  /// agent name.
  private List<Mount> tools(List<Agent> agents) {
    List<Mount> routes = new ArrayList<>();
    for (Agent agent : agents) {
      McpServer server = McpServer.of(agent);
      opened.push(server);
      String name = agent.name().replaceAll("[^A-Za-z0-9_.-]", "_");
      routes.addAll(server.routes(agents.size() == 1 ? "/mcp" : "/mcp/" + name));
    }
    return routes;
  }

  private @Nullable String configured() {
    String tokenEnv = options.tokenEnv();
    if (tokenEnv == null) {
      return null;
    }
    String token = System.getenv(tokenEnv);
    if (token == null || token.isBlank()) {
      throw Failure.usage("The environment variable " + tokenEnv + " holds no token.", null);
    }
    if (token.length() < Tokens.LEAST_CHARACTERS || token.length() > Tokens.MOST_CHARACTERS) {
      throw Failure.usage(
          "The token in the environment variable %s must have %d to %d characters, not %d."
              .formatted(tokenEnv, Tokens.LEAST_CHARACTERS, Tokens.MOST_CHARACTERS, token.length()),
          null);
    }
    return token;
  }

  private Tokens openTokens(Path file) {
    try {
      Tokens opened = Tokens.open(file, configured(), Time.SYSTEM);
      for (String name : opened.invalidNames()) {
        terminal
            .err()
            .println(
                "The token of '%s' is not valid: the name stands for clients without a token; add"
                        .formatted(name)
                    + " one of another name.");
      }
      return opened;
    } catch (TokensException e) {
      throw Failure.usage(String.valueOf(e.getMessage()), e);
    }
  }

  private void printAddress(List<Agent> agents, Server server) {
    String names = agents.stream().map(Agent::name).collect(Collectors.joining("', '", "'", "'"));
    terminal.out().println("Serving " + names + " at " + options.address(server));
    phones.printNumbers();
    terminal.out().flush();
  }

  /// Creates the first token if there is none, once the server listens: it is printed only here.
  private void printTokens(Path file, Tokens issued) {
    try {
      String first = issued.first();
      if (first != null) {
        terminal.out().println("Log in with this token, which is not shown again:");
        terminal.out().println(first);
        terminal.out().flush();
      }
      if (!demo) {
        terminal.err().println(whereTokensAre(file, issued));
      }
    } catch (TokensException e) {
      terminal.err().println(e.getMessage());
    }
  }

  /// Says whose memory clients see, where that may surprise.
  private void warnOfMemory(Agent agent) {
    try {
      agent.admitPrincipals().forEach(terminal.err()::println);
    } catch (StoreException e) {
      terminal.err().println(e.getMessage());
    }
  }

  private static String whereTokensAre(Path file, Tokens issued) {
    String option = file.equals(Tokens.DEFAULT_FILE) ? "" : " --tokens " + file;
    return issued.haveOperator()
        ? "Tokens are in %s; another: switchboard token add NAME --role ROLE%s"
            .formatted(file, option)
        : "No token in %s has the role operate; for one: switchboard token add NAME --role operate%s"
            .formatted(file, option);
  }

  private static void await(CountDownLatch end, Calls calls, Server server) {
    try {
      end.await();
    } catch (InterruptedException e) {
      calls.close();
      server.close();
      Thread.currentThread().interrupt();
    }
  }
}
