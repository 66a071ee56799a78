package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import dev.switchboard.server.HostileRows;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("it reads the log")
class HostileRequestsTest {
  @TempDir private Path folder;
  private GuardedServer server;
  private RawHttp http;
  private String bearer;

  @BeforeEach
  void start() {
    server = GuardedServer.start(folder);
    http = server.http;
    bearer = server.bearer("ada", Role.OPERATE);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void isProblem(RawHttp.Answer answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(Json.text(answer.body()).tree().path("status").intValue()).isEqualTo(status);
    assertThat(Json.text(answer.body()).tree().path("code").stringValue()).isEqualTo(code);
  }

  @ParameterizedTest
  @HostileRows(value = "Foreign hosts", escaped = true)
  void aHostThatIsNotTheServersIsRefused(String host) throws IOException {
    for (String path : new String[] {"/", "/v1/me", "/v1/login"}) {
      RawHttp.Answer answer =
          http.exchange(
              "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\nConnection: close\r\n\r\n"
                  .formatted(path, host, bearer));
      assertThat(answer.status()).as(path).isIn(400, 403);
      assertThat(answer.body()).doesNotContain("console", "ada", "evil");
    }
  }

  @ParameterizedTest
  @HostileRows(value = "Ambiguous heads", escaped = true)
  void whatTwoReadersReadInTwoWaysIsRefused(String head) throws IOException {
    RawHttp.Answer answer = http.exchange(head + "Connection: close\r\n\r\n");
    assertThat(answer.status()).isIn(400, 403, 505);
    assertThat(answer.body()).doesNotContain("<p>console</p>", "Jetty", "jetty", "<html");
  }

  @ParameterizedTest
  @HostileRows(value = "Transfer encodings", escaped = true)
  void aBodyIsSentAsItIsOrInChunksAndInNoOtherCoding(String coding) throws IOException {
    isProblem(chunked(coding), 400, "bad_request");
  }

  @Test
  void aBodyInChunksIsTaken() throws IOException {
    assertThat(chunked("Chunked").body()).isEqualTo("1");
  }

  private RawHttp.Answer chunked(String coding) throws IOException {
    String head = "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + bearer;
    return http.exchange(
        head + "\r\nTransfer-Encoding: " + coding + "\r\n\r\n3\r\n[1]\r\n0\r\n\r\n");
  }

  @ParameterizedTest
  @HostileRows(value = "Paths with tricks", escaped = true)
  void aPathThatIsNotPlainIsRefused(String path) throws IOException {
    isProblem(http.send("GET " + path, bearer), 400, "bad_request");
  }

  @ParameterizedTest
  @CsvSource({"/v1/ME", "/V1/me", "/%761/me", "/v1%2fme", "/v1/m%65"})
  void noOtherSpellingOfAPathLeadsToItsRoute(String path) throws IOException {
    assertThat(http.send("GET " + path).status()).isIn(401, 404);
    assertThat(http.send("GET " + path).body()).doesNotContain("ada");
  }

  @ParameterizedTest
  @CsvSource({
    "c1%3Acall_1, c1:call_1",
    "a%2Fb, a/b",
    "a%25b, a%b",
    "%C3%A9, é",
    "a+b, a+b",
    "a%20b, a b",
    "a%5Cb, a\\b",
    "a%3Bb, a;b",
    "a%3Fb, a?b",
    "a%23b, a#b",
    "a%22b%7Bc%7D%7C%5E%60, a\"b{c}|^`"
  })
  void anEncodedIdIsReadAsItWas(String path, String id) throws IOException {
    assertThat(http.send("GET /v1/things/" + path, bearer).body()).isEqualTo(id);
  }

  @ParameterizedTest
  @HostileRows(value = "Tokens in a URL", escaped = true)
  void aTokenInAUrlIsRefused(String query) throws IOException {
    RawHttp.Answer answer = http.send("GET /v1/me" + query, bearer);
    isProblem(answer, 400, "bad_request");
    assertThat(answer.body()).doesNotContain("abc");
    assertThat(http.send("GET /" + query).status()).isEqualTo(400);
  }

  @Test
  void aUrlHasAnEnd() throws IOException {
    String longest = "/v1/me?q=" + "a".repeat(8 * 1024 - "/v1/me?q=".length());

    assertThat(http.send("GET " + longest, bearer).status()).isEqualTo(200);
    isProblem(http.send("GET " + longest + "a", bearer), 414, "too_large");
    isProblem(http.send("GET /" + "a".repeat(100_000), bearer), 414, "too_large");
  }

  @Test
  void headersHaveAnEnd() throws IOException {
    String start = "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + bearer;
    int rest = 16 * 1024 - (start + "\r\nX: \r\n\r\n").length();

    assertThat(http.exchange(start + "\r\nX: " + "a".repeat(rest) + "\r\n\r\n").status())
        .isEqualTo(200);
    isProblem(
        http.exchange(start + "\r\nX: " + "a".repeat(rest + 64) + "\r\n\r\n"), 431, "too_large");
    isProblem(http.send("GET /v1/me", "X: " + "a".repeat(1_000_000)), 431, "too_large");
    isProblem(http.send("GET /v1/me", "X: 1\r\n".repeat(20_000) + "Y: 1"), 431, "too_large");
  }

  @Test
  void aBodyHasAnEnd() throws IOException {
    String largest = "[\"" + "a".repeat((1 << 20) - 4) + "\"]";

    assertThat(http.sendBody(largest, "POST /v1/things", bearer).body()).isEqualTo("1");
    isProblem(http.sendBody(largest + " ", "POST /v1/things", bearer), 413, "too_large");
    isProblem(
        http.exchange(
            "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n"
                + bearer
                + "\r\nConnection: close\r\n\r\n"),
        413,
        "too_large");
    String chunk = "10000\r\n" + "a".repeat(0x10000) + "\r\n";
    isProblem(
        http.exchange(
            "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                + bearer
                + "\r\nConnection: close\r\n\r\n"
                + chunk.repeat(17)
                + "0\r\n\r\n"),
        413,
        "too_large");
  }

  @Test
  void whoStillSendsABodyThatIsTooLargeReadsWhy() throws IOException {
    byte[] part = new byte[256 * 1024];
    try (Socket socket = http.open()) {
      OutputStream out = socket.getOutputStream();
      out.write(
          """
          POST /v1/things HTTP/1.1\r
          Host: localhost\r
          Content-Length: %d\r
          %s\r
          Connection: close\r
          \r
          """
              .formatted(part.length * 8, bearer)
              .getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 8; i++) {
        out.flush();
        out.write(part);
      }
      isProblem(RawHttp.read(socket.getInputStream()), 413, "too_large");
    }
  }

  @Test
  void whatIsRefusedIsNotAWarningOfTheServers() throws IOException {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler log =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            // Other tests run beside this one.
            if (line.getLevel().intValue() >= Level.WARNING.intValue()
                && line.getLoggerName().matches("(org\\.eclipse\\.jetty|io\\.javalin)\\..*")) {
              logged.add(line.getLoggerName() + ": " + line.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger root = Logger.getLogger("");
    root.addHandler(log);
    try {
      String tooMuch = "10000\r\n" + "a".repeat(0x10000) + "\r\n";
      assertThat(
              http.exchange(
                      "POST /v1/things HTTP/1.1\r\nHost: localhost\r\n"
                          + "Transfer-Encoding: chunked\r\n"
                          + bearer
                          + "\r\nConnection: close\r\n\r\n"
                          + tooMuch.repeat(17)
                          + "0\r\n\r\n")
                  .status())
          .isEqualTo(413);
      for (String head :
          List.of(
              "GET /v1/me HTTP/1.1\r\n",
              "GET /v1/me HTTP/1.1\r\nHost: evil.example\r\n",
              "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n",
              "GET /v1/../me HTTP/1.1\r\nHost: localhost\r\n",
              "GET /v1/%zz HTTP/1.1\r\nHost: localhost\r\n",
              "GET / HTTP/9.9\r\nHost: localhost\r\n",
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n",
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n",
              "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(100_000) + "\r\n",
              "\u0000\u0001\u0002\r\n")) {
        assertThat(http.exchange(head + "Connection: close\r\n\r\n").status()).isBetween(400, 505);
      }
    } finally {
      root.removeHandler(log);
    }
    assertThat(logged).isEmpty();
  }

  @ParameterizedTest
  @HostileRows(value = "Invalid JSON", escaped = true)
  void jsonThatIsNoneIsABadRequest(String body) throws IOException {
    isProblem(http.sendBody(body, "POST /v1/things", bearer), 400, "bad_request");
  }

  @Test
  void jsonThatIsTooDeepIsABadRequest() throws IOException {
    isProblem(http.sendBody("[".repeat(500_000), "POST /v1/things", bearer), 400, "bad_request");
  }

  @ParameterizedTest
  @HostileRows(value = "Other charsets", escaped = true)
  void aBodyInAnotherCharsetIsABadRequest(String charset) throws IOException {
    String type = "Content-Type: application/json; " + charset;
    isProblem(http.sendBody("[]", "POST /v1/things", bearer, type), 400, "bad_request");
    String utf8 = "Content-Type: application/json; Charset=\"UTF-8\"";
    assertThat(http.sendBody("[]", "POST /v1/things", bearer, utf8).status()).isEqualTo(200);
  }

  @Test
  void halfOpenConnectionsHoldNoOneUp() throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = http.open();
        open.add(socket);
        String part =
            i % 2 == 0
                ? "GET /v1/me HTTP/1.1\r\nHost: loc"
                : "POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                    + bearer
                    + "\r\n\r\n[1";
        socket.getOutputStream().write(part.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
      }
      assertThat(http.send("GET /v1/me", bearer).body()).isEqualTo("ada");
      // A client that leaves in the middle of its body leaves nothing behind; a slow machine may
      // have told it already that its body does not come.
      open.get(1).shutdownOutput();
      assertThat(RawHttp.read(open.get(1).getInputStream()).status()).isIn(0, 400, 408);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    assertThat(http.send("GET /v1/me", bearer).body()).isEqualTo("ada");
  }
}
