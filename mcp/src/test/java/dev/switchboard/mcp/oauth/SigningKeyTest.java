package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SigningKeyTest {
  @ParameterizedTest
  @CsvSource({
    "EC,      256,  ES256, SHA256withECDSAinP1363Format",
    "EC,      384,  ES384, SHA384withECDSAinP1363Format",
    "EC,      521,  ES512, SHA512withECDSAinP1363Format",
    "RSA,     2048, RS256, SHA256withRSA",
    "RSA,     2048, PS256, RSASSA-PSS",
    "Ed25519, 255,  EdDSA, Ed25519"
  })
  void signsWithTheAlgorithmOfItsKind(String kind, int size, String name, String algorithm)
      throws Exception {
    KeyPair pair = pair(kind, size);

    String token = SigningKey.of(pem(pair), "k1").sign(Map.of("sub", "me"), List.of(name));

    String[] parts = token.split("\\.", -1);
    assertThat(decoded(parts[0]).tree().path("alg").asString()).isEqualTo(name);
    assertThat(decoded(parts[0]).tree().path("kid").asString()).isEqualTo("k1");
    assertThat(decoded(parts[1])).isEqualTo(Json.text("{\"sub\":\"me\"}"));
    Signature signature = Signature.getInstance(algorithm);
    if (name.equals("PS256")) {
      signature.setParameter(
          new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    }
    signature.initVerify(pair.getPublic());
    signature.update((parts[0] + '.' + parts[1]).getBytes(StandardCharsets.US_ASCII));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
  }

  @Test
  void choosesAnAlgorithmThatIsAccepted() throws Exception {
    SigningKey key = SigningKey.of(pem(pair("EC", 256)), null);

    assertThat(decoded(key.sign(Map.of(), List.of()).split("\\.", -1)[0]))
        .isEqualTo(Json.text("{\"alg\":\"ES256\",\"typ\":\"JWT\"}"));
    assertThatThrownBy(() -> key.sign(Map.of(), List.of("RS256", "none")))
        .hasMessageContaining("takes no signature of the configured private key ([ES256])");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "MIGHAgEAMBMG",
        "-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----"
      })
  void refusesWhatIsNotAKeyWithoutQuotingIt(String text) {
    assertThatThrownBy(() -> SigningKey.of(text, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a private key must be")
        .hasMessageNotContaining("MIGH")
        .hasNoCause();
  }

  @Test
  void refusesAKeyThatIsTooWeak() throws Exception {
    assertThatThrownBy(() -> SigningKey.of(pem(pair("RSA", 1024)), null))
        .hasMessage("a private RSA key must have at least 2048 bits");
  }

  @Test
  void showsNothingOfItself() throws Exception {
    assertThat(SigningKey.of(pem(pair("EC", 256)), "k1")).hasToString("SigningKey[***]");
    assertThat(Bearer.of("abc")).hasToString("Bearer[***]");
    assertThat(new TokenResponse("abc", "def", null)).hasToString("TokenResponse[***]");
    assertThatThrownBy(() -> Bearer.of("abc\n"))
        .hasMessageStartingWith("a token must not be empty")
        .hasMessageNotContaining("abc");
  }

  private static KeyPair pair(String kind, int size) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
    if (!kind.equals("Ed25519")) {
      generator.initialize(size);
    }
    return generator.generateKeyPair();
  }

  private static String pem(KeyPair pair) {
    String text = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
    return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
  }

  private static Json decoded(String part) {
    return Json.text(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
  }
}
