package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.Mount;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Twilio's signature of a request: HMAC-SHA1 of the URL and the fields, with the account's token.
public final class Signature {
  /// The header with the signature.
  public static final String HEADER = "X-Twilio-Signature";

  // A body that is not a form is signed through its digest, a parameter of the URL.
  private static final Pattern BODY_DIGEST =
      Pattern.compile("[?&]bodySHA256=([0-9A-Fa-f]{64})(?=&|$)");

  private Signature() {}

  /// The signature of a request.
  ///
  /// @param url in full, with its query
  /// @param fields of its form, empty for another kind of request
  public static String of(ApiKey token, String url, Map<String, List<String>> fields) {
    StringBuilder signed = new StringBuilder(url);
    new TreeMap<>(fields)
        .forEach((name, values) ->
            new TreeSet<>(values).forEach(value -> signed.append(name).append(value)));
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(token.text().getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
      byte[] hash = mac.doFinal(signed.toString().getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no HmacSHA1", e);
    }
  }

  /// Whether the request is signed for one of these URLs.
  static boolean holds(ApiKey token, Mount.Request request, List<String> urls, FormFields form) {
    List<String> given = request.headers().getOrDefault("x-twilio-signature", List.of());
    if (given.size() != 1) {
      return false;
    }
    Matcher digest = BODY_DIGEST.matcher(request.target());
    boolean byDigest = digest.find();
    Map<String, List<String>> fields = byDigest ? Map.of() : form.fields();
    byte[] signature = given.getFirst().getBytes(StandardCharsets.UTF_8);
    boolean holds = false;
    for (String url : urls) {
      byte[] own = of(token, url, fields).getBytes(StandardCharsets.UTF_8);
      holds |= MessageDigest.isEqual(own, signature);
    }
    return holds && (!byDigest || isDigest(digest.group(1), request.body()));
  }

  private static boolean isDigest(String hexadecimal, String body) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] own = sha256.digest(body.getBytes(StandardCharsets.UTF_8));
      return MessageDigest.isEqual(own, HexFormat.of().parseHex(hexadecimal));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }
}
