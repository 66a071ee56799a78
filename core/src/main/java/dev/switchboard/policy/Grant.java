package dev.switchboard.policy;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A person's lasting consent to calls of a tool that one rule asks about.
///
/// @param bound the arguments and their values that it holds for, as the demand had them
/// @param until when it ends
/// @param rule the digest of the rule that asked, as the demand had it; empty if that is not known,
///   and the grant holds for nothing
/// @param conversation in which it was given, with which it is deleted; null if that is not known
public record Grant(
    String tool, Json bound, Instant until, String rule, @Nullable String conversation) {
  boolean covers(String called, ConsentRequest.Demand demand, Instant now) {
    return !rule.isEmpty()
        && rule.equals(demand.rule())
        && tool.equals(called)
        && now.isBefore(until)
        && bound.digest().equals(demand.bound().digest());
  }
}
