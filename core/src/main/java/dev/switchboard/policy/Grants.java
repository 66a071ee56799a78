package dev.switchboard.policy;

import dev.switchboard.consent.ConsentRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The lasting consents of an agent. Immutable.
public record Grants(List<Grant> all) {
  /// No grants.
  public static final Grants NONE = new Grants(List.of());

  public Grants {
    all = List.copyOf(all);
  }

  /// The demands that no grant covers now.
  public List<ConsentRequest.Demand> open(
      String tool, List<ConsentRequest.Demand> demands, Instant now) {
    return demands.stream().filter(demand -> !covered(tool, demand, now)).toList();
  }

  private boolean covered(String tool, ConsentRequest.Demand demand, Instant now) {
    return all.stream().anyMatch(grant -> grant.covers(tool, demand, now));
  }

  /// These grants and one for each of the demands, without those that have expired or cover
  /// nothing.
  ///
  /// @param conversation in which they are given
  public Grants with(
      String tool,
      String conversation,
      List<ConsentRequest.Demand> demands,
      Duration length,
      Instant now) {
    Stream<Grant> kept =
        all.stream()
            .filter(grant -> now.isBefore(grant.until()) && !grant.rule().isEmpty())
            .filter(grant -> demands.stream().noneMatch(demand -> grant.covers(tool, demand, now)));
    Stream<Grant> added =
        demands.stream()
            .map(demand ->
                new Grant(tool, demand.bound(), now.plus(length), demand.rule(), conversation))
            .distinct();
    return new Grants(Stream.concat(kept, added).toList());
  }

  /// The grants that were not given in that conversation.
  public Grants without(String conversation) {
    return new Grants(
        all.stream().filter(grant -> !conversation.equals(grant.conversation())).toList());
  }
}
