package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {
  @Test
  void signsTheStandardsPublishedExample() {
    Map<String, String> headers =
        WebhookSignature.headers(
            Secret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Instant.ofEpochSecond(1614265330),
            "{\"test\": 2432232314}");

    assertThat(headers)
        .containsExactly(
            Map.entry("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
            Map.entry("webhook-timestamp", "1614265330"),
            Map.entry("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
  }

  @Test
  void signsTheBytesOfTheBodyInUtf8() {
    Secret secret = Secret.of("hush");

    assertThat(WebhookSignature.headers(secret, "a", Instant.EPOCH, "\u00e9"))
        .isNotEqualTo(WebhookSignature.headers(secret, "a", Instant.EPOCH, "e\u0301"));
  }

  @Test
  void refusesAnIdThatCouldShiftWhatIsSigned() {
    assertThatThrownBy(
            () -> WebhookSignature.headers(Secret.of("hush"), "a.1", Instant.EPOCH, "{}"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
