package dev.switchboard.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PublicUrlTest {
  @Test
  void namesRoutesAndSockets() {
    PublicUrl url = PublicUrl.of("https://phone.example.com:8443/base/");

    assertThat(url.http("/a?b=c")).isEqualTo("https://phone.example.com:8443/base/a?b=c");
    assertThat(url.socket("/a")).isEqualTo("wss://phone.example.com:8443/base/a");
    assertThat(PublicUrl.of("http://127.0.0.1:4010").socket("/a"))
        .isEqualTo("ws://127.0.0.1:4010/a");
  }

  @Test
  void isSignedWithItsPortAndWithout() {
    assertThat(PublicUrl.of("https://h.example").socketSpellings("/m"))
        .containsExactly(
            "https://h.example/m",
            "https://h.example:443/m",
            "wss://h.example/m",
            "wss://h.example:443/m");
    assertThat(PublicUrl.of("https://h.example:8443").spellings("/m"))
        .containsExactly("https://h.example/m", "https://h.example:8443/m");
    assertThat(PublicUrl.of("http://[::1]:80").spellings("/m"))
        .containsExactly("http://[::1]/m", "http://[::1]:80/m");
  }

  @Test
  void isHttpsOrOnLoopback() {
    List<String> refused =
        List.of(
            "",
            "phone.example.com",
            "http://phone.example.com",
            "ftp://localhost",
            "https://",
            "https://user@h.example",
            "https://h.example?x",
            "https://h.example#x",
            "https://h h",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com");
    for (String text : refused) {
      assertThatThrownBy(() -> PublicUrl.of(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("a public URL");
    }
    for (String text : List.of("http://localhost:1", "http://127.0.0.9", "http://[::1]:9")) {
      assertThat(PublicUrl.of(text).secure()).isFalse();
    }
  }
}
