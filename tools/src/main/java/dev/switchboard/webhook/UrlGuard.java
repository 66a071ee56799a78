package dev.switchboard.webhook;

import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks every URL from outside: it allows only public `http` and `https` addresses, and the
/// private services of an allow list.
///
/// Immutable and thread-safe. Two guards with the same allow list are equal.
public final class UrlGuard {
  /// The guard without an allow list.
  public static final UrlGuard STRICT = new UrlGuard(Set.of());

  private static final Pattern ENTRY =
      Pattern.compile("(\\[[^\\]]*\\]|[^:\\[\\]/?#@\\\\]+):([0-9]+)");

  private final Set<String> allow;

  private UrlGuard(Set<String> allow) {
    this.allow = allow;
  }

  /// A guard that also allows these private services.
  ///
  /// @param allow `host:port` of each, such as `127.0.0.1:9001`, `[::1]:80` or
  ///   `orders.internal:443`
  /// @throws IllegalArgumentException that names every entry which is not `host:port`
  public static UrlGuard of(List<String> allow) {
    List<String> faults = allow.stream().filter(entry -> canonical(entry) == null).toList();
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          faults.stream()
              .collect(Collectors.joining("', '", "allow entries must be host:port, not '", "'")));
    }
    return new UrlGuard(
        allow.stream()
            .map(entry -> String.valueOf(canonical(entry)))
            .collect(Collectors.toUnmodifiableSet()));
  }

  /// Checks a URL by its text alone: an address as an address, a name as a name, without a lookup.
  public Verdict check(String url) {
    try {
      CanonicalUrl canonical = CanonicalUrl.read(url);
      canonical.toHttpUrl();
      return verdict(canonical);
    } catch (UrlRefusedException e) {
      return new Verdict.Blocked(null, e.reason());
    }
  }

  /// Checks a URL by its text alone.
  public Verdict check(URI url) {
    return check(url.toString());
  }

  /// Whether the allow list names the service of that URL.
  public boolean trusts(String url) {
    try {
      return allows(CanonicalUrl.read(url));
    } catch (UrlRefusedException e) {
      return false;
    }
  }

  /// Checks a URL, a name with each of its current addresses.
  ///
  /// @throws UnknownHostException when the name has no address
  public Verdict resolve(String url, Resolver resolver) throws UnknownHostException {
    Verdict verdict = check(url);
    return verdict instanceof Verdict.Allowed allowed && allowed.addresses().isEmpty()
        ? looked(url, allowed, resolver)
        : verdict;
  }

  /// Why a connection to this address is refused unless its `host:port` is allowed, or null if it
  /// is public.
  public static @Nullable String refusal(InetAddress address) {
    return AddressClasses.refusal(IpAddress.of(address));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UrlGuard guard && allow.equals(guard.allow);
  }

  @Override
  public int hashCode() {
    return allow.hashCode();
  }

  @Override
  public String toString() {
    return "UrlGuard" + allow.stream().sorted().toList();
  }

  boolean allows(CanonicalUrl url) {
    return allow.contains(url.hostAndPort());
  }

  /// Why this URL is refused by its text alone, or null.
  @Nullable String refusal(CanonicalUrl url) {
    if (allows(url)) {
      return null;
    }
    return url.host() instanceof Host.Literal literal
        ? AddressClasses.refusal(literal.address())
        : BlockedNames.refusal(url.host().text());
  }

  /// Why one of these addresses of a name is refused, or null if all are public.
  static @Nullable String refusal(String name, List<InetAddress> answers) {
    for (InetAddress answer : answers) {
      String refusal = refusal(answer);
      if (refusal != null) {
        return name + " resolves to an address that is refused: " + refusal;
      }
    }
    return null;
  }

  private Verdict verdict(CanonicalUrl url) {
    String refusal = refusal(url);
    if (refusal != null) {
      return new Verdict.Blocked(url.host().text(), refusal);
    }
    List<InetAddress> addresses =
        url.host() instanceof Host.Literal literal
            ? List.of(literal.address().toInetAddress())
            : List.of();
    return new Verdict.Allowed(url.host().text(), url.port(), addresses);
  }

  private Verdict looked(String url, Verdict.Allowed allowed, Resolver resolver)
      throws UnknownHostException {
    List<InetAddress> answers = resolver.resolve(allowed.host());
    if (answers.isEmpty()) {
      throw new UnknownHostException(allowed.host() + " has no address");
    }
    String refusal = allows(CanonicalUrl.read(url)) ? null : refusal(allowed.host(), answers);
    return refusal == null
        ? new Verdict.Allowed(allowed.host(), allowed.port(), answers)
        : new Verdict.Blocked(allowed.host(), refusal);
  }

  private static @Nullable String canonical(String entry) {
    Matcher parts = ENTRY.matcher(entry);
    try {
      return parts.matches() ? CanonicalUrl.read("http://" + entry).hostAndPort() : null;
    } catch (UrlRefusedException e) {
      return null;
    }
  }

  /// The result of a check.
  public sealed interface Verdict {
    /// The URL may be opened.
    ///
    /// @param host the canonical host, an IPv6 address without brackets
    /// @param addresses the literal address, or those of the lookup; empty if nothing was looked up
    record Allowed(String host, int port, List<InetAddress> addresses) implements Verdict {
      public Allowed {
        addresses = List.copyOf(addresses);
      }
    }

    /// The URL must not be opened.
    ///
    /// @param host the canonical host, null if the URL has no readable one
    /// @param reason a clause such as `127.0.0.1 is loopback (127.0.0.0/8)`
    record Blocked(@Nullable String host, String reason) implements Verdict {}
  }

  /// Looks up names.
  @FunctionalInterface
  public interface Resolver {
    /// The resolver of this machine.
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /// The addresses of a host name.
    ///
    /// @throws UnknownHostException when there are none
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  /// The guard refuses a URL, or an address of its host.
  public static final class BlockedException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    private final String reason;

    BlockedException(String reason) {
      super("URL blocked: " + reason);
      this.reason = reason;
    }

    /// The guard's clause, such as `127.0.0.1 is loopback (127.0.0.0/8)`.
    public String reason() {
      return reason;
    }
  }
}
