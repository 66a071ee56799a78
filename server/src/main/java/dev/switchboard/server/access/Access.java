package dev.switchboard.server.access;

import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.UriCompliance;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The check of every request before its route: the host name, the form of the request, its
/// principal, and the rate limit.
///
/// Paths under `/v1/`, `/agui/` and `/ai/` need a token or a login; routes state the role.
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

  private static final String GRANT = "switchboard.grant";
  private static final String FILES = "switchboard.files";
  private static final String LOGIN = "/v1/login";
  private static final String LOGOUT = "/v1/logout";
  private static final List<String> CLOSED = List.of("/v1/", "/agui/", "/ai/");
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final String SECURE_COOKIE = "__Host-switchboard";
  private static final int FAILURES = 10;
  private static final double FAILURES_PER_SECOND = 0.2;

  private final Tokens tokens;
  private final Logins logins;
  private final OwnNames names;
  private final ClientAddress clients;
  private final RateLimit requests;
  private final RateLimit failures;
  private final ConcurrencyLimit streams = new ConcurrencyLimit("streams", 50, 5_000);
  private final ConcurrencyLimit bodies = new ConcurrencyLimit("large bodies", 8, 32);
  // A request occupies its body until its end, which may be that of a stream.
  private final ConcurrencyLimit withFiles = new ConcurrencyLimit("requests with files", 4, 16);
  private final Set<String> others;

  /// @param login the id of its login; null for a token
  private record Grant(Tokens.Issued token, @Nullable String login) {}

  /// The check of a server with those tokens.
  public Access(Tokens tokens, AccessSettings settings, Time time) {
    this(tokens, settings, time, Set.of());
  }

  /// The check of a server with those tokens.
  ///
  /// @param others the paths of routes that authenticate requests themselves
  public Access(Tokens tokens, AccessSettings settings, Time time, Set<String> others) {
    this.tokens = tokens;
    this.logins = new Logins(time, tokens);
    this.names = new OwnNames(settings);
    this.clients = new ClientAddress(settings.trustedProxies());
    this.requests = new RateLimit(time, settings.burst(), settings.perSecond());
    this.failures = new RateLimit(time, FAILURES, FAILURES_PER_SECOND);
    this.others = Set.copyOf(others);
  }

  /// Installs the check before all routes, adds `POST /v1/login` and `POST /v1/logout`, and turns
  /// every error into a [Problem]. It must be called before any other `before` handler is added.
  public void install(JavalinConfig config) {
    // Javalin would log each larger body as a warning.
    config.http.maxRequestSize = Long.MAX_VALUE;
    config.jetty.modifyServer(server -> BodyLimit.install(server));
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
    config.routes.post(LOGIN, this::login);
    config.routes.post(LOGOUT, this::logout);
    ErrorAnswers.install(config);
  }

  /// The principal of the request.
  ///
  /// @throws Problem `unauthorized` when it has neither a token nor a login
  public Principal principal(Context ctx) {
    return grant(ctx).token().principal();
  }

  /// The principal of the request, if it has the role.
  ///
  /// @throws Problem `unauthorized` or `forbidden`
  public Principal require(Context ctx, Role role) {
    Principal principal = principal(ctx);
    if (!principal.may(role)) {
      throw Problem.forbidden("This needs a token of the role '" + role.word() + "'.");
    }
    return principal;
  }

  /// Whether the token or login of the request is still valid: for streams, which outlive the check
  /// of their request.
  public BooleanSupplier validity(Context ctx) {
    Grant grant = grant(ctx);
    String login = grant.login();
    return () -> login == null ? tokens.holds(grant.token()) : logins.lasts(login);
  }

  /// The open streams.
  public ConcurrencyLimit streams() {
    return streams;
  }

  private static Grant grant(Context ctx) {
    Grant grant = ctx.attribute(GRANT);
    if (grant == null) {
      throw Problem.unauthorized("This needs a token: 'Authorization: Bearer TOKEN'.");
    }
    return grant;
  }

  private void check(Context ctx) {
    HEADERS.forEach(ctx::header);
    String path = ctx.path();
    if (others.contains(path)) {
      RequestShape.check(ctx);
      return;
    }
    boolean closed = CLOSED.stream().anyMatch(path::startsWith);
    if (closed) {
      ctx.header("Cache-Control", "no-store");
    }
    checkHost(ctx);
    RequestShape.check(ctx);
    Grant grant = find(ctx);
    if (grant != null) {
      ctx.attribute(GRANT, grant);
      limit(grant);
      takeLargeBody(ctx, grant);
    } else if (closed && !path.equals(LOGIN) && !path.equals(LOGOUT)) {
      grant(ctx);
    }
  }

  /// Reads a large body, of which few are allowed at once; small ones are read by their route.
  private void takeLargeBody(Context ctx, Grant grant) {
    if (RequestShape.hasLargeBody(ctx)) {
      ConcurrencyLimit.Place place = placeForBody(ctx, grant.token().principal());
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

  /// @throws Problem `rate_limited`, after the body was skipped: otherwise a client that still
  ///   sends would lose the answer with the connection
  private ConcurrencyLimit.Place placeForBody(Context ctx, Principal principal) {
    try {
      if (RequestShape.mayHaveFiles(ctx)) {
        ctx.attribute(FILES, withFiles.acquire(principal));
      }
      return bodies.acquire(principal);
    } catch (Problem full) {
      RequestShape.passOverBody(ctx);
      throw full;
    }
  }

  /// Releases the place of a request with files.
  private static void leaveFiles(Context ctx) {
    ConcurrencyLimit.Place place = ctx.attribute(FILES);
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

  private void limit(Grant grant) {
    Duration wait = requests.take(grant.token().name());
    if (!wait.isZero()) {
      throw Problem.rateLimited("This principal makes too many requests.", wait);
    }
  }

  private @Nullable Grant find(Context ctx) {
    List<String> authorizations = Collections.list(ctx.req().getHeaders("Authorization"));
    if (!authorizations.isEmpty()) {
      return new Grant(bearer(ctx, authorizations), null);
    }
    for (String cookie : cookies(ctx)) {
      Tokens.Issued token = logins.use(cookie);
      if (token != null) {
        checkOrigin(ctx);
        return new Grant(token, cookie);
      }
    }
    return null;
  }

  private Tokens.Issued bearer(Context ctx, List<String> authorizations) {
    String text = authorizations.getFirst().strip();
    boolean isBearer = authorizations.size() == 1 && text.regionMatches(true, 0, "Bearer ", 0, 7);
    Tokens.Issued token = isBearer ? tokens.find(text.substring(7).strip()) : null;
    if (token == null) {
      throw refused(ctx, "Too many requests with tokens that are not valid.");
    }
    return token;
  }

  /// The answer to an invalid token. Invalid tokens are counted, but do not block valid ones from
  /// the same address: tokens are too long to be guessed.
  private Problem refused(Context ctx, String tooMany) {
    Duration wait = failures.take(client(ctx));
    return wait.isZero()
        ? Problem.unauthorized("The token is not valid.")
        : Problem.rateLimited(tooMany, wait);
  }

  /// A request with a browser's cookie must come from a page of this server, unless it only reads.
  private void checkOrigin(Context ctx) {
    boolean reads = READING.contains(ctx.req().getMethod()) && ctx.header("Upgrade") == null;
    if (!reads && !isOwnOrigin(ctx)) {
      throw Problem.forbidden("The Origin header is not that of this server's pages.");
    }
  }

  private boolean isOwnOrigin(Context ctx) {
    return names.isOwn(ctx.header("Origin"), String.valueOf(ctx.header("Host")));
  }

  /// The client's address, behind trusted proxies.
  public String client(Context ctx) {
    return clients.key(
        ctx.req().getRemoteAddr(), Collections.list(ctx.req().getHeaders("X-Forwarded-For")));
  }

  private void login(Context ctx) {
    if (ctx.header("Origin") != null && !isOwnOrigin(ctx)) {
      throw Problem.forbidden("The Origin header is not that of this server's pages.");
    }
    Tokens.Issued token = tokens.find(tokenOf(ctx));
    if (token == null) {
      throw refused(ctx, "Too many logins with tokens that are not valid.");
    }
    cookies(ctx).forEach(logins::end);
    ctx.header("Set-Cookie", cookie(ctx, logins.begin(token), "")).status(204);
  }

  private static String tokenOf(Context ctx) {
    JsonNode token = Json.text(RequestShape.shortBody(ctx)).tree().path("token");
    if (!token.isString()) {
      throw Problem.badRequest("The body must be {\"token\": \"...\"}.");
    }
    return token.stringValue().strip();
  }

  private void logout(Context ctx) {
    cookies(ctx).forEach(logins::end);
    ctx.header("Set-Cookie", cookie(ctx, "", "; Max-Age=0")).status(204);
  }

  private String cookie(Context ctx, String value, String more) {
    String host = String.valueOf(ctx.header("Host"));
    boolean secure = names.isSecure(host, ctx.header("Origin"));
    return (secure ? SECURE_COOKIE : plainCookie(host))
        + "="
        + value
        + "; Path=/; HttpOnly; SameSite=Strict"
        + (secure ? "; Secure" : "")
        + more;
  }

  /// Cookies ignore ports. This name keeps two servers on one machine from overwriting each
  /// other's.
  private static String plainCookie(String host) {
    return "switchboard-" + OwnNames.port(host);
  }

  private static List<String> cookies(Context ctx) {
    Set<String> own = Set.of(SECURE_COOKIE, plainCookie(String.valueOf(ctx.header("Host"))));
    List<String> values = new ArrayList<>();
    ctx.cookieMap()
        .forEach((name, value) -> {
          if (own.contains(name)) {
            values.add(value);
          }
        });
    return values;
  }
}
