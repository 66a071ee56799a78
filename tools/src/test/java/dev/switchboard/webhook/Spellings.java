package dev.switchboard.webhook;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Every way to write an address into a URL.
final class Spellings {
  private Spellings() {}

  static List<String> ofV4(long bits) {
    int[] part = IntStream.of(24, 16, 8, 0).map(shift -> (int) (bits >> shift) & 0xff).toArray();
    String dotted = "%d.%d.%d.%d".formatted(part[0], part[1], part[2], part[3]);
    String hex = "%x:%x".formatted(bits >> 16, bits & 0xffff);
    return List.of(
        dotted,
        dotted + ".",
        String.valueOf(bits),
        "0x%x".formatted(bits),
        "0X%X".formatted(bits),
        "0%o".formatted(bits),
        "%d.%d".formatted(part[0], bits & 0xffffff),
        "%d.%d.%d".formatted(part[0], part[1], bits & 0xffff),
        "0%o.0%o.0%o.0%o".formatted(part[0], part[1], part[2], part[3]),
        "000%o.%d.0x%x.%d".formatted(part[0], part[1], part[2], part[3]),
        "0x%02x.0x%02x.0x%02x.0x%02x".formatted(part[0], part[1], part[2], part[3]),
        wide(dotted),
        dotted.replace('.', '\u3002'),
        dotted.replace('.', '\uff61'),
        "[::ffff:" + dotted + "]",
        "[::FFFF:" + hex.toUpperCase(Locale.ROOT) + "]",
        "[0:0:0:0:0:ffff:" + hex + "]",
        "[::ffff:0:" + hex + "]",
        "[::" + dotted + "]",
        "[::" + hex + "]",
        "[64:ff9b::" + dotted + "]",
        "[0064:FF9B:0:0:0:0:" + hex + "]",
        "[2002:" + hex + "::]",
        "[2002:" + hex + ":1:2:3:4:5]");
  }

  static List<String> ofV6(IpAddress address) {
    int[] group =
        IntStream.range(0, 8)
            .map(i ->
                (int) ((i < 4 ? address.high() : address.low()) >>> (48 - 16 * (i % 4))) & 0xffff)
            .toArray();
    Object[] groups = IntStream.of(group).boxed().toArray();
    String full = "%04x:%04x:%04x:%04x:%04x:%04x:%04x:%04x".formatted(groups);
    String loose = "%x:%x:%x:%x:%x:%x:%x:%x".formatted(groups);
    String tail =
        "%d.%d.%d.%d".formatted(group[6] >> 8, group[6] & 0xff, group[7] >> 8, group[7] & 0xff);
    return List.of(
        "[" + address.text() + "]",
        "[" + address.text().toUpperCase(Locale.ROOT) + "]",
        "[" + full + "]",
        "[" + full.toUpperCase(Locale.ROOT) + "]",
        "[" + loose + "]",
        "[" + full.substring(0, 30) + tail + "]");
  }

  private static String wide(String dotted) {
    return dotted
        .chars()
        .map(c -> c - '!' + 0xff01)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
