package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressClassesTest {
  /// The blocked ranges with their edges, written out rather than computed.
  ///
  /// @param before the address before the first, null where there is none or another range holds it
  record Edges(String range, String word, String first, String last, String before, String after) {
    static Edges row(String line) {
      List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
      return new Edges(
          cells.get(0), cells.get(1), cells.get(2), cells.get(3), cells.get(4), cells.get(5));
    }
  }

  // "-" stands where the neighbour lies in another range, or there is none.
  static Stream<Edges> v4() {
    return """
    0.0.0.0/8       | this network   | 0.0.0.0      | 0.255.255.255   | -               | 1.0.0.0
    10.0.0.0/8      | private        | 10.0.0.0     | 10.255.255.255  | 9.255.255.255   | 11.0.0.0
    100.64.0.0/10   | shared         | 100.64.0.0   | 100.127.255.255 | 100.63.255.255  | 100.128.0.0
    127.0.0.0/8     | loopback       | 127.0.0.0    | 127.255.255.255 | 126.255.255.255 | 128.0.0.0
    168.63.129.16/32 | Azure         | 168.63.129.16 | 168.63.129.16  | 168.63.129.15   | 168.63.129.17
    169.254.0.0/16  | link-local     | 169.254.0.0  | 169.254.255.255 | 169.253.255.255 | 169.255.0.0
    172.16.0.0/12   | private        | 172.16.0.0   | 172.31.255.255  | 172.15.255.255  | 172.32.0.0
    192.0.0.0/24    | protocol       | 192.0.0.0    | 192.0.0.255     | 191.255.255.255 | 192.0.1.0
    192.0.2.0/24    | documentation  | 192.0.2.0    | 192.0.2.255     | 192.0.1.255     | 192.0.3.0
    192.88.99.0/24  | 6to4           | 192.88.99.0  | 192.88.99.255   | 192.88.98.255   | 192.88.100.0
    192.168.0.0/16  | private        | 192.168.0.0  | 192.168.255.255 | 192.167.255.255 | 192.169.0.0
    198.18.0.0/15   | benchmarks     | 198.18.0.0   | 198.19.255.255  | 198.17.255.255  | 198.20.0.0
    198.51.100.0/24 | documentation  | 198.51.100.0 | 198.51.100.255  | 198.51.99.255   | 198.51.101.0
    203.0.113.0/24  | documentation  | 203.0.113.0  | 203.0.113.255   | 203.0.112.255   | 203.0.114.0
    224.0.0.0/4     | multicast      | 224.0.0.0    | 239.255.255.255 | 223.255.255.255 | -
    240.0.0.0/4     | reserved       | 240.0.0.0    | 255.255.255.254 | -               | -
    255.255.255.255/32 | broadcast   | 255.255.255.255 | 255.255.255.255 | -            | -
    """
        .lines()
        .map(Edges::row);
  }

  static Stream<Edges> v6() {
    return """
    ::/128         | unspecified   | ::            | ::                                  | - | -
    ::1/128        | loopback      | ::1           | ::1                                 | - | -
    64:ff9b:1::/48 | translation   | 64:ff9b:1::   | 64:ff9b:1:ffff:ffff:ffff:ffff:ffff  | - | -
    100::/64       | discarding    | 100::         | 100::ffff:ffff:ffff:ffff            | - | -
    2001::/23      | protocol      | 2001:1::      | 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff | 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff | 2001:200::
    2001:db8::/32  | documentation | 2001:db8::    | 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff | 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff | 2001:db9::
    3fff::/20      | documentation | 3fff::        | 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff | 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff | 3fff:1000::
    5f00::/16      | segment       | 5f00::        | 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff | - | -
    fc00::/7       | unique local  | fc00::        | fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | - | -
    fe80::/10      | link-local    | fe80::        | febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff | - | -
    fec0::/10      | site-local    | fec0::        | feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | - | -
    ff00::/8       | multicast     | ff00::        | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | - | -
    """
        .lines()
        .map(Edges::row);
  }

  @ParameterizedTest
  @MethodSource("v4")
  void refusesAnIpv4RangeToItsEdgesInEverySpelling(Edges edges) {
    for (String inside : List.of(edges.first(), edges.last())) {
      long bits = Ipv4Text.read(inside).low();
      List<String> hosts = new ArrayList<>(Spellings.ofV4(bits));
      hosts.add(teredo(bits));
      assertThat(verdicts(hosts))
          .allSatisfy((host, verdict) ->
              assertThat(verdict)
                  .containsAnyOf(
                      edges.word(), host.startsWith("[::0") ? ":: is unspecified" : edges.word()));
    }
    assertThat(verdicts(neighbours(edges, address -> Spellings.ofV4(Ipv4Text.read(address).low()))))
        .allSatisfy((host, verdict) ->
            assertThat(verdict).matches(isObsolete(host) ? ".* \\(2000::/3\\)" : "allowed"));
  }

  @ParameterizedTest
  @MethodSource("v6")
  void refusesAnIpv6RangeToItsEdgesInEverySpelling(Edges edges) {
    for (String inside : List.of(edges.first(), edges.last())) {
      assertThat(verdicts(Spellings.ofV6(Ipv6Text.read(inside))))
          .allSatisfy((host, verdict) -> assertThat(verdict).contains(edges.word(), edges.range()));
    }
    assertThat(verdicts(neighbours(edges, address -> Spellings.ofV6(Ipv6Text.read(address)))))
        .allSatisfy((host, verdict) -> assertThat(verdict).isEqualTo("allowed"));
  }

  @ParameterizedTest
  @CsvSource({
    "2001:1::1, 2001:1::1",
    "2001:1::2, 2001:1::2",
    "2001:1::3, 2001:1::3",
    "2001:3::, 2001:3:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:4:112::, 2001:4:112:ffff:ffff:ffff:ffff:ffff",
    "2001:20::, 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:30::, 2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"
  })
  void allowsWhatIanaMarksGlobalInsideTheProtocolRange(String first, String last) {
    assertThat(List.of(verdict("[" + first + "]"), verdict("[" + last + "]")))
        .containsOnly("allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2001:1::",
        "2001:1::4",
        "2001:2::",
        "2001:2:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:4::",
        "2001:4:111:ffff:ffff:ffff:ffff:ffff",
        "2001:4:113::",
        "2001:10::",
        "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:40::"
      })
  void refusesTheNeighboursOfThese(String address) {
    assertThat(verdict("[" + address + "]")).contains("2001::/23");
  }

  @Test
  void refusesTeredoWhateverItCarries() {
    assertThat(verdict(teredo(0x08080808))).contains("Teredo (2001::/32)");
    assertThat(verdict("[2001:0:a00:1:8000:1:f7f7:f7f7]"))
        .contains("Teredo server", "10.0.0.1 is private");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2003::", "2606:4700::1111", "2000::", "::ffff:8.8.8.8", "64:ff9b::808:808"})
  void judgesOnlyCarriersByWhatTheyCarry(String address) {
    assertThat(verdict("[" + address + "]")).isEqualTo("allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "4000::",
        "4000::1",
        "200::1",
        "fe00::1",
        "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "100:0:0:1::",
        "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "5f01::",
        "64:ff9b:0:ffff:ffff:ffff:ffff:ffff",
        "64:ff9b:2::",
        "64:ff9b::1:0:0",
        "::1:0:0:0",
        "::fffe:808:808",
        "::8.8.8.8",
        "::ffff:0:808:808"
      })
  void refusesWhatIsOutsideGlobalUnicast(String address) {
    assertThat(verdict("[" + address + "]")).endsWith(" is not globally routable (2000::/3)");
  }

  @ParameterizedTest
  @MethodSource({"v4", "v6"})
  void judgesResolvedAddressesAlike(Edges edges) {
    for (String inside : List.of(edges.first(), edges.last())) {
      IpAddress address = inside.contains(":") ? Ipv6Text.read(inside) : Ipv4Text.read(inside);
      assertThat(UrlGuard.refusal(address.toInetAddress())).contains(edges.word());
    }
  }

  /// IPv4-compatible and IPv4-translated addresses, which nothing routes any more.
  private static boolean isObsolete(String host) {
    return host.matches("\\[::(ffff:0:)?[0-9a-f]+(:[0-9a-f]+|\\..*)]");
  }

  private static List<String> neighbours(Edges edges, Function<String, List<String>> spellings) {
    return Stream.of(edges.before(), edges.after())
        .filter(address -> !address.equals("-"))
        .flatMap(address -> spellings.apply(address).stream())
        .toList();
  }

  private static Map<String, String> verdicts(List<String> hosts) {
    Map<String, String> verdicts = new LinkedHashMap<>();
    hosts.forEach(host -> verdicts.put(host, verdict(host)));
    return verdicts;
  }

  private static String teredo(long client) {
    long inverted = ~client & 0xffff_ffffL;
    return "[2001:0:808:808:8000:1:%x:%x]".formatted(inverted >> 16, inverted & 0xffff);
  }

  private static String verdict(String host) {
    return switch (UrlGuard.STRICT.check("http://" + host + "/x")) {
      case UrlGuard.Verdict.Allowed allowed -> "allowed";
      case UrlGuard.Verdict.Blocked blocked -> blocked.reason();
    };
  }
}
