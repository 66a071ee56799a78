package dev.switchboard.mcp.oauth;

import static dev.switchboard.mcp.oauth.SimulatedAuthority.NO_CANCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ManualTime time = new ManualTime();
  private final Redirect redirect;

  RedirectTest() throws IOException {
    redirect = Redirect.open(Redirect.place("http://127.0.0.1/callback"), "right");
  }

  @AfterEach
  void close() {
    redirect.close();
  }

  @Test
  void takesWhatComesWithTheState() throws Exception {
    assertThat(get("?code=a%20b+c&state=right&iss=https%3A%2F%2Fx")).isEqualTo(200);

    assertThat(redirect.await(time, PATIENCE, NO_CANCEL))
        .isEqualTo(Map.of("code", "a b c", "state", "right", "iss", "https://x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "?code=a",
        "?code=a&state=",
        "?code=a&state=Right",
        "?code=a&state=right&state=right",
        "?code=a&code=b&state=right",
        "?code=%ff%fe%g&state=right",
        "/more?code=a&state=right",
        "/../callback/?code=a&state=right"
      })
  void takesNothingElse(String rest) throws Exception {
    assertThat(get(rest)).isEqualTo(400);

    assertThat(get("?code=good&state=right")).isEqualTo(200);
    assertThat(redirect.await(time, PATIENCE, NO_CANCEL)).containsEntry("code", "good");
  }

  @Test
  void showsNothingOfWhatCame() throws Exception {
    HttpURLConnection connection = connection("?code=%3Cscript%3E&state=right");

    try (InputStream body = connection.getInputStream()) {
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).doesNotContain("script");
    }
    assertThat(connection.getHeaderField("Content-Security-Policy"))
        .isEqualTo("default-src 'none'");
    assertThat(connection.getHeaderField("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void takesNoAnswerThatIsPosted() throws Exception {
    HttpURLConnection connection = connection("?code=a&state=right");
    connection.setRequestMethod("POST");

    assertThat(connection.getResponseCode()).isEqualTo(400);
  }

  @Test
  void listensOnThePortThatIsNamedAndNotTwice() {
    assertThatThrownBy(() -> Redirect.open(Redirect.place(redirect.url()), "other"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void endsTheWaitingWhenItIsCancelled() {
    assertThatThrownBy(() -> redirect.await(time, PATIENCE, Runnable::run)).hasMessage("cancelled");
  }

  private int get(String rest) throws IOException {
    return connection(rest).getResponseCode();
  }

  @SuppressWarnings("deprecation") // a URI cannot be as broken
  private HttpURLConnection connection(String rest) throws IOException {
    return (HttpURLConnection) new URL(redirect.url() + rest).openConnection();
  }
}
