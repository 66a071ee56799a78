package dev.switchboard.policy;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
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
public record Grant(
    String tool,
    Json bound,
    Instant until,
    String rule,
    @Nullable String conversation,
    @Nullable String principal) {
  boolean covers(String called, String caller, ConsentRequest.Demand demand, Instant now) {
    return !rule.isEmpty()
        && (principal == null || principal.equals(caller))
        && rule.equals(demand.rule())
        && tool.equals(called)
        && now.isBefore(until)
        && bound.digest().equals(demand.bound().digest());
  }
}
