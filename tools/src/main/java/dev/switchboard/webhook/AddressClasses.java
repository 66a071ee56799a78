package dev.switchboard.webhook;

import java.util.List;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/// The ranges of addresses that are not globally routable unicast, and of those that embed another
/// address (IANA's special-purpose registries).
final class AddressClasses {
  /// A range of addresses that embed an IPv4 address to which traffic may be routed.
  ///
  /// @param inner extracts it from the upper and the lower half
  private record Carrier(IpRange range, LongBinaryOperator inner) {}

  static final List<IpRange> BLOCKED =
      List.of(
          IpRange.of("0.0.0.0/8", "this network"),
          IpRange.of("10.0.0.0/8", "private"),
          IpRange.of("100.64.0.0/10", "shared by carriers"),
          IpRange.of("127.0.0.0/8", "loopback"),
          IpRange.of("168.63.129.16/32", "Azure's platform"),
          IpRange.of("169.254.0.0/16", "link-local"),
          IpRange.of("172.16.0.0/12", "private"),
          IpRange.of("192.0.0.0/24", "for protocol assignments"),
          IpRange.of("192.0.2.0/24", "for documentation"),
          IpRange.of("192.88.99.0/24", "a former 6to4 relay"),
          IpRange.of("192.168.0.0/16", "private"),
          IpRange.of("198.18.0.0/15", "for benchmarks"),
          IpRange.of("198.51.100.0/24", "for documentation"),
          IpRange.of("203.0.113.0/24", "for documentation"),
          IpRange.of("224.0.0.0/4", "multicast"),
          IpRange.of("255.255.255.255/32", "broadcast"),
          IpRange.of("240.0.0.0/4", "reserved"),
          IpRange.of("::/128", "unspecified"),
          IpRange.of("::1/128", "loopback"),
          IpRange.of("64:ff9b:1::/48", "for local translation"),
          IpRange.of("100::/64", "for discarding"),
          IpRange.of("2001::/32", "Teredo"),
          IpRange.of("2001::/23", "for protocol assignments"),
          IpRange.of("2001:db8::/32", "for documentation"),
          IpRange.of("3fff::/20", "for documentation"),
          IpRange.of("5f00::/16", "for segment routing"),
          IpRange.of("fc00::/7", "unique local"),
          IpRange.of("fe80::/10", "link-local"),
          IpRange.of("fec0::/10", "site-local"),
          IpRange.of("ff00::/8", "multicast"));

  /// The parts of `2001::/23` that IANA marks as globally reachable.
  static final List<IpRange> GLOBAL =
      List.of(
          IpRange.of("2001:1::1/128", "Port Control Protocol"),
          IpRange.of("2001:1::2/128", "TURN"),
          IpRange.of("2001:1::3/128", "DNS-SD registration"),
          IpRange.of("2001:3::/32", "AMT"),
          IpRange.of("2001:4:112::/48", "AS112"),
          IpRange.of("2001:20::/28", "ORCHIDv2"),
          IpRange.of("2001:30::/28", "drone remote identification"));

  private static final List<Carrier> CARRIERS =
      List.of(
          new Carrier(IpRange.of("::ffff:0:0/96", "IPv4-mapped"), (high, low) -> low),
          new Carrier(IpRange.of("::ffff:0:0:0/96", "IPv4-translated"), (high, low) -> low),
          new Carrier(IpRange.of("::/96", "IPv4-compatible"), (high, low) -> low),
          new Carrier(IpRange.of("64:ff9b::/96", "NAT64"), (high, low) -> low),
          new Carrier(IpRange.of("2002::/16", "6to4"), (high, low) -> high >>> 16),
          new Carrier(IpRange.of("2001::/32", "Teredo client"), (high, low) -> ~low),
          new Carrier(IpRange.of("2001::/32", "Teredo server"), (high, low) -> high));

  private static final IpRange UNICAST = IpRange.of("2000::/3", "global unicast");

  // Outside that range, but only other notations of IPv4 addresses.
  private static final List<IpRange> SPELLINGS =
      List.of(IpRange.of("::ffff:0:0/96", "IPv4-mapped"), IpRange.of("64:ff9b::/96", "NAT64"));

  private static final IpAddress UNSPECIFIED = IpAddress.v6(0, 0);
  private static final IpAddress LOOPBACK = IpAddress.v6(0, 1);

  private AddressClasses() {}

  /// Why traffic to the address is refused, as a sentence; null if it is globally routable unicast.
  static @Nullable String refusal(IpAddress address) {
    if (GLOBAL.stream().anyMatch(range -> range.contains(address))) {
      return null;
    }
    String carried = embedded(address);
    if (carried != null) {
      return carried;
    }
    for (IpRange range : BLOCKED) {
      if (range.contains(address)) {
        return address.text() + " is " + range.name() + " (" + range.cidr() + ")";
      }
    }
    boolean reachable =
        !address.six()
            || UNICAST.contains(address)
            || SPELLINGS.stream().anyMatch(range -> range.contains(address));
    return reachable ? null : address.text() + " is not globally routable (2000::/3)";
  }

  private static @Nullable String embedded(IpAddress address) {
    if (address.equals(UNSPECIFIED) || address.equals(LOOPBACK)) {
      return null;
    }
    for (Carrier carrier : CARRIERS) {
      if (carrier.range().contains(address)) {
        String inner =
            refusal(IpAddress.v4(carrier.inner().applyAsLong(address.high(), address.low())));
        if (inner != null) {
          return address.text()
              + " ("
              + carrier.range().name()
              + ") leads to an address that is refused: "
              + inner;
        }
      }
    }
    return null;
  }
}
