package dev.switchboard.webhook;

/// A range of addresses with one prefix, such as `127.0.0.0/8`, and its name.
record IpRange(IpAddress base, int bits, String name) {
  /// @param cidr `127.0.0.0/8` or `fe80::/10`
  static IpRange of(String cidr, String name) {
    int slash = cidr.indexOf('/');
    String base = cidr.substring(0, slash);
    IpAddress address = base.indexOf(':') >= 0 ? Ipv6Text.read(base) : Ipv4Text.read(base);
    return new IpRange(address, Integer.parseInt(cidr.substring(slash + 1)), name);
  }

  boolean contains(IpAddress address) {
    if (address.six() != base.six()) {
      return false;
    }
    if (!base.six()) {
      return same(address.low(), base.low(), bits + 32);
    }
    return same(address.high(), base.high(), Math.min(bits, 64))
        && same(address.low(), base.low(), Math.max(bits - 64, 0));
  }

  String cidr() {
    return base.text() + "/" + bits;
  }

  private static boolean same(long one, long other, int bits) {
    return bits == 0 || (one ^ other) >>> (64 - bits) == 0;
  }
}
