package dev.switchboard.phone.carrier.twilio;

import static dev.switchboard.phone.carrier.twilio.Exchange.CALL;
import static dev.switchboard.phone.carrier.twilio.Exchange.TOKEN;
import static dev.switchboard.phone.carrier.twilio.Exchange.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.model.ApiKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SignatureTest {
  private final Exchange exchange = new Exchange();

  @ParameterizedTest
  @ValueSource(strings = {"C218", "C219"})
  void isThatOfTheVector(String id) {
    JsonNode given = Vectors.given(id);
    Map<String, List<String>> form = new HashMap<>();
    given
        .path("form")
        .propertyNames()
        .forEach(name -> form.put(name, List.of(given.path("form").path(name).stringValue())));
    ApiKey token = ApiKey.of(given.path("auth_token").stringValue());

    assertThat(Signature.of(token, given.path("url").stringValue(), form))
        .isEqualTo(Vectors.expect(id).path("signature").stringValue());
  }

  @Test
  void signsEachValueOfAFieldOnceAndInOrder() {
    ApiKey token = ApiKey.of(TOKEN);

    assertThat(Signature.of(token, URL, Map.of("a", List.of("2", "1", "2"))))
        .isEqualTo(Signature.of(token, URL + "a1a2", Map.of()));
  }

  @Test
  void isCheckedWithThePortAndWithoutAndWithTheQueryAsItCame() {
    Map<String, String> fields = Map.of("CallSid", CALL, "CallStatus", "ringing");
    String target = Webhooks.STATUS + "?x=%20a&y";
    String body = Exchange.body(fields);

    for (String url : List.of(URL + target, URL + ":443" + target)) {
      assertThat(exchange.post(target, body, Exchange.signature(url, fields)).status())
          .isEqualTo(204);
    }
    for (String url :
        List.of(
            URL + Webhooks.STATUS,
            URL + ":8443" + target,
            "http://agent.example.com" + target,
            "https://evil.example.com" + target,
            URL + Webhooks.VOICE + "?x=%20a&y")) {
      assertThat(exchange.post(target, body, Exchange.signature(url, fields)).status())
          .as(url)
          .isEqualTo(403);
    }
  }

  @Test
  void aBodyThatIsNotAFormIsCheckedByItsDigest() throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    String body = "CallSid=" + CALL + "&CallStatus=ringing";
    String digest = HexFormat.of().formatHex(sha256.digest(body.getBytes(StandardCharsets.UTF_8)));
    String target = Webhooks.STATUS + "?bodySHA256=" + digest;
    String signature = Exchange.signature(URL + target, Map.of());

    assertThat(exchange.post(target, body, signature).status()).isEqualTo(204);
    assertThat(exchange.post(target, body + "x", signature).status()).isEqualTo(403);
  }

  @Test
  void anUpgradeIsSignedOverTheSocketsUrlOrThatOfARoute() {
    for (String scheme : List.of("wss://", "https://")) {
      for (String port : List.of("", ":443")) {
        String url = scheme + "agent.example.com" + port + Webhooks.MEDIA;
        assertThat(exchange.refusal(Exchange.signature(url, Map.of()))).as(url).isNull();
      }
    }
    for (String url :
        List.of(
            "ws://agent.example.com" + Webhooks.MEDIA,
            "http://agent.example.com" + Webhooks.MEDIA,
            "wss://agent.example.com" + Webhooks.VOICE)) {
      assertThat(exchange.refusal(Exchange.signature(url, Map.of())).status()).isEqualTo(403);
    }
    assertThat(exchange.refusal(null).status()).isEqualTo(403);
    assertThat(exchange.refusal("wrong").sentence()).isEqualTo("Invalid signature");
  }

  @Test
  void aForgedSignatureOpensNoRoute() {
    String body = "CallSid=" + CALL + "&CallStatus=completed";
    for (String path : List.of(Webhooks.VOICE, Webhooks.STATUS, Webhooks.DIAL)) {
      for (String forged : new String[] {null, "", "wrong", "vPHoeRAB+HPec+izdV5my6+d2VI="}) {
        Exchange.Answer answer = exchange.post(path, body, forged);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).isEqualTo(Vectors.expect("C220").path("body").stringValue());
      }
    }
    assertThat(exchange.arrivals).isEmpty();
    assertThat(exchange.told).isEmpty();
  }
}
