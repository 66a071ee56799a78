package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.harness.Vectors;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedHttpTlsTest {
  private static final InetAddress LOOPBACK = IpAddress.v4(0x7f000001).toInetAddress();
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("ok.example").build();
  private static final HandshakeCertificates TLS =
      new HandshakeCertificates.Builder()
          .heldCertificate(CERTIFICATE)
          .addTrustedCertificate(CERTIFICATE.certificate())
          .build();

  private final List<String> serverNames = new CopyOnWriteArrayList<>();
  private final StubWebhook webhook = StubWebhook.start(new TlsSockets());

  @AfterEach
  void close() {
    webhook.close();
  }

  @Test
  void keepsTheOriginalNameForTls() throws IOException {
    assertThat(post("ok.example", "/x").body()).isEqualTo("{}");
    assertThat(serverNames).containsExactly("ok.example");
    assertThat(webhook.requests().getFirst().header("Host"))
        .isEqualTo("ok.example:" + webhook.port());
  }

  @Test
  void refusesACertificateOfAnotherName() {
    assertThatThrownBy(() -> post("other.example", "/x")).isInstanceOf(SSLException.class);
    assertThat(webhook.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"C180", "C181"})
  void followsNoRedirectOfTheVectors(String id) throws IOException {
    String[] server = Vectors.byId(id).given().path("server").stringValue().split(" ", 3);
    webhook.answer(StubAnswer.status(Integer.parseInt(server[0])).header("Location", server[2]));

    assertThat(post("ok.example", "/x").status()).isEqualTo(Integer.parseInt(server[0]));
    assertThat(webhook.requests()).hasSize(1);
    assertThat(webhook.connections()).isOne();
  }

  private HttpAnswer post(String host, String path) throws IOException {
    String hostAndPort = host + ":" + webhook.port();
    HttpRequest post = HttpRequest.post("https://" + hostAndPort + path, Map.of(), "{}", 100);
    try (GuardedHttp http =
        new GuardedHttp(
            UrlGuard.of(List.of(hostAndPort)),
            name -> List.of(LOOPBACK),
            builder -> builder.sslSocketFactory(TLS.sslSocketFactory(), TLS.trustManager()))) {
      return http.send(post, cancel -> {});
    }
  }

  private final class TlsSockets extends ServerSocketFactory {
    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
        throws IOException {
      SSLServerSocket socket =
          (SSLServerSocket)
              TLS.sslContext().getServerSocketFactory().createServerSocket(port, backlog, address);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setSNIMatchers(List.of(new RecordingMatcher()));
      socket.setSSLParameters(parameters);
      return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
      throw new UnsupportedOperationException();
    }
  }

  private final class RecordingMatcher extends SNIMatcher {
    private RecordingMatcher() {
      super(0);
    }

    @Override
    public boolean matches(SNIServerName name) {
      serverNames.add(new String(name.getEncoded(), StandardCharsets.US_ASCII));
      return true;
    }
  }
}
