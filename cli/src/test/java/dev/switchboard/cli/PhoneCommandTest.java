package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Ports;
import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.carrier.twilio.Signature;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhoneCommandTest {
  private static final String CALL = "CA" + "ab".repeat(16);

  @TempDir private Path folder;
  private final StubWebhook rest = StubWebhook.start();
  private final RealtimeSimulator engine = RealtimeSimulator.of();

  @AfterEach
  void stop() {
    rest.close();
    engine.close();
  }

  private String agent(String publicUrl, String more) {
    return PhoneToml.of(folder, publicUrl, rest.url(""), engine.url(), more);
  }

  private void pointsTo(String voiceUrl) {
    rest.answer(
        200,
        "{\"incoming_phone_numbers\":[{\"phone_number\":\"%s\",\"voice_url\":\"%s\",\"voice_method\":\"POST\"}]}"
            .formatted(PhoneToml.NUMBER, voiceUrl));
  }

  @Test
  void aPhoneThatCanBeCalledIsFine() throws IOException {
    int port = Ports.free();
    String url = "http://127.0.0.1:" + port;
    TwilioSimulator twilio = TwilioSimulator.start();
    String agent = PhoneToml.of(folder, url, twilio, engine.url(), "");
    twilio.number(PhoneToml.NUMBER, url + "/phone/twilio/voice");
    try (twilio;
        Serving serving = Serving.of(folder, agent, "--port", "" + port)) {
      assertThat(serving.out())
          .startsWith("Serving 'Shop' at " + url + "\n")
          .contains(
              "Answering +15550001234 as 'Shop'; the carrier's voice URL for it: "
                  + url
                  + "/phone/twilio/voice\n");
      Cli check = Cli.run("phone", "check", agent);

      assertThat(check.out())
          .isEqualTo(
              """
              ok     keys        Twilio accepts the account and its token.
              ok     number      +15550001234 calls %1$s/phone/twilio/voice
              ok     public_url  %1$s/phone/twilio/voice answers, and accepts our signature.
              ok     engine      openai-realtime:gpt-realtime-2.1 answers.
              """
                  .formatted(url));
      assertThat(check.exit()).isZero();
    }
  }

  @Test
  void eachFaultIsALineWithItsRemedy() throws IOException {
    String url = "http://127.0.0.1:" + Ports.free();
    pointsTo("https://old.example.com");
    String agent = agent(url, "");
    engine.close();

    Cli check = Cli.run("phone", "check", agent);

    assertThat(check.exit()).isOne();
    assertThat(check.out().lines())
        .hasSize(4)
        .satisfiesExactly(
            keys -> assertThat(keys).startsWith("ok     keys "),
            number ->
                assertThat(number).startsWith("fault  number ").contains("'https://old.example"),
            way -> assertThat(way).startsWith("fault  public_url").contains("switchboard serve"),
            by -> assertThat(by).startsWith("fault  engine "));
    assertThat(check.out()).doesNotContain(PhoneToml.TOKEN, "key-1");
  }

  @Test
  void whatTheFileLacksIsToldBeforeAnythingListens() throws IOException {
    String agent = agent("https://phone.example.com", "");
    Files.writeString(folder.resolve(".env"), "TEST_KEY=key-1\n");

    for (Cli cli : List.of(Cli.run("phone", "check", agent), Serving.of(folder, agent).end())) {
      assertThat(cli.exit()).isEqualTo(2);
      assertThat(cli.err())
          .contains(
              "agent.toml:6:",
              "phone.carrier.auth_token_env names the environment variable 'TEST_TOKEN', which is"
                  + " not set");
    }
    String none = AgentToml.write(folder, "[agent]\nname = \"Shop\"\n");
    assertThat(Cli.run("phone", "check", none).err())
        .isEqualTo("switchboard: " + none + " has no table [phone].\n");
  }

  @Test
  void aChatNeedsAModelAndNoSecrets() throws IOException {
    String agent = agent("${NOT_SET}", "");
    Files.writeString(folder.resolve(".env"), "");

    Cli chat = Cli.run("chat", agent, "-m", "Hello");
    assertThat(chat.exit()).isEqualTo(2);
    assertThat(chat.err()).startsWith("switchboard: " + agent + " names no model: use --model");
    assertThat(Cli.run("validate", agent).exit()).isZero();
  }

  @Test
  void phonesOfAnAccountHaveOnePublicUrl() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    String second =
        PhoneToml.of(other, "https://other.example.com", rest.url(""), engine.url(), "")
            .replace("Shop", "Desk");
    Files.writeString(
        Path.of(second),
        Files.readString(Path.of(second)).replace("Shop", "Desk").replace("1234\"", "5678\""));

    Cli cli = Serving.of(folder, agent("https://phone.example.com", ""), second).end();

    assertThat(cli.exit()).isEqualTo(2);
    assertThat(cli.err()).contains("The phones cannot be answered: phones of one carrier account");
  }

  @Test
  void callsComeInBySignedRequestsAlone() throws Exception {
    try (Serving serving = Serving.of(folder, agent("https://phone.example.com", ""))) {
      String voice = "/phone/twilio/voice";
      HttpResponse<String> taken = serving.send(signed(serving, voice, "phone.example.com"));
      assertThat(taken.statusCode()).isEqualTo(200);
      assertThat(taken.body()).contains("<Connect", "wss://phone.example.com/phone/twilio/media");
      HttpResponse<String> refused = serving.send(signed(serving, voice, "else.example.com"));
      assertThat(refused.statusCode()).isEqualTo(403);
      HttpResponse<String> over =
          serving.send(signed(serving, "/phone/twilio/status", "phone.example.com"));
      assertThat(over.statusCode()).isEqualTo(204);
    }
  }

  /// A request as the carrier makes it, signed for that host.
  private static HttpRequest signed(Serving serving, String path, String host) {
    Map<String, List<String>> fields =
        Map.of(
            "CallSid", List.of(CALL),
            "CallStatus", List.of("completed"),
            "From", List.of("+14155550100"),
            "To", List.of(PhoneToml.NUMBER));
    String form = "CallSid=" + CALL + "&CallStatus=completed&From=%2B14155550100&To=%2B15550001234";
    String signature = Signature.of(ApiKey.of(PhoneToml.TOKEN), "https://" + host + path, fields);
    return HttpRequest.newBuilder(serving.url(path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header(Signature.HEADER, signature)
        .POST(BodyPublishers.ofString(form))
        .build();
  }
}
