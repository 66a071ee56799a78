package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The `ssrf` vectors that a URL alone decides; those that need a call stand in [GuardedHttpTest]
/// and [GuardedHttpTlsTest].
class UrlGuardVectorsTest {
  private static final InetAddress PUBLIC = IpAddress.v4(0x5db8d822).toInetAddress();

  static Stream<Vector> judged() {
    return Vectors.area("ssrf").filter(vector -> vector.expect().has("blocked"));
  }

  @ParameterizedTest
  @MethodSource("judged")
  void judgesAsTheVectorSays(Vector vector) throws UnknownHostException {
    List<String> allow =
        vector.given().path("allow_hosts").valueStream().map(entry -> entry.stringValue()).toList();
    String url =
        vector
            .given()
            .path("url")
            .stringValue(vector.given().path("mcp_server_url").stringValue(""));

    UrlGuard.Verdict verdict = UrlGuard.of(allow).resolve(url, host -> List.of(PUBLIC));

    assertThat(verdict instanceof UrlGuard.Verdict.Blocked)
        .as("%s -> %s", url, verdict)
        .isEqualTo(vector.expect().path("blocked").booleanValue());
  }

  @Test
  void leavesOnlyThoseThatNeedACall() {
    assertThat(Vectors.area("ssrf").filter(vector -> !vector.expect().has("blocked")))
        .extracting(Vector::id)
        .containsExactly("C178", "C180", "C181");
  }
}
