package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What an allow list lets pass.
class UrlGuardAllowTest {
  private static final InetAddress INNER = IpAddress.v4(0x0a000001).toInetAddress();

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9001,      http://127.0.0.1:9001/x,        http://127.0.0.1:9002/",
    "127.0.0.1:9001,      http://0x7f.1:9001/,            http://localhost:9001/",
    "127.0.0.1:80,        http://127.0.0.1/,              https://127.0.0.1/",
    "127.0.0.1:80,        http://[::ffff:127.0.0.1]/,     http://[::127.0.0.1]/",
    "[::1]:80,            http://[0:0::1]/,               http://127.0.0.1/",
    "orders.internal:443, https://ORDERS.internal./x,     http://orders.internal/",
    "LOCALHOST.:8080,     http://localhost:8080/,         http://x.localhost:8080/",
  })
  void allowsAnInnerServiceByHostAndPort(String entry, String allowed, String blocked) {
    UrlGuard guard = UrlGuard.of(List.of(entry));

    assertThat(guard.check(allowed)).isInstanceOf(UrlGuard.Verdict.Allowed.class);
    assertThat(guard.check(blocked)).isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  @Test
  void letsAnAllowedNamePointAnywhere() throws UnknownHostException {
    UrlGuard guard = UrlGuard.of(List.of("orders.example:443"));

    assertThat(guard.resolve("https://orders.example/", host -> List.of(INNER)))
        .isInstanceOf(UrlGuard.Verdict.Allowed.class);
    assertThat(guard.resolve("http://orders.example/", host -> List.of(INNER)))
        .isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  @Test
  void doesNotExtendAnAllowedAddressToNamesThatResolveToIt() throws UnknownHostException {
    UrlGuard guard = UrlGuard.of(List.of("10.0.0.1:80"));

    assertThat(guard.resolve("http://a.example/", host -> List.of(INNER)))
        .isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "localhost:",
        ":80",
        "localhost:0",
        "localhost:65536",
        "localhost:x",
        "*:80",
        "::1:80",
        "[::1]",
        "http://localhost:80",
        "localhost:80/",
        "me@localhost:80",
        "10.0.0.0/8:80",
        "a b:80",
        "1.2.3.4.5:80"
      })
  void refusesAMalformedAllowEntryByName(String entry) {
    assertThatThrownBy(() -> UrlGuard.of(List.of("127.0.0.1:80", entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("allow entries must be host:port, not '" + entry + "'");
  }

  @Test
  void equalsAGuardWithTheSameList() {
    assertThat(UrlGuard.of(List.of("LOCALHOST:80", "[::1]:1")))
        .isEqualTo(UrlGuard.of(List.of("[0::1]:1", "localhost:80")))
        .isNotEqualTo(UrlGuard.STRICT);
    assertThat(UrlGuard.of(List.of())).isEqualTo(UrlGuard.STRICT);
  }

  @Test
  void trustsOnlyWhatItNames() {
    UrlGuard guard = UrlGuard.of(List.of("orders.internal:80"));
    assertThat(guard.trusts("http://Orders.Internal/mcp")).isTrue();
    assertThat(guard.trusts("http://orders.internal:81/mcp")).isFalse();
    assertThat(guard.trusts("https://api.example.com/")).isFalse();
    assertThat(guard.trusts("not a URL")).isFalse();
  }
}
