package dev.switchboard.phone.carrier.twilio;

import static dev.switchboard.phone.carrier.twilio.Exchange.ACCOUNT;
import static dev.switchboard.phone.carrier.twilio.Exchange.CALL;
import static dev.switchboard.phone.carrier.twilio.Exchange.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.harness.Vectors;
import dev.switchboard.phone.carrier.Carrier.Answer;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import okhttp3.Credentials;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class CallOrdersTest {
  private static final String NUMBER = "+15559876543";
  private static final String FROM = "+15552220000";

  private final StubWebhook rest = StubWebhook.start();
  private final Exchange exchange =
      new Exchange(Twilio.of(ACCOUNT, TOKEN).withBaseUrl(rest.url("")));
  private final Twilio twilio = exchange.twilio;

  @AfterEach
  void close() {
    rest.close();
  }

  private static Map<String, List<String>> form(StubRequest request) {
    return FormFields.parse(request.body()).fields();
  }

  private static String error(int code) {
    return "{\"code\":%d,\"message\":\"+15559876543 is wrong, says %s\",\"status\":1}"
        .formatted(code, TOKEN);
  }

  /// C189, with the form of the contract.
  @Test
  void aTransferDialsTheNumberAndTellsItsEnd() {
    JsonNode expected = Vectors.expect("C189").path("rest");

    assertThat(twilio.transfer(CALL, NUMBER, FROM)).isEqualTo(Answer.TAKEN);

    StubRequest request = rest.takeRequest(Duration.ofMinutes(5));
    assertThat(request.method()).isEqualTo(expected.path("method").stringValue());
    assertThat(request.path())
        .isEqualTo(expected.path("path").stringValue().replace("<AC>", ACCOUNT));
    assertThat(request.header("Authorization")).isEqualTo(Credentials.basic(ACCOUNT, TOKEN));
    assertThat(request.header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(form(request))
        .containsOnly(
            Map.entry(
                "Twiml",
                List.of(
                    """
                    <Response><Dial timeout="20" callerId="+15552220000" \
                    action="https://agent.example.com/phone/twilio/dial">\
                    <Number>+15559876543</Number></Dial></Response>\
                    """)));
  }

  @Test
  void whatIsNotANumberOrNotACallIsNotAskedFor() {
    for (String id : List.of("C191", "C197", "C198")) {
      String number = Vectors.given(id).path("call").path("number").stringValue();
      assertThat(twilio.transfer(CALL, number, FROM).error())
          .isEqualTo(Vectors.expect(id).path("function_result").path("error").stringValue());
    }
    for (String number : List.of("+123456", "+1234567890123456", "tel:+15551234567", "<b/>")) {
      assertThat(twilio.transfer(CALL, number, FROM).taken()).isFalse();
    }
    String evil = Vectors.given("C207").path("CallSid").stringValue();
    assertThat(twilio.transfer(evil, NUMBER, FROM).taken()).isFalse();
    assertThat(twilio.hangUp(evil).taken()).isFalse();
    assertThat(twilio.sayAndHangUp(evil, "Bye").taken()).isFalse();
    assertThat(rest.requests()).isEmpty();
  }

  @Test
  void theShortestAndTheLongestNumberAreAskedFor() {
    for (String number :
        List.of(
            Vectors.given("C200").path("call").path("number").stringValue(),
            Vectors.given("C201").path("call").path("number").stringValue(),
            "+123456789012345")) {
      assertThat(twilio.transfer(CALL, number, "anonymous").taken()).isTrue();
    }
    assertThat(rest.requests()).hasSize(3);
    assertThat(rest.requests().getFirst().body()).doesNotContain("callerId");
  }

  @Test
  void aCallIsEnded() {
    assertThat(twilio.hangUp(CALL)).isEqualTo(Answer.TAKEN);
    assertThat(twilio.sayAndHangUp(CALL, "Good <bye>")).isEqualTo(Answer.TAKEN);

    assertThat(form(rest.requests().get(0)))
        .containsOnly(Map.entry("Status", List.of("completed")));
    assertThat(form(rest.requests().get(1)).get("Twiml"))
        .containsExactly("<Response><Say>Good &lt;bye&gt;</Say><Hangup/></Response>");
    assertThat(twilio.sayAndHangUp(CALL, "&".repeat(1_000)).taken()).isFalse();
  }

  @Test
  void aCallThatIsOverCountsAsEnded() {
    rest.answer(404, error(20404)).answer(404, error(20404)).answer(400, error(21220));

    assertThat(twilio.hangUp(CALL)).isEqualTo(Answer.TAKEN);
    assertThat(twilio.transfer(CALL, NUMBER, FROM)).isEqualTo(Answer.TAKEN);
    assertThat(twilio.sayAndHangUp(CALL, "Bye")).isEqualTo(Answer.TAKEN);
    assertThat(twilio.transfer(CALL, NUMBER, FROM).error())
        .isEqualTo("The call is over (status 400, code 21220).");
  }

  @Test
  void aRefusalIsASentenceWithoutSecretsOrNumbers() {
    rest.answer(400, error(21211))
        .answer(401, error(20003))
        .answer(404, "<html>" + TOKEN)
        .answer(302, "");

    assertThat(twilio.transfer(CALL, NUMBER, FROM).error())
        .isEqualTo("Twilio cannot call that number (status 400, code 21211).");
    assertThat(twilio.hangUp(CALL).error())
        .isEqualTo("Twilio does not accept the account and its token (status 401, code 20003).");
    assertThat(twilio.hangUp(CALL).error()).isEqualTo("Twilio refused the order (status 404).");
    assertThat(twilio.hangUp(CALL).error()).isEqualTo("Twilio refused the order (status 302).");
    assertThat(rest.requests()).hasSize(4);
    assertThat(twilio.toString()).doesNotContain(TOKEN);
  }

  @Test
  void hangingUpIsTriedThreeTimes() {
    rest.answer(StubAnswer.of(503, "").header("Retry-After", "0"))
        .answer(429, error(20429))
        .answer(200, "{}");
    assertThat(twilio.hangUp(CALL)).isEqualTo(Answer.TAKEN);
    assertThat(exchange.time.pauses())
        .containsExactly(Duration.ofMillis(400), Duration.ofMillis(800));

    rest.answer(500, "");
    assertThat(twilio.hangUp(CALL).error()).isEqualTo("Twilio refused the order (status 500).");
    assertThat(rest.requests()).hasSize(6);
  }

  @Test
  void aTransferThatMayHaveBeenSeenIsNotAskedForAgain() {
    rest.answer(500, "").answer(429, "").answer(StubAnswer.of(200, "{}"));

    assertThat(twilio.transfer(CALL, NUMBER, FROM).error())
        .isEqualTo("Twilio refused the order (status 500).");
    assertThat(twilio.transfer(CALL, NUMBER, FROM)).isEqualTo(Answer.TAKEN);
    assertThat(rest.requests()).hasSize(3);
  }

  @Test
  void whatCannotBeReachedIsSaid() {
    rest.close();

    assertThat(twilio.transfer(CALL, NUMBER, FROM).error())
        .isEqualTo("Twilio could not be reached.");
    assertThat(exchange.time.pauses()).hasSize(2);
  }

  @Test
  void anAnswerWithoutEndIsNotReadToItsEnd() {
    rest.answer(400, "{\"code\":21211,\"x\":\"" + "y".repeat(1 << 20) + "\"}");

    assertThat(twilio.hangUp(CALL).error()).startsWith("Twilio refused the order (status 400");
  }

  @Test
  void ordersGoToTwilioOrToThisMachine() {
    Twilio account = Twilio.of(ACCOUNT, TOKEN);
    for (String url :
        List.of("https://api.twilio.com", "https://api.dublin.ie1.twilio.com", "http://[::1]:1")) {
      assertThat(account.withBaseUrl(url)).isNotNull();
    }
    for (String url :
        List.of(
            "http://api.twilio.com",
            "https://api.twilio.com:8443",
            "https://evil.example.com",
            "https://api.twilio.com.evil.example.com",
            "https://evil.com/api.twilio.com",
            "",
            "https://user@api.twilio.com",
            "https://a.b.c.twilio.com",
            "ftp://localhost")) {
      assertThatThrownBy(() -> account.withBaseUrl(url))
          .as(url)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anAccountIsCheckedAndTheEnvironmentMayHaveNone() {
    for (String account : List.of("", "AC1", "CA" + "0a".repeat(16), ACCOUNT + "0")) {
      assertThatThrownBy(() -> Twilio.of(account, TOKEN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("32");
    }
    assertThatThrownBy(() -> Twilio.of(ACCOUNT, "")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Twilio.from(Map.of("TWILIO_ACCOUNT_SID", "x")))
        .hasMessageContaining("TWILIO_ACCOUNT_SID");
    Twilio none = Twilio.from(Map.of("TWILIO_AUTH_TOKEN", " "));
    assertThat(none.missing())
        .containsExactly(
            "environment variable 'TWILIO_ACCOUNT_SID' is not set",
            "environment variable 'TWILIO_AUTH_TOKEN' is not set");
    assertThat(twilio.missing()).isEmpty();
    assertThat(none.hangUp(CALL).error()).isEqualTo("No account of Twilio is configured.");
    assertThatThrownBy(() -> none.transfer(CALL, NUMBER, FROM))
        .isInstanceOf(IllegalStateException.class);
  }
}
