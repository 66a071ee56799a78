package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserTest {
  private static final URI PAGE = URI.create("https://auth.example/authorize?a=b&c=%20");
  private static final Map<String, String> SCREEN = Map.of("DISPLAY", ":0");

  private final List<String> lines = new ArrayList<>();
  private final List<List<String>> started = new ArrayList<>();

  @Test
  void printsThePageAndOpensItWithTheProgramOfTheSystem() throws Exception {
    show("Linux", SCREEN, PAGE);
    show("Mac OS X", Map.of(), PAGE);
    show("Windows 11", Map.of(), PAGE);

    assertThat(started)
        .containsExactly(
            List.of("xdg-open", PAGE.toString()),
            List.of("open", PAGE.toString()),
            List.of("rundll32", "url.dll,FileProtocolHandler", PAGE.toString()));
    assertThat(lines.subList(0, 2))
        .containsExactly(
            "To log in to the MCP server 'shop', open this page in your browser:", "  " + PAGE);
  }

  @Test
  void onlyPrintsThePageWhereNoScreenIs() throws Exception {
    show("Linux", Map.of("TERM", "xterm"), PAGE);

    assertThat(started).isEmpty();
    assertThat(lines).hasSize(2);
  }

  @Test
  void makesDoWithoutTheProgram() throws Exception {
    Browser browser =
        new Browser(
            lines::add,
            "Linux",
            SCREEN,
            words -> {
              throw new IOException("no such program");
            });

    browser.show("shop", PAGE, pasted -> false);

    assertThat(lines).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://auth.example/",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example/",
        "http://localhostevil.example/",
        "https://auth.example/$(reboot)",
        "https://auth.example/a;b",
        "https://auth.example/'a'",
        "https://user@auth.example/",
        "http://localhost:80@evil.example/",
        "x-https://auth.example/"
      })
  void opensNothingElse(String page) {
    assertThatThrownBy(() -> show("Linux", SCREEN, URI.create(page)))
        .hasMessage("the page of a login must be https, or on this machine");
    assertThat(started).isEmpty();
    assertThat(lines).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://127.0.0.1:3000/a", "http://localhost/a", "http://[::1]:3000/a?b=c"})
  void opensPagesOfThisMachine(String page) throws Exception {
    show("Linux", SCREEN, URI.create(page));

    assertThat(started).containsExactly(List.of("xdg-open", page));
  }

  private void show(String system, Map<String, String> environment, URI page) throws IOException {
    new Browser(lines::add, system, environment, started::add).show("shop", page, pasted -> false);
  }
}
