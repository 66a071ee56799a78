package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.carrier.Carrier.Finding;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import okhttp3.Credentials;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import tools.jackson.databind.JsonNode;

/// Checks a number's settings at Twilio, and Twilio's access to this process.
final class NumberCheck {
  private static final long LONGEST_ANSWER = 64 * 1024;
  private static final String KEYS = "keys";
  private static final String NUMBER = "number";
  private static final String ACCESS = "public_url";

  private final HttpUrl base;
  private final String account;
  private final ApiKey token;
  private final PublicUrl url;

  /// @param base the URL before `/2010-04-01`
  NumberCheck(HttpUrl base, String account, ApiKey token, PublicUrl url) {
    this.base = base;
    this.account = account;
    this.token = token;
    this.url = url;
  }

  /// The findings, in the order in which to fix them.
  List<Finding> of(String number) {
    List<Finding> findings = new ArrayList<>(settings(number));
    findings.add(access());
    return findings;
  }

  private List<Finding> settings(String number) {
    Request request =
        new Request.Builder()
            .url(
                base.newBuilder()
                    .addPathSegments(
                        "2010-04-01/Accounts/" + account + "/IncomingPhoneNumbers.json")
                    .addQueryParameter("PhoneNumber", number)
                    .build())
            .header(
                "Authorization", Credentials.basic(account, token.text(), StandardCharsets.UTF_8))
            .header("Accept", "application/json")
            .header("User-Agent", "switchboard")
            .build();
    try (Response response = CallOrders.client().newCall(request).execute()) {
      return switch (response.code()) {
        case 200 -> found(number, Json.text(text(response)).tree());
        case 401, 403 ->
            List.of(
                bad(
                    KEYS,
                    ("Twilio does not accept the account and its token (status %d): compare"
                         + " TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN with those on the first page"
                         + " of its console.")
                        .formatted(response.code())));
        default ->
            List.of(
                bad(
                    KEYS,
                    "Twilio at %s does not list its numbers (status %d): try again later."
                        .formatted(base.host(), response.code())));
      };
    } catch (IOException e) {
      return List.of(
          bad(
              KEYS,
              ("Twilio at %s could not be reached (%s): check the network, and base_url if it is"
                      + " set.")
                  .formatted(base.host(), IoReasons.ofNetwork(e))));
    } catch (JsonException e) {
      return List.of(
          bad(KEYS, "What answers at %s is not Twilio: check base_url.".formatted(base.host())));
    }
  }

  private List<Finding> found(String number, JsonNode answer) {
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding(KEYS, true, "Twilio accepts the account and its token."));
    JsonNode settings = null;
    for (JsonNode entry : answer.path("incoming_phone_numbers")) {
      settings = entry.path("phone_number").asString("").equals(number) ? entry : settings;
    }
    findings.add(
        settings == null
            ? bad(
                NUMBER,
                "The account has no number %s: buy it, or name the account that has it."
                    .formatted(number))
            : pointing(number, settings));
    return findings;
  }

  private Finding pointing(String number, JsonNode settings) {
    String own = url.http(Webhooks.VOICE);
    String set = settings.path("voice_url").asString("");
    String method = settings.path("voice_method").asString("POST");
    for (String other : List.of("voice_application_sid", "trunk_sid")) {
      String name = settings.path(other).asString("");
      if (!name.isEmpty()) {
        return bad(
            NUMBER,
            ("Calls to %s go to %s, so that the voice URL is not called: remove that in Twilio's"
                    + " console, and set the voice URL to %s")
                .formatted(number, name, own));
      }
    }
    if (!set.equals(own)) {
      return bad(
          NUMBER,
          "The voice URL of %s at Twilio is %s: set it to %s, method POST."
              .formatted(number, set.isEmpty() ? "not set" : "'" + set + "'", own));
    }
    return method.equals("POST")
        ? new Finding(NUMBER, true, "%s calls %s".formatted(number, own))
        : bad(
            NUMBER,
            "The voice URL of %s is called by %s: set it to POST.".formatted(number, method));
  }

  /// Requests the voice URL as Twilio would, for a number without an agent.
  private Finding access() {
    String voice = url.http(Webhooks.VOICE);
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String call = "CA" + HexFormat.of().formatHex(random);
    String signature = Signature.of(token, voice, Map.of("CallSid", List.of(call)));
    Request request =
        new Request.Builder()
            .url(voice)
            .header(Signature.HEADER, signature)
            .header("User-Agent", "switchboard")
            .post(new FormBody.Builder().add("CallSid", call).build())
            .build();
    try (Response response = CallOrders.client().newCall(request).execute()) {
      String text = text(response);
      return switch (response.code()) {
        case 200 ->
            text.contains("<Reject")
                ? new Finding(ACCESS, true, voice + " answers, and accepts our signature.")
                : bad(
                    ACCESS,
                    "What answers at %s is not switchboard: check the proxy.".formatted(voice));
        case 403 ->
            text.contains("Invalid signature")
                ? bad(
                    ACCESS,
                    ("%s refuses our signature: 'switchboard serve' there has another public_url or"
                            + " another token.")
                        .formatted(voice))
                : bad(ACCESS, "%s refuses the request (403): check the proxy.".formatted(voice));
        case 503 -> bad(ACCESS, "%s has no token to check signatures with.".formatted(voice));
        default ->
            bad(
                ACCESS,
                ("%s answers with status %d: start 'switchboard serve', and let the proxy or tunnel"
                        + " lead there.")
                    .formatted(voice, response.code()));
      };
    } catch (IOException e) {
      return bad(
          ACCESS,
          ("%s cannot be reached (%s): start 'switchboard serve', and the proxy or tunnel before"
                  + " it.")
              .formatted(voice, IoReasons.ofNetwork(e)));
    }
  }

  private static String text(Response response) throws IOException {
    response.body().source().request(LONGEST_ANSWER);
    return response.body().source().getBuffer().readUtf8();
  }

  private static Finding bad(String subject, String sentence) {
    return new Finding(subject, false, sentence);
  }

  /// The account, without its token.
  @Override
  public String toString() {
    return "NumberCheck[" + account + "]";
  }
}
