package dev.switchboard.server.access;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Principal;
import dev.switchboard.time.Time;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The authentication of requests: by a token in the header `Authorization`, or by the cookie of a
/// browser's login, which `POST /v1/login` begins and `POST /v1/logout` ends.
///
/// Thread-safe.
final class Authentication {
  static final String LOGIN = "/v1/login";
  static final String LOGOUT = "/v1/logout";

  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final String SECURE_COOKIE = "__Host-switchboard";
  private static final int FAILURES = 10;
  private static final double FAILURES_PER_SECOND = 0.2;

  private final Tokens tokens;
  private final BrowserLogins logins;
  private final ServerHostNames names;
  private final OtherOrigins otherOrigins;
  private final ClientAddress clients;
  private final RateLimit failures;

  /// The sender of a request.
  ///
  /// @param login the id of its login; null for a token
  record Identity(Tokens.Issued token, @Nullable String login, Principal principal) {}

  Authentication(
      Tokens tokens,
      ServerHostNames names,
      OtherOrigins otherOrigins,
      ClientAddress clients,
      Time time) {
    this.tokens = tokens;
    this.names = names;
    this.otherOrigins = otherOrigins;
    this.clients = clients;
    logins = new BrowserLogins(time, tokens);
    failures = new RateLimit(time, FAILURES, FAILURES_PER_SECOND);
  }

  /// Whether that path is of its own routes, which need no identity.
  static boolean isItsRoute(String path) {
    return path.equals(LOGIN) || path.equals(LOGOUT);
  }

  /// The identity of the sender; null for a request with neither a token nor a valid login.
  ///
  /// @throws Problem `unauthorized` when its token is not valid, `forbidden` when a page of another
  ///   server uses a login
  @Nullable Identity identity(Context ctx) {
    List<String> authorizations = Collections.list(ctx.req().getHeaders("Authorization"));
    if (!authorizations.isEmpty()) {
      Tokens.Issued token = bearer(ctx, authorizations);
      return new Identity(token, null, ActFor.principal(ctx, token));
    }
    if (otherOrigins.has(ctx.header("Origin"))) {
      return null;
    }
    for (String cookie : cookies(ctx)) {
      Tokens.Issued token = logins.use(cookie);
      if (token != null) {
        checkOrigin(ctx);
        return new Identity(token, cookie, ActFor.principal(ctx, token));
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
    Duration wait = failures.take(clients.of(ctx));
    return wait.isZero()
        ? Problem.unauthorized("The token is not valid.")
        : Problem.rateLimited(tooMany, wait);
  }

  /// A request with a browser's cookie must come from a page of this server, unless it only reads.
  private void checkOrigin(Context ctx) {
    boolean reads = READING.contains(ctx.req().getMethod()) && ctx.header("Upgrade") == null;
    if (!reads) {
      names.checkPage(ctx);
    }
  }

  /// Whether the token or login of an earlier request is still valid.
  BooleanSupplier validity(Identity identity) {
    String login = identity.login();
    return () -> login == null ? tokens.holds(identity.token()) : logins.lasts(login);
  }

  /// Begins a login with the token in the body, and sets its cookie.
  void login(Context ctx) {
    if (ctx.header("Origin") != null) {
      names.checkPage(ctx);
    }
    Tokens.Issued token = tokens.find(tokenOf(ctx));
    if (token == null) {
      throw refused(ctx, "Too many logins with tokens that are not valid.");
    }
    if (token.forUsers()) {
      throw Problem.forbidden(
          "This token is for the users of a back end; a login needs the token of one person.");
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

  /// Ends the logins of the request, and removes their cookie.
  void logout(Context ctx) {
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
    return "switchboard-" + ServerHostNames.port(host);
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
