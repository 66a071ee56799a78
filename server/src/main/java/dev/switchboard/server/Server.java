package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.AccessSettings;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.server.dialect.BadRequestException;
import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Agents over HTTP: their conversations as event streams, the calls that wait for a person, tools
/// and memory, and a console in the browser at `/`.
///
/// The effects of a turn are stored and numbered before they are shown, so a client that lost its
/// stream can resume it. Turns run whether or not a client reads them. Thread-safe.
public final class Server implements AutoCloseable {
  /// The default port.
  public static final int PORT = 8000;

  private static final String HOST = "server";
  private static final Duration LAST_RESPONSES = Duration.ofSeconds(1);

  private final Agents agents;
  private final Metrics metrics = new Metrics();
  private final Notices notices = new Notices();
  private final Access access;
  private final HealthRoutes health;
  private final BackgroundTasks background;
  private final OneOffTurns turnsOnce = new OneOffTurns();
  private final List<Mount> mounts;
  private final ServerLimits limits;
  private final Connections connections;
  private final Ports ports;
  private final ResponseDeadline responses;
  private final Javalin http;

  private Server(Builder builder) {
    agents =
        new Agents(
            builder.agents.stream()
                .map(agent ->
                    new ServedAgent(
                        agent,
                        notices,
                        metrics,
                        builder.watchers(notices),
                        builder.hold(),
                        builder.room,
                        builder.workers != null))
                .toList());
    limits = builder.limits;
    connections = new Connections(builder.time, limits.silent());
    ports =
        new Ports(
            builder.settings.host(), builder.port, builder.managementPort, limits, connections);
    responses = new ResponseDeadline(builder.time, limits.silent(), limits.bytesPerSecond());
    health = new HealthRoutes(agents, builder.time);
    mounts = List.copyOf(builder.mounts);
    access = new Access(builder.tokens, builder.settings, builder.time, openPaths());
    Streams streams = new Streams(access, builder.time, limits.write());
    agents.all().forEach(metrics::agent);
    metrics.gauge(
        "switchboard.streams.open", "Streams that are open.", access.streams(), Places::size);
    background = new BackgroundTasks(agents, streams, connections, responses, builder.time);
    http = Javalin.create(config -> set(config, builder, access, streams));
  }

  /// A builder for a server of these agents, for clients with one of these tokens.
  public static Builder builder(Tokens tokens) {
    return new Builder(tokens);
  }

