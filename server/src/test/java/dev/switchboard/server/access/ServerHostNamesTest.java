package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerHostNamesTest {
  private static ServerHostNames names(String host, String url) {
    AccessSettings settings = AccessSettings.of(host);
    return new ServerHostNames(url.isEmpty() ? settings : settings.withPublicUrl(URI.create(url)));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, true",
    "LOCALHOST:8000, true",
    "127.0.0.1:1, true",
    "[::1]:8000, true",
    "agents.example.com, true",
    "Agents.Example.com:444, true",
    "box.lan, true",
    "evil.example, false",
    "localhost.evil.example, false",
    "localhost., false",
    "evil.localhost, false",
    "user@localhost, false",
    "localhost:80:80, false",
    "localhost:, false",
    "127.0.0.2, false",
    "2130706433, false",
    "0x7f.1, false",
    "'', false",
    "10.9.8.7, false",
  })
  void answersUnderItsNamesAlone(String host, boolean own) {
    assertThat(names("box.lan", "https://agents.example.com").has(host, "10.9.8.7")).isEqualTo(own);
  }

  @Test
  void onEveryAddressAnswersUnderTheOneThatWasConnectedTo() {
    for (String everywhere : new String[] {"0.0.0.0", "::"}) {
      ServerHostNames names = names(everywhere, "");
      assertThat(names.has("10.9.8.7:8000", "10.9.8.7")).isTrue();
      assertThat(names.has("[fd00::1]:8000", "[fd00:0:0:0:0:0:0:1]")).isTrue();
      assertThat(names.has("10.9.8.6:8000", "10.9.8.7")).isFalse();
      assertThat(names.has("0.0.0.0:8000", "10.9.8.7")).isFalse();
      assertThat(names.has("evil.example", "10.9.8.7")).isFalse();
      assertThat(names.has(null, "10.9.8.7")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8000, localhost:8000, true",
    "http://localhost:8001, localhost:8000, false",
    "https://localhost:8000, localhost:8000, false",
    "http://127.0.0.1:8000, localhost:8000, false",
    "https://agents.example.com, agents.example.com, true",
    "http://agents.example.com, agents.example.com, false",
    "https://agents.example.com, localhost:8000, true",
    "https://agents.example.com:444, agents.example.com, false",
    "null, localhost:8000, false",
    "'', localhost:8000, false",
  })
  void aPageOfItsOwnHasItsOrigin(String origin, String host, boolean own) {
    assertThat(names("127.0.0.1", "https://Agents.example.com:443/").isOwn(origin, host))
        .isEqualTo(own);
  }

  @Test
  void isSecureWhereBrowsersUseTls() {
    ServerHostNames names = names("127.0.0.1", "https://agents.example.com");
    assertThat(names.isSecure("agents.example.com", null)).isTrue();
    assertThat(names.isSecure("localhost:8000", "https://agents.example.com")).isTrue();
    assertThat(names.isSecure("localhost:8000", "http://localhost:8000")).isFalse();
    assertThat(names("h", "http://h.lan").isSecure("h.lan", null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://a",
        "agents.example.com",
        "https://a/path",
        "https://a?q",
        "https://u@a",
        "https:///"
      })
  void refusesAPublicUrlThatIsNotAnOrigin(String url) {
    assertThatThrownBy(() -> names("h", url)).hasMessageStartingWith("the public URL must be one");
  }
}
