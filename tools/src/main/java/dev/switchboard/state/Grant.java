package dev.switchboard.state;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.text.DerivedId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A person's lasting consent to calls of a tool that one rule asks about.
///
/// @param bound the arguments and values that it is limited to, from the demand
/// @param until when it expires
/// @param rule the digest of the rule that asked, from the demand; empty if it is not known, and
///   the grant covers nothing
/// @param conversation in which it was given, deleted together with it; null if it is not known
/// @param principal in whose conversations it holds; null for every principal's
/// @param since when it was given; null if it is not known
public record Grant(
    String tool,
    Json bound,
    Instant until,
    String rule,
    @Nullable String conversation,
    @Nullable String principal,
    @Nullable Instant since) {
  private static final int LENGTH = 11; // of the hash in an id

  /// Its id among those of the agent.
  public String id() {
    String key = String.join("\n", tool, bound.digest(), rule, String.valueOf(conversation));
    String owner = principal == null ? "" : principal;
    return "g" + DerivedId.hash(tool, owner, key).substring(0, LENGTH);
  }

  /// Whether it can cover a call at that moment.
  public boolean holds(Instant now) {
    return !rule.isEmpty() && now.isBefore(until);
  }

  boolean covers(
      String called, @Nullable String caller, ConsentRequest.Demand demand, Instant now) {
    return holds(now)
        && (principal == null || principal.equals(caller))
        && rule.equals(demand.rule())
        && tool.equals(called)
        && bound.digest().equals(demand.bound().digest());
  }
}
