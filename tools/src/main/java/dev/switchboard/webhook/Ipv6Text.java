package dev.switchboard.webhook;

import dev.switchboard.check.Addresses;

/// Parses IPv6 addresses.
final class Ipv6Text {
  private static final int GROUPS = 8;

  private Ipv6Text() {}

  /// @throws UrlRefusedException when the text is not an IPv6 address
  static IpAddress read(String text) {
    int[] groups = Addresses.ipv6(text);
    if (groups == null) {
      throw new UrlRefusedException("the host in brackets is no IPv6 address");
    }
    return IpAddress.v6(bits(groups, 0), bits(groups, GROUPS / 2));
  }

  private static long bits(int[] groups, int from) {
    long bits = 0;
    for (int i = from; i < from + GROUPS / 2; i++) {
      bits = bits << 16 | groups[i];
    }
    return bits;
  }

  static String write(long high, long low) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = (int) ((i < 4 ? high : low) >>> (48 - 16 * (i % 4))) & 0xffff;
    }
    int gap = longestZeros(groups);
    int length = gap < 0 ? 0 : zerosAt(groups, gap);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == gap) {
        text.append("::");
        i += length - 1;
      } else {
        text.append(i == 0 || (i == gap + length && gap >= 0) ? "" : ":")
            .append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }

  private static int longestZeros(int[] groups) {
    int best = -1;
    for (int i = 0; i < GROUPS; i++) {
      int length = zerosAt(groups, i);
      if (length > 1 && (best < 0 || length > zerosAt(groups, best))) {
        best = i;
      }
    }
    return best;
  }

  private static int zerosAt(int[] groups, int start) {
    int end = start;
    while (end < GROUPS && groups[end] == 0) {
      end++;
    }
    return end - start;
  }
}
