package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
  private final ClientAddress clients =
      new ClientAddress(List.of("10.0.0.0/8", "192.168.7.1", "fd00::/8", "::1"));

  @ParameterizedTest
  @CsvSource({
    "203.0.113.5, 198.51.100.1, 203.0.113.5", // a stranger says what it likes
    "10.1.2.3, 198.51.100.1, 198.51.100.1",
    "10.1.2.3, '1.1.1.1, 198.51.100.1', 198.51.100.1", // what the client wrote is to the left
    "10.1.2.3, '198.51.100.1, 192.168.7.1', 198.51.100.1",
    "10.1.2.3, '198.51.100.1, 192.168.7.2', 192.168.7.2",
    "10.1.2.3, '', 10.1.2.3",
    "10.1.2.3, localhost, 10.1.2.3",
    "10.1.2.3, '198.51.100.1,', 10.1.2.3",
    "10.1.2.3, 198.51.100.1:4711, 198.51.100.1",
    "::1, '[2001:db8:1:2:3::4]:80', 20010db800010002",
    "[0:0:0:0:0:0:0:1], 2001:db8:1:2:ffff::4, 20010db800010002",
    "::ffff:10.1.2.3, 198.51.100.1, 198.51.100.1",
    "fe80::1%eth0, 198.51.100.1, fe80000000000000",
    "9.255.255.255, 198.51.100.1, 9.255.255.255",
    "11.0.0.0, 198.51.100.1, 11.0.0.0",
  })
  void believesOnlyTrustedProxies(String peer, String forwarded, String client) {
    assertThat(clients.key(peer, List.of(forwarded))).isEqualTo(client);
  }

  @Test
  void readsSeveralHeadersInOrder() {
    assertThat(clients.key("10.0.0.1", List.of("1.1.1.1", "2.2.2.2", "10.0.0.2")))
        .isEqualTo("2.2.2.2");
    assertThat(clients.key("10.0.0.1", List.of())).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0/8", "999.1.1.1", "/8"})
  void refusesWhatIsNotARange(String range) {
    assertThatThrownBy(() -> AccessSettings.of("h").withTrustedProxies(List.of(range)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("and '" + range + "' is neither");
  }
}
