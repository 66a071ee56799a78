package dev.switchboard.server.access;

import io.javalin.http.Context;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The client's address, as far as trusted proxies state it.
final class ClientAddress {
  private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern V4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
  private static final Pattern V6 = Pattern.compile("(?=.*:)[0-9A-Fa-f:.]{2,45}");
  private static final int NET_OF_ONE = 8; // bytes of the prefix of one customer's IPv6 network

  private final List<Range> trusted;

  /// @param width of its addresses, in bits
  /// @param bits of the common prefix
  private record Range(BigInteger base, int width, int bits) {
    static Range of(String text) {
      int slash = text.indexOf('/');
      InetAddress address = literal(slash < 0 ? text : text.substring(0, slash));
      if (address == null
          || !text.substring(text.indexOf('/') + 1).matches(slash < 0 ? ".*" : "\\d{1,3}")) {
        throw invalid(text);
      }
      int width = address.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1));
      if (bits > width) {
        throw invalid(text);
      }
      return new Range(new BigInteger(1, address.getAddress()), width, bits);
    }

    private static IllegalArgumentException invalid(String text) {
      return new IllegalArgumentException(
          "a trusted proxy must be an address or a range such as 10.0.0.0/8, and '%s' is neither"
              .formatted(text));
    }

    boolean contains(InetAddress address) {
      byte[] bytes = address.getAddress();
      int rest = width - bits;
      return bytes.length * Byte.SIZE == width
          && new BigInteger(1, bytes).shiftRight(rest).equals(base.shiftRight(rest));
    }
  }

  /// @throws IllegalArgumentException when one of them is neither an address nor a range
  ClientAddress(List<String> trusted) {
    this.trusted = trusted.stream().map(Range::of).toList();
  }

  /// The client that sent a request, as a key.
  String of(Context ctx) {
    return key(
        ctx.req().getRemoteAddr(), Collections.list(ctx.req().getHeaders("X-Forwarded-For")));
  }

  /// The client, as a key: its IPv4 address, or the network of its IPv6 address, in which one
  /// client may use any address.
  ///
  /// @param peer the other end of the connection
  /// @param forwarded the values of `X-Forwarded-For`, in order
  String key(String peer, List<String> forwarded) {
    InetAddress client = literal(bare(peer));
    if (client == null) {
      return peer;
    }
    List<String> hops =
        forwarded.stream().flatMap(value -> Arrays.stream(value.split(",", -1))).toList();
    for (String hop : hops.reversed()) {
      InetAddress before = isTrusted(client) ? literal(bare(hop.strip())) : null;
      if (before == null) {
        break;
      }
      client = before;
    }
    return client instanceof Inet4Address
        ? client.getHostAddress()
        : HexFormat.of().formatHex(client.getAddress(), 0, NET_OF_ONE);
  }

  private boolean isTrusted(InetAddress address) {
    return trusted.stream().anyMatch(range -> range.contains(address));
  }

  /// The address without brackets, zone and port.
  private static String bare(String text) {
    String address = text;
    if (address.startsWith("[")) {
      int end = address.indexOf(']');
      address = address.substring(1, end < 0 ? address.length() : end);
    } else if (address.indexOf(':') == address.lastIndexOf(':') && address.indexOf('.') > 0) {
      address = address.split(":", 2)[0];
    }
    return address.split("%", 2)[0];
  }

  /// The literal address in the text; null if it is a name, which is never looked up.
  static @Nullable InetAddress literal(String text) {
    if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
