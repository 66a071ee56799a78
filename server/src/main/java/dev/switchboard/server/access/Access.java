package dev.switchboard.server.access;

import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Authentication.Identity;
import dev.switchboard.time.Time;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.security.RouteRole;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Request;

/// The check of every request before its route: the host name, the form of the request, its
/// principal, and the rate limit.
///
/// Paths under `/v1/` and those of dialects need a token or a login; routes state the role.
/// Thread-safe.
public final class Access {
  /// The headers of every response.
  static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  private static final String IDENTITY = "switchboard.identity";
  private static final String FILES = "switchboard.files";
  private static final List<String> CLOSED =
      Stream.concat(Stream.of("v1"), RequestShape.DIALECTS.stream())
          .map(first -> "/" + first + "/")
          .toList();

  private final Time time;
  private final ServerHostNames names;
  private final OtherOrigins otherOrigins;
  private final ClientAddress clients;
  private final Authentication authentication;
  private final RateLimit requests;
  private final RateLimit users;
  private final Places streams = new Places(Bound.STREAMS);
  private final Places underWay = new Places(Bound.REQUESTS);
  private final Places bodies = new Places(Bound.LARGE_BODIES);
  // A request occupies its body until its end, which may be that of a stream.
  private final Places withFiles = new Places(Bound.FILES);
  private final Set<String> others;

  /// The check of a server with those tokens.
  public Access(Tokens tokens, AccessSettings settings, Time time) {
    this(tokens, settings, time, Set.of());
  }

  /// The check of a server with those tokens.
  ///
  /// @param others the paths of routes that authenticate requests themselves
  public Access(Tokens tokens, AccessSettings settings, Time time, Set<String> others) {
    this.time = time;
    this.names = new ServerHostNames(settings);
    this.otherOrigins = new OtherOrigins(settings.otherOrigins());
    this.clients = new ClientAddress(settings.trustedProxies());
    this.authentication = new Authentication(tokens, names, otherOrigins, clients, time);
    this.requests = new RateLimit(time, settings.burst(), settings.perSecond());
    this.users =
        new RateLimit(
            time, Math.max(1, settings.burst() / 2), Math.max(1, settings.perSecond() / 2.0));
    this.others = Set.copyOf(others);
  }

