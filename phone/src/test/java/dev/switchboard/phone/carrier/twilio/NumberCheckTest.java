package dev.switchboard.phone.carrier.twilio;

import static dev.switchboard.phone.carrier.twilio.Exchange.ACCOUNT;
import static dev.switchboard.phone.carrier.twilio.Exchange.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.carrier.Carrier.Finding;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.util.List;
import java.util.Map;
import okhttp3.Credentials;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NumberCheckTest {
  private static final String NUMBER = "+15550001234";

  private final StubWebhook rest = StubWebhook.start();
  private final StubWebhook own = StubWebhook.start();
  private final String publicUrl = own.url("");

  @BeforeEach
  void start() {
    own.answer(200, "<Response><Reject/></Response>");
  }

  @AfterEach
  void close() {
    rest.close();
    own.close();
  }

  private List<Finding> check() {
    return Twilio.of(ACCOUNT, TOKEN).withBaseUrl(rest.url("")).check(NUMBER, publicUrl);
  }

  private void set(String settings) {
    rest.answer(
        200,
        "{\"incoming_phone_numbers\":[{\"phone_number\":\"%s\",%s}]}".formatted(NUMBER, settings));
  }

  private Finding number() {
    return check().get(1);
  }

  @Test
  void allIsFine() {
    set("\"voice_url\":\"%s/phone/twilio/voice\",\"voice_method\":\"POST\"".formatted(publicUrl));

    assertThat(check())
        .allSatisfy(finding -> assertThat(finding.fine()).isTrue())
        .extracting(Finding::subject)
        .containsExactly("keys", "number", "public_url");
    StubRequest asked = rest.requests().getFirst();
    assertThat(asked.method()).isEqualTo("GET");
    assertThat(asked.path())
        .isEqualTo(
            "/2010-04-01/Accounts/%s/IncomingPhoneNumbers.json?PhoneNumber=%%2B15550001234"
                .formatted(ACCOUNT));
    assertThat(asked.header("Authorization")).isEqualTo(Credentials.basic(ACCOUNT, TOKEN));
  }

  @Test
  void theVoiceUrlIsCalledAsTwilioDoesForNoNumber() {
    set("\"voice_url\":\"\"");
    assertThat(check().getLast().fine()).isTrue();

    StubRequest probe = own.requests().getFirst();
    Map<String, List<String>> fields = FormFields.parse(probe.body()).fields();
    assertThat(fields).containsOnlyKeys("CallSid");
    assertThat(probe.header(Signature.HEADER))
        .isEqualTo(Signature.of(ApiKey.of(TOKEN), publicUrl + "/phone/twilio/voice", fields));
  }

  @Test
  void theProbeStartsNoCall() {
    Exchange exchange = new Exchange();
    exchange.admission = new dev.switchboard.phone.carrier.Carrier.Admission.UnknownNumber();

    assertThat(exchange.post("/phone/twilio/voice", Map.of()).body()).contains("<Reject");
    assertThat(exchange.arrivals.getFirst().to()).isEmpty();
  }

  @Test
  void aNumberThatPointsElsewhereIsTold() {
    set("\"voice_url\":\"https://old.example.com/voice\",\"voice_method\":\"POST\"");
    assertThat(number().sentence())
        .isEqualTo(
            "The voice URL of +15550001234 at Twilio is 'https://old.example.com/voice': set it to"
                + " %s/phone/twilio/voice, method POST.".formatted(publicUrl));
    set("\"voice_url\":\"%s/phone/twilio/voice\",\"voice_method\":\"GET\"".formatted(publicUrl));
    assertThat(number().sentence()).contains("is called by GET: set it to POST");
    set("\"voice_url\":null,\"voice_application_sid\":\"AP1\"");
    assertThat(number().sentence()).contains("go to AP1").contains("remove that");
    rest.answer(200, "{\"incoming_phone_numbers\":[]}");
    assertThat(number().sentence()).startsWith("The account has no number +15550001234");
  }

  @Test
  void keysThatAreNotTakenAreToldWithoutThem() {
    rest.answer(401, "{\"code\":20003}");
    Finding keys = check().getFirst();
    assertThat(keys.fine()).isFalse();
    assertThat(keys.sentence())
        .contains("does not accept the account and its token (status 401)")
        .doesNotContain(TOKEN);
    rest.answer(200, "hello");
    assertThat(check().getFirst().sentence()).contains("is not Twilio");
    rest.answer(500, "");
    assertThat(check().getFirst().sentence()).contains("status 500");
    rest.close();
    assertThat(check().getFirst().sentence()).contains("could not be reached");
  }

  @Test
  void whatAnswersAtThePublicUrlIsTold() {
    set("\"voice_url\":\"\"");
    assertThat(check().getLast().fine()).isTrue();
    own.answer(403, "Invalid signature");
    assertThat(check().getLast().sentence()).contains("refuses our signature");
    own.answer(403, "go away");
    assertThat(check().getLast().sentence()).contains("check the proxy");
    own.answer(404, "");
    assertThat(check().getLast().sentence()).contains("status 404: start 'switchboard serve'");
    own.answer(200, "Welcome!");
    assertThat(check().getLast().sentence()).contains("is not switchboard");
    own.close();
    assertThat(check().getLast().sentence()).contains("cannot be reached");
  }
}
