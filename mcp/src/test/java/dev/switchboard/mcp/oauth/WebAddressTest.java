package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.webhook.UrlGuard;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebAddressTest {
  private static final UrlGuard GUARD =
      UrlGuard.of(List.of("localhost:3000", "127.0.0.1:3000", "[::1]:3000", "10.0.0.1:80"));

  @ParameterizedTest
  @CsvSource({
    "https://Shop.Example,                 https://shop.example",
    "https://shop.example/,                https://shop.example",
    "https://shop.example:443/mcp,         https://shop.example/mcp",
    "HTTPS://shop.example:8443/Mcp/?a=B,   https://shop.example:8443/Mcp/?a=B",
    "http://localhost:3000/mcp,            http://localhost:3000/mcp",
    "http://[::1]:3000,                    http://[::1]:3000"
  })
  void namesAResource(String url, String canonical) {
    assertThat(WebAddress.read(url, GUARD).canonical()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "http://shop.example/mcp,       only https URLs are used",
    "http://10.0.0.1/mcp,           only https URLs are used",
    "http://127.0.0.1:4000/,        loopback",
    "https://10.0.0.2/,             private",
    "https://a@shop.example/,       user info",
    "https://shop.example/#a,       fragment",
    "https://shop.example/%zz,      characters that it may not",
    "ftp://shop.example/,           only http and https",
    "shop.example,                  only http and https"
  })
  void refusesWhatMayNotCarrySecrets(String url, String clause) {
    assertThatThrownBy(() -> WebAddress.read(url, GUARD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(clause);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example/mcp,      https://a.example/mcp,      true",
    "https://a.example/mcp/,     https://a.example/mcp,      true",
    "https://a.example,          https://a.example/mcp,      true",
    "https://a.example/mcp,      https://a.example/mcp/deep, true",
    "https://a.example/mcp?t=1,  https://a.example/mcp?t=1,  true",
    "https://a.example/mcp?t=1,  https://a.example/mcp?t=2,  false",
    "https://a.example/mc,       https://a.example/mcp,      false",
    "https://a.example/mcp/deep, https://a.example/mcp,      false",
    "https://a.example:444/mcp,  https://a.example/mcp,      false",
    "https://b.example/mcp,      https://a.example/mcp,      false"
  })
  void coversWhatLiesBelow(String resource, String server, boolean covers) {
    assertThat(WebAddress.read(resource, GUARD).covers(WebAddress.read(server, GUARD)))
        .isEqualTo(covers);
  }
}