  /// Installs the check before all routes, adds `POST /v1/login` and `POST /v1/logout`, and turns
  /// every error into a [Problem]. It must be called before any other `before` handler is added.
  public void install(JavalinConfig config) {
    // Javalin would log each larger body as a warning.
    config.http.maxRequestSize = Long.MAX_VALUE;
    config.jetty.modifyServer(server -> {
      BodyLimit.install(server);
      server.insertHandler(new OneMethod());
    });
    config.jetty.modifyHttpConfiguration(http -> {
      http.setRequestHeaderSize(RequestShape.MOST_HEAD);
      http.setSendServerVersion(false);
      http.setUriCompliance(
          UriCompliance.DEFAULT.with(
              "switchboard",
              // Ids in paths may contain encoded slashes, backslashes and the like.
              UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
              UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
              UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
    });
    config.routes.before(this::check);
    config.routes.after(Access::leaveFiles);
    config.routes.wsBeforeUpgrade(this::check);
    config.routes.beforeMatched(this::permit);
    config.routes.post(Authentication.LOGIN, authentication::login, Needs.NOTHING);
    config.routes.post(Authentication.LOGOUT, authentication::logout, Needs.NOTHING);
    ErrorAnswers.install(config, time);
  }

  /// The principal of the request.
  ///
  /// @throws Problem `unauthorized` when it has neither a token nor a login
  public Principal principal(Context ctx) {
    return identity(ctx).principal();
  }

  /// Checks the permission that the route of a request states.
  private void permit(Context ctx) {
    String path = ctx.path();
    Set<RouteRole> stated = ctx.routeRoles();
    // Where no route takes HEAD, nothing runs, and the response is empty.
    boolean runs = !stated.isEmpty() || !ctx.method().equals(HandlerType.HEAD);
    if (!others.contains(path) && runs && (isClosed(path) || !stated.isEmpty())) {
      permit(ctx, Needs.stated(stated));
    }
  }

  /// Checks that the principal of the request has one of the permissions.
  ///
  /// @throws Problem `unauthorized` or `forbidden` when it has none of them
  public void permit(Context ctx, Needs needs) {
    if (!needs.any().isEmpty()) {
      needs.check(principal(ctx));
    }
  }

  private static boolean isClosed(String path) {
    return CLOSED.stream().anyMatch(path::startsWith);
  }

  /// Checks that a request of a browser comes from a page of this server, or an allowed one.
  ///
  /// @throws Problem `forbidden` when it comes from another
  public void checkPage(Context ctx) {
    String origin = ctx.header("Origin");
    if (origin != null && !otherOrigins.has(origin)) {
      names.checkPage(ctx);
    }
  }

  /// Whether the token or login of the request is still valid: for streams, which outlive the check
  /// of their request.
  public BooleanSupplier validity(Context ctx) {
    return authentication.validity(identity(ctx));
  }

  /// Waits until all responses are complete, at most that long; returns whether they are.
  public boolean awaitResponses(Duration most) throws InterruptedException {
    return underWay.awaitFree(most.toMillis());
  }

  /// The open streams.
  public Places streams() {
    return streams;
  }

  private static Identity identity(Context ctx) {
    Identity identity = ctx.attribute(IDENTITY);
    if (identity == null) {
      throw Problem.unauthorized("This needs a token: 'Authorization: Bearer TOKEN'.");
    }
    return identity;
  }

  private void check(Context ctx) {
    HEADERS.forEach(ctx::header);
    String path = ctx.path();
    if (others.contains(path)) {
      RequestShape.check(ctx);
      return;
    }
    boolean closed = isClosed(path);
    if (closed) {
      ctx.header("Cache-Control", "no-store");
    }
    checkHost(ctx);
    if (otherOrigins.answer(ctx)) {
      return;
    }
    RequestShape.check(ctx);
    Identity identity = authentication.identity(ctx);
    if (identity != null) {
      ctx.attribute(IDENTITY, identity);
      limit(identity);
      takePlace(ctx, identity.principal());
      takeLargeBody(ctx, identity.principal());
    } else if (closed && !Authentication.isItsRoute(path)) {
      identity(ctx);
    }
  }

  /// Occupies a place until the response has ended, whatever ends it.
  private void takePlace(Context ctx, Principal principal) {
    Places.Place place = underWay.acquire(principal.name());
    Request.addCompletionListener(
        ServletContextRequest.getServletContextRequest(ctx.req()), failure -> place.close());
  }

  /// Reads a large body, of which few are allowed at once; small ones are read by their route.
  private void takeLargeBody(Context ctx, Principal principal) {
    if (RequestShape.hasLargeBody(ctx)) {
      Places.Place place = placeForBody(ctx, principal);
      int size;
      try {
        size = ctx.bodyAsBytes().length;
      } finally {
        place.close();
      }
      if (size <= RequestShape.MOST_BODY) {
        leaveFiles(ctx);
      }
    }
  }

  /// @throws FullException after the body was skipped: otherwise a client that still sends would
  ///   lose the answer with the connection
  private Places.Place placeForBody(Context ctx, Principal principal) {
    try {
      if (RequestShape.mayHaveFiles(ctx)) {
        ctx.attribute(FILES, withFiles.acquire(principal.name()));
      }
      return bodies.acquire(principal.name());
    } catch (FullException full) {
      RequestShape.passOverBody(ctx);
      throw full;
    }
  }

  /// Releases the place of a request with files.
  private static void leaveFiles(Context ctx) {
    Places.Place place = ctx.attribute(FILES);
    if (place != null) {
      place.close();
    }
  }

  private void checkHost(Context ctx) {
    String local = ctx.req().getLocalAddr();
    if (!names.has(ctx.header("Host"), local) || !names.has(ctx.req().getServerName(), local)) {
      throw Problem.forbidden(
          "The Host header is not a name of this server; its public URL is its name for others than"
              + " this machine.");
    }
  }

  private void limit(Identity identity) {
    String token = identity.token().name();
    String principal = identity.principal().name();
    Duration wait = requests.take(token);
    if (wait.isZero() && !principal.equals(token)) {
      wait = users.take(token + '\u001f' + principal);
    }
    if (!wait.isZero()) {
      throw Problem.rateLimited("This principal makes too many requests.", wait);
    }
  }

  /// The client's address, behind trusted proxies.
  public String client(Context ctx) {
    return clients.of(ctx);
  }
}
