package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Load;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Addresses in every spelling, judged and never connected to.
@Tag("load")
class AddressLoadTest {
  private static final List<String> INNER =
      List.of(
          "127.0.0.1",
          "127.0.0.5",
          "0.0.0.0",
          "10.0.0.1",
          "10.255.255.255",
          "100.64.0.1",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.254",
          "192.168.1.1",
          "198.18.0.1",
          "224.0.0.1");
  private static final List<String> PARTS =
      List.of("%d", "0%o", "000%o", "0x%x", "0X%X", "0x0000%x");
  private static final List<String> WRAPPINGS =
      List.of(
          "http://%s/",
          "https://%s/",
          "HTTP://%s/",
          "hTtPs://%s",
          "http://%s:80/",
          "http://%s:443/",
          "http://%s:8080/a",
          "http://%s?x=1",
          "http://%s#x",
          "http://%s/?u=http://a.example/",
          "http://user@%s/",
          "http://a.example:80@%s/",
          "http://:pw@%s/",
          "http://%s\\",
          "http://a.example\\@%s/",
          "http:\\\\%s/",
          "http:/%s/",
          "http:%s",
          "http:///%s/",
          "//%s/",
          " http://%s/",
          "http://%s /",
          "http://\t%s/",
          "http://%s\r\nHost: a.example/",
          "http://%s%%00/",
          "http://%%20%s/",
          "http://%s%%2f@a.example/",
          "http://%s:0/",
          "http://%s:99999/",
          "ftp://%s/",
          "file://%s/",
          "gopher://%s:25/x",
          "ws://%s/",
          "http://%s./");

  private final Set<String> let = new LinkedHashSet<>();
  private int tried;

  /// Every way to write it in one to four parts, each in every radix, and inside of others.
  private static List<String> spellings(String dotted) {
    long bits = Ipv4Text.read(dotted).low();
    List<String> all = new ArrayList<>(Spellings.ofV4(bits));
    for (int parts = 1; parts <= 4; parts++) {
      long[] values = new long[parts];
      for (int i = 0; i < parts - 1; i++) {
        values[i] = (bits >> (24 - 8 * i)) & 0xff;
      }
      values[parts - 1] = bits & (0xffff_ffffL >> (8 * (parts - 1)));
      int ways = (int) Math.pow(PARTS.size(), parts);
      for (int way = 0; way < ways; way++) {
        List<String> words = new ArrayList<>();
        for (int i = 0, rest = way; i < parts; i++, rest /= PARTS.size()) {
          words.add(PARTS.get(rest % PARTS.size()).formatted(values[i]));
        }
        all.add(String.join(".", words));
      }
    }
    return all;
  }

  private void isRefused(String url) {
    tried++;
    if (UrlGuard.STRICT.check(url) instanceof UrlGuard.Verdict.Allowed) {
      let.add(url);
    }
  }

  @Test
  void everySpellingOfAnInnerAddressIsRefused() {
    for (String address : INNER) {
      spellings(address).forEach(host -> isRefused("http://" + host + "/"));
    }
    Load.tell(
        "%d spellings of %d inner addresses: %d let through", tried, INNER.size(), let.size());
    assertThat(let).isEmpty();
  }

  @Test
  void everySpellingIsRefusedHoweverItIsWrapped() {
    RandomGenerator random = Load.random(1);
    List<String> all = INNER.stream().flatMap(address -> spellings(address).stream()).toList();
    int each = Load.of(600);
    for (String wrapping : WRAPPINGS) {
      for (int i = 0; i < each; i++) {
        isRefused(wrapping.formatted(all.get(random.nextInt(all.size()))));
      }
    }
    Load.tell("%d wrappings: %d let through", tried, let.size());
    assertThat(let).isEmpty();
  }

  @Test
  void randomAddressesAreJudgedAsTheListSays() {
    RandomGenerator random = Load.random(2);
    int allowed = 0;
    for (int i = 0; i < Load.of(1_500); i++) {
      long bits = random.nextLong() & 0xffff_ffffL;
      allowed += judged(dotted(bits), dotted(bits), isInner(bits));
      int[] groups = IntStream.range(0, 8).map(_at -> random.nextInt(0x10000)).toArray();
      groups[0] = random.nextBoolean() ? groups[0] : 0x2000 + random.nextInt(0x2000);
      String text = "[%x:%x:%x:%x:%x:%x:%x:%x]".formatted(IntStream.of(groups).boxed().toArray());
      allowed += judged(text, text, isInner(groups));
    }
    Load.tell("%d random addresses: %d allowed, all as the list says", tried, allowed);
    assertThat(allowed).isPositive();
  }

  private int judged(String host, String name, boolean inner) {
    tried++;
    boolean open =
        UrlGuard.STRICT.check("http://" + host + "/") instanceof UrlGuard.Verdict.Allowed;
    assertThat(open).as(name).isEqualTo(!inner);
    return open ? 1 : 0;
  }

  private static String dotted(long bits) {
    return "%d.%d.%d.%d"
        .formatted(bits >> 24, (bits >> 16) & 0xff, (bits >> 8) & 0xff, bits & 0xff);
  }

  /// The ranges once more, written so that they can be compared with the page by eye.
  private static boolean isInner(long bits) {
    return within(bits, "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8")
        || within(bits, "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24")
        || within(bits, "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24")
        || within(bits, "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32");
  }

  private static boolean within(long bits, String... ranges) {
    for (String range : ranges) {
      String[] cut = range.split("/");
      int free = 32 - Integer.parseInt(cut[1]);
      if (bits >> free == Ipv4Text.read(cut[0]).low() >> free) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInner(int[] g) {
    if ((g[0] & 0xe000) != 0x2000) {
      return true;
    }
    return switch (g[0]) {
      // But for what IANA marks global, which chance does not come upon.
      case 0x2001 -> g[1] < 0x200 || g[1] == 0xdb8;
      case 0x2002 -> isInner((long) g[1] << 16 | g[2]);
      case 0x3fff -> g[1] < 0x1000;
      default -> false;
    };
  }
}