  private void set(JavalinConfig config, Builder builder, Access access, Streams streams) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.jetty.modifyServer(server -> {
      server.insertHandler(new BodyDeadline(builder.time, limits.silent()));
      server.insertHandler(responses);
    });
    config.jetty.modifyHttpConfiguration(settings -> settings.addCustomizer(connections));
    ports.addTo(config.jetty);
    access.install(config);
    config.routes.before(ports::check);
    config.routes.wsBeforeUpgrade(ports::check);
    metrics.install(config.routes);
    config.routes.before(this::refuseWhileDraining);
    new AgentRoutes(agents, access, builder.calls).install(config.routes);
    new ConversationRoutes(agents, access, streams, turnsOnce).install(config.routes);
    new EventRoutes(agents, access, streams).install(config.routes);
    new InboxRoutes(agents, access, notices).install(config.routes);
    new ApprovalRoutes(agents, access).install(config.routes);
    new AgUiRoutes(agents, access, streams).install(config.routes);
    new AiRoutes(agents, access, streams).install(config.routes);
    new OpenAiRoutes(agents, access, streams, builder.time, turnsOnce, builder.clientSystem)
        .install(config.routes);
    config.routes.exception(BadRequestException.class, (e, ctx) -> problem(e).answer(ctx));
    new MemoryRoutes(agents, access).install(config.routes);
    new NoticeRoute(notices, access, streams).install(config.routes);
    health.install(config.routes);
    new OpenApiRoute().install(config.routes);
    new ConsoleRoutes().install(config.routes);
    new Mounts(mounts, access, streams, builder.time).install(config.routes);
  }

  /// The paths of routes that authenticate requests themselves.
  private Set<String> openPaths() {
    return mounts.stream()
        .filter(mount -> mount.check() instanceof Mount.Check.Own)
        .map(Mount::path)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Problem problem(BadRequestException e) {
    Problem problem = Problem.of(400, e.code(), e.sentence());
    return e.parameter() == null ? problem : problem.with("param", e.parameter());
  }

  /// Refuses new work while the server shuts down; reading stays possible.
  private void refuseWhileDraining(Context ctx) {
    boolean taken = ctx.req().getMethod().equals("GET") || openPaths().contains(ctx.path());
    if (health.isDraining() && !taken) {
      throw Problem.of(503, "draining", "The server ends; try again on the next one.")
          .retryAfter(Duration.ofSeconds(5));
    }
  }

  /// Starts to listen, and continues what earlier processes have left unfinished.
  ///
  /// @throws RuntimeException when the port is in use
  public Server start() {
    http.start();
    background.start();
    return this;
  }

  Agents agents() {
    return agents;
  }

  /// The port that it listens on.
  public int port() {
    return ports.port();
  }

  /// The port of its metrics, -1 for none.
  public int managementPort() {
    return ports.managementPort();
  }

  /// Its routes, including those that precede others.
  List<Endpoint> routes() {
    return http.unsafe.internalRouter.allHttpHandlers().stream()
        .map(parsed -> parsed.endpoint)
        .toList();
  }

  /// The principal's conversation of that id, created if it does not exist. The server also shows
  /// what happens in it.
  ///
  /// @throws ConversationNotFoundException when it belongs to another principal or agent
  /// @throws IllegalArgumentException when there is no such agent, or the id is invalid
  public Conversation conversation(String agent, String id, String principal) {
    try {
      Principal own = Principal.of(principal, Role.CHAT);
      return agents.open(agents.named(agent), id, own).conversation();
    } catch (Problem problem) {
      if (problem.status() == 404
          && agents.all().stream().anyMatch(served -> served.name().equals(agent))) {
        throw new ConversationNotFoundException(id);
      }
      throw new IllegalArgumentException(
          "there is no agent '%s', or '%s' cannot be the id of a conversation with it"
              .formatted(agent, id),
          problem);
    }
  }

  /// Accepts no more work, ends streams so that clients can resume them, and gives running turns at
  /// most 30 seconds. Unfinished turns are stored and continued by the next process.
  @Override
  public void close() {
    health.drain();
    agents.drain();
    notices.close();
    background.rest();
    long end = System.nanoTime() + limits.drain().toNanos();
    agents.close(end);
    turnsOnce.finish(end - System.nanoTime());
    awaitResponses();
    http.stop();
    background.close();
  }

  /// Lets clients read the ends of their streams.
  private void awaitResponses() {
    try {
      boolean unused = access.awaitResponses(LAST_RESPONSES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A builder of a server.
  public static final class Builder {
    private final Tokens tokens;
    private final List<Agent> agents = new ArrayList<>();
    private final List<Mount> mounts = new ArrayList<>();
    private Map<String, String> calls = Map.of();
    private AccessSettings settings = AccessSettings.of("127.0.0.1");
    private int port = PORT;
    private boolean clientSystem;
    private boolean sole;
    private @Nullable Duration workers;
    private TurnRoom room = new TurnRoom();
    private int managementPort = -1;
    private @Nullable PendingHook onPending;
    private ServerLimits limits = ServerLimits.USUAL;
    private Time time = Time.SYSTEM;

    private Builder(Tokens tokens) {
      this.tokens = tokens;
    }

    /// Adds these agents, which each need a store. The caller closes them.
    public Builder agents(Agent... added) {
      agents.addAll(List.of(added));
      return this;
    }

    /// Sets the port, 0 for a free one.
    public Builder port(int number) {
      port = number;
      return this;
    }

    Builder time(Time clock) {
      time = clock;
      return this;
    }

    /// Sets the address to listen on: by default only this machine can connect.
    public Builder host(String address) {
      settings = settings.withHost(address);
      return this;
    }

    /// Sets the proxies whose statements about clients' addresses are trusted: addresses, or ranges
    /// such as `10.0.0.0/8`.
    ///
    /// @throws IllegalArgumentException when one is invalid
    public Builder trustedProxies(List<String> proxies) {
      settings = settings.withTrustedProxies(proxies);
      return this;
    }

    /// Sets the URL at which browsers and remote clients reach the server.
    public Builder publicUrl(URI url) {
      settings = settings.withPublicUrl(url);
      return this;
    }

    /// Lets pages of those origins, such as `https://app.example.com`, use the server with a token;
    /// never with a cookie.
    ///
    /// @throws IllegalArgumentException when one is not an origin
    public Builder allowOrigins(List<String> origins) {
      settings = settings.withOtherOrigins(origins);
      return this;
    }

    /// Posts each request for consent to that URL, as the arguments of a call of the webhook
    /// `consent_request`: signed, retried and guarded like webhooks of tools.
    ///
    /// @param secret signs it
    /// @param http the client
    /// @throws IllegalArgumentException when the guard refuses the URL
    public Builder onPending(URI url, Secret secret, GuardedHttp http) {
      onPending = new PendingHook(url, secret, http);
      return this;
    }

    private List<EventWatcher> watchers(Notices notices) {
      return onPending == null ? List.of(notices) : List.of(notices, onPending);
    }

    private LeaseTerms hold() {
      if (workers != null) {
        return new LeaseTerms(null, workers, 0, false);
      }
      return sole ? LeaseTerms.USUAL.of(HOST) : LeaseTerms.USUAL;
    }

    /// Serves the metrics at `/metrics`, in the text format of Prometheus, and the health on that
    /// port too, without a token; 0 for a free port.
    public Builder managementPort(int number) {
      managementPort = number;
      return this;
    }

    /// Sets the rate limit of a principal: a burst, and requests per second; by default 300 and
    /// 100.
    ///
    /// @throws IllegalArgumentException when one is not positive
    public Builder rate(int atOnce, int aSecond) {
      settings = settings.withRate(atOnce, aSecond);
      return this;
    }

    /// States that no other server serves the stores of these agents, which `Storage.reserve`
    /// ensures. Then unfinished work of an earlier server is continued at once, instead of half a
    /// minute later.
    public Builder sole() {
      sole = true;
      return this;
    }

    /// Leaves the turns to workers, [Agent#work], in any process that shares the stores of these
    /// agents, such as `switchboard worker`. The server stores inputs and shows what the workers
    /// do, like any number of other servers. Greetings and calls by hand still run here.
    ///
    /// @param hold the duration of the server's lease on a conversation unless renewed, equal to
    ///   the workers'
    public Builder workers(Duration hold) {
      workers = hold;
      return this;
    }

    /// Sets the room for turns, for tests of one that is small.
    Builder room(TurnRoom small) {
      room = small;
      return this;
    }

    /// Accepts system messages of OpenAI's clients, by default refused: they change instructions.
    public Builder clientSystem(boolean taken) {
      clientSystem = taken;
      return this;
    }

    /// Adds routes of other modules.
    public Builder mount(Mount... added) {
      mounts.addAll(List.of(added));
      return this;
    }

    /// Sets the paths of mounted sockets over which pages call agents, by the agents' names.
    public Builder calls(Map<String, String> paths) {
      calls = Map.copyOf(paths);
      return this;
    }

    /// Sets other limits, for tests.
    Builder limits(ServerLimits other) {
      limits = other;
      return this;
    }

    /// Builds the server, which does not listen yet.
    ///
    /// @throws IllegalArgumentException when there are neither agents nor routes of other modules,
    ///   an agent has no store or none that the workers share, or two have the same name
    public Server build() {
      if (agents.isEmpty() && mounts.isEmpty()) {
        throw new IllegalArgumentException("a server needs an agent, or routes of another module");
      }
      return new Server(this);
    }

    /// Builds the server, and starts it.
    ///
    /// @throws IllegalArgumentException as [#build]
    /// @throws RuntimeException when the port is in use
    public Server start() {
      return build().start();
    }
  }
}
