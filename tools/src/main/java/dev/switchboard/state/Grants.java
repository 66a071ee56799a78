package dev.switchboard.state;

import dev.switchboard.consent.ConsentRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The lasting consents of an agent. Immutable.
public record Grants(List<Grant> all) {
  /// No grants.
  public static final Grants NONE = new Grants(List.of());

  public Grants {
    all = List.copyOf(all);
  }

  /// The demands that no grant covers now.
  ///
  /// @param principal in whose conversation the call is made
  public List<ConsentRequest.Demand> open(
      String tool, String principal, List<ConsentRequest.Demand> demands, Instant now) {
    return demands.stream().filter(demand -> !covered(tool, principal, demand, now)).toList();
  }

  private boolean covered(
      String tool, String principal, ConsentRequest.Demand demand, Instant now) {
    return all.stream().anyMatch(grant -> grant.covers(tool, principal, demand, now));
  }

  /// These grants and one for each of the demands, without those that have expired or cover
  /// nothing.
  ///
  /// @param conversation in which they are given
  /// @param principal in whose conversations they hold, null for every principal's
  public Grants with(
      String tool,
      String conversation,
      @Nullable String principal,
      List<ConsentRequest.Demand> demands,
      Duration length,
      Instant now) {
    Stream<Grant> kept =
        all.stream()
            .filter(grant -> grant.holds(now))
            .filter(grant ->
                !Objects.equals(principal, grant.principal())
                    || demands.stream()
                        .noneMatch(demand -> grant.covers(tool, principal, demand, now)));
    Stream<Grant> added =
        demands.stream()
            .map(demand ->
                new Grant(
                    tool,
                    demand.bound(),
                    now.plus(length),
                    demand.rule(),
                    conversation,
                    principal,
                    now))
            .distinct();
    return new Grants(Stream.concat(kept, added).toList());
  }

  /// The grants that do not belong to that principal.
  public Grants withoutPrincipal(String principal) {
    return new Grants(all.stream().filter(grant -> !principal.equals(grant.principal())).toList());
  }

  /// The grants without those of that id.
  public Grants withoutId(String id) {
    return new Grants(all.stream().filter(grant -> !id.equals(grant.id())).toList());
  }

  /// The grants that were not given in that conversation.
  public Grants without(String conversation) {
    return new Grants(
        all.stream().filter(grant -> !conversation.equals(grant.conversation())).toList());
  }
}
