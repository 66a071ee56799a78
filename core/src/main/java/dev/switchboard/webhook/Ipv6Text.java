package dev.switchboard.webhook;

import java.util.ArrayList;
import java.util.List;

/// How IPv6 addresses are spelt: eight groups of up to four hexadecimal digits, one run of zeros
/// left out as `::`, the last two groups perhaps as a dotted IPv4 address; no zone.
final class Ipv6Text {
  private static final int GROUPS = 8;

  private Ipv6Text() {}

  /// @throws Refused when the text is no IPv6 address
  static IpAddress read(String text) {
    int gap = text.indexOf("::");
    List<Integer> front = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
    List<Integer> back = gap < 0 ? List.of() : groups(text.substring(gap + 2), true);
    int zeros = GROUPS - front.size() - back.size();
    if (gap < 0 ? zeros != 0 : zeros < 1) {
      throw malformed();
    }
    List<Integer> all = new ArrayList<>(front);
    for (int i = 0; i < zeros; i++) {
      all.add(0);
    }
    all.addAll(back);
    return IpAddress.v6(bits(all.subList(0, 4)), bits(all.subList(4, GROUPS)));
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

  private static List<Integer> groups(String text, boolean last) {
    List<Integer> groups = new ArrayList<>();
    if (text.isEmpty()) {
      return groups;
    }
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      if (last && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
        long four = dotted(parts[i]);
        groups.add((int) (four >> 16));
        groups.add((int) four & 0xffff);
      } else if (parts[i].matches("[0-9A-Fa-f]{1,4}")) {
        groups.add(Integer.parseInt(parts[i], 16));
      } else {
        throw malformed();
      }
    }
    return groups;
  }

  private static long dotted(String text) {
    if (!text.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}")) {
      throw malformed();
    }
    return Ipv4Text.read(text).low();
  }

  private static long bits(List<Integer> groups) {
    return groups.stream()
        .mapToLong(Integer::longValue)
        .reduce(0, (bits, group) -> bits << 16 | group);
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

  private static Refused malformed() {
    return new Refused("the host in brackets is no IPv6 address");
  }
}
