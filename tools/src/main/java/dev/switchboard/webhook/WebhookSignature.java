package dev.switchboard.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The headers by which a receiver verifies the sender of a request ([Standard
/// Webhooks](https://www.standardwebhooks.com)).
final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /// The three headers for this body.
  ///
  /// @param id equal for every attempt to deliver one message
  /// @throws IllegalArgumentException when the id contains a dot, which separates the signed parts
  static Map<String, String> headers(Secret secret, String id, Instant at, String body) {
    if (id.isEmpty() || id.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "the id of a signed message is not empty and holds no dot");
    }
    String timestamp = String.valueOf(at.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", timestamp);
    headers.put("webhook-signature", "v1," + sign(secret, id + "." + timestamp + "." + body));
    return headers;
  }

  private static String sign(Secret secret, String content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
      byte[] digest = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + ALGORITHM, e);
    }
  }
}
