package dev.switchboard.server.access;

import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.text.PhoneNumber;
import io.javalin.http.Context;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// The header `X-Act-For`, by which an operator acts for another principal, and a back end for one
/// of its users.
final class ActFor {
  static final String HEADER = "X-Act-For";

  private static final System.Logger LOG = System.getLogger(ActFor.class.getName());
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final String USER = "[\\x21-\\x7e]{1,128}";
  private static final String PRINCIPAL = "[\\x21-\\x7e]{1,200}";

  private ActFor() {}

  /// The principal of a request with that token.
  ///
  /// @throws Problem when the header is missing, invalid or not allowed
  static Principal principal(Context ctx, Tokens.Issued token) {
    List<String> names = Collections.list(ctx.req().getHeaders(HEADER));
    if (token.forUsers()) {
      String user = name(names, USER, 128);
      return new Principal(token.name() + "/" + user, token.roles(), null);
    }
    if (names.isEmpty()) {
      return token.principal();
    }
    if (!token.roles().contains(Role.OPERATE)) {
      throw Problem.forbidden(
          "Acting for another principal needs the role operate, or a token made with --for-users.");
    }
    Principal principal =
        new Principal(name(names, PRINCIPAL, 200), Set.of(Role.OPERATE), token.name());
    log(ctx, principal);
    return principal;
  }

  /// Names both in the log, once for each request that may change something.
  private static void log(Context ctx, Principal principal) {
    if (!READING.contains(ctx.req().getMethod())) {
      LOG.log(
          Level.INFO,
          "''{0}'': {1} {2}",
          PhoneNumber.maskedIn(principal.by()),
          ctx.req().getMethod(),
          PhoneNumber.maskedIn(ctx.req().getRequestURI()));
    }
  }

  private static String name(List<String> names, String form, int most) {
    if (names.size() != 1 || !names.getFirst().matches(form)) {
      throw Problem.badRequest(
          "`%s` must name one principal, with 1 to %d visible ASCII characters."
              .formatted(HEADER, most));
    }
    return names.getFirst();
  }
}
