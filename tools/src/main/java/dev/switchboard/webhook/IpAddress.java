package dev.switchboard.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// An IP address as bits, without a name and a zone.
///
/// @param six whether it is an IPv6 address of 128 bits, otherwise an IPv4 address in the lower 32
///   bits of `low`
record IpAddress(boolean six, long high, long low) {
  static IpAddress v4(long bits) {
    return new IpAddress(false, 0, bits & 0xffff_ffffL);
  }

  static IpAddress v6(long high, long low) {
    return new IpAddress(true, high, low);
  }

  static IpAddress of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return bytes.remaining() == 4 ? v4(bytes.getInt()) : v6(bytes.getLong(), bytes.getLong());
  }

  /// The IPv4 address of an IPv4-mapped one (`::ffff:0:0/96`), otherwise this.
  IpAddress unmapped() {
    return six && high == 0 && low >>> 32 == 0xffff ? v4(low) : this;
  }

  /// The address for a socket, made from the bits, so that no text is parsed again.
  InetAddress toInetAddress() {
    ByteBuffer bytes =
        six
            ? ByteBuffer.allocate(16).putLong(high).putLong(low)
            : ByteBuffer.allocate(4).putInt((int) low);
    try {
      return InetAddress.getByAddress(bytes.array());
    } catch (UnknownHostException e) {
      throw new AssertionError("4 and 16 bytes are an address", e);
    }
  }

  /// The canonical spelling, by RFC 5952 or dotted decimal, without brackets.
  String text() {
    return six ? Ipv6Text.write(high, low) : Ipv4Text.write(low);
  }
}
