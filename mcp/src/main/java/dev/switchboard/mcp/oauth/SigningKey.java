package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A private key with which a client authenticates at a token endpoint; [#toString] hides it.
public final class SigningKey {
  private static final Pattern PEM =
      Pattern.compile("\\s*-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----\\s*");
  private static final int LEAST_RSA_BITS = 2048;

  private final PrivateKey key;
  private final @Nullable String id;
  private final List<String> algorithms;

  private SigningKey(PrivateKey key, @Nullable String id, List<String> algorithms) {
    this.key = key;
    this.id = id;
    this.algorithms = algorithms;
  }

  /// The key of this PEM text (PKCS #8): EC, RSA or Ed25519.
  ///
  /// @param id the key's id at the authorization server (`kid`); null for none
  /// @throws IllegalArgumentException when it is not such a key; the message does not quote it
  public static SigningKey of(String pem, @Nullable String id) {
    Matcher parts = PEM.matcher(pem);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a private key must be PEM that begins with '-----BEGIN PRIVATE KEY-----' (PKCS #8)");
    }
    PrivateKey key = key(parts.group(1).replaceAll("\\s", ""));
    return new SigningKey(key, id, algorithms(key));
  }

  private static PrivateKey key(String base64) {
    for (String kind : List.of("EC", "RSA", "EdDSA")) {
      try {
        byte[] bytes = Base64.getDecoder().decode(base64);
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        // Another kind of key, or none; the exception's message may contain the text.
      }
    }
    throw new IllegalArgumentException("a private key must be one of EC, RSA or Ed25519");
  }

  private static List<String> algorithms(PrivateKey key) {
    return switch (key) {
      case RSAPrivateKey rsa when rsa.getModulus().bitLength() >= LEAST_RSA_BITS ->
          List.of("RS256", "PS256");
      case RSAPrivateKey rsa ->
          throw new IllegalArgumentException(
              "a private RSA key must have at least " + LEAST_RSA_BITS + " bits");
      case ECPrivateKey curve ->
          switch (curve.getParams().getOrder().bitLength()) {
            case 256 -> List.of("ES256");
            case 384 -> List.of("ES384");
            case 521 -> List.of("ES512");
            default ->
                throw new IllegalArgumentException("the curve of a private key must be a P-curve");
          };
      case EdECPrivateKey edwards when edwards.getParams().getName().equals("Ed25519") ->
          List.of("EdDSA");
      default -> throw new IllegalArgumentException("a private key must be EC, RSA or Ed25519");
    };
  }

  /// A signed token (RFC 7515) of these claims.
  ///
  /// @param accepted the algorithms to choose from; empty for any
  /// @throws IllegalArgumentException when this key supports none of them
  String sign(Object claims, List<String> accepted) {
    String algorithm =
        algorithms.stream()
            .filter(one -> accepted.isEmpty() || accepted.contains(one))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "takes no signature of the configured private key (" + algorithms + ")"));
    Map<String, String> header = new LinkedHashMap<>();
    header.put("alg", algorithm);
    header.put("typ", "JWT");
    if (id != null) {
      header.put("kid", id);
    }
    String text = encoded(Json.of(header).text()) + '.' + encoded(Json.of(claims).text());
    return text + '.' + encoded(signature(algorithm, text));
  }

  private byte[] signature(String algorithm, String text) {
    try {
      Signature signature =
          switch (algorithm) {
            case "RS256" -> Signature.getInstance("SHA256withRSA");
            case "PS256" -> pss();
            case "ES256" -> Signature.getInstance("SHA256withECDSAinP1363Format");
            case "ES384" -> Signature.getInstance("SHA384withECDSAinP1363Format");
            case "ES512" -> Signature.getInstance("SHA512withECDSAinP1363Format");
            default -> Signature.getInstance("Ed25519");
          };
      signature.initSign(key);
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot sign with " + algorithm, e);
    }
  }

  private static Signature pss() throws GeneralSecurityException {
    Signature signature = Signature.getInstance("RSASSA-PSS");
    signature.setParameter(
        new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    return signature;
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// `SigningKey[***]`.
  @Override
  public String toString() {
    return "SigningKey[***]";
  }
}
