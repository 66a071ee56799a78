package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhonesTest {
  private static final String NEEDED =
      """
      [phone]
      carrier = { name = "twilio", account_sid = "${TEST_SID}", auth_token_env = "TEST_TOKEN" }
      number = "+15550001234"
      public_url = "https://phone.example.com"
      engine = { provider = "openai-realtime", name = "gpt-realtime-2.1", api_key_env = "TEST_KEY" }
      """;

  @TempDir private Path folder;
  private final Phones phones = new Phones();

  @BeforeEach
  void secrets() throws IOException {
    Files.writeString(
        folder.resolve(".env"),
        "TEST_SID=AC" + "0a".repeat(16) + "\nTEST_TOKEN=token-1\nTEST_KEY=key-1\n");
  }

  private AgentFile file(String toml) {
    try {
      return AgentFile.read(Files.writeString(folder.resolve("agent.toml"), toml));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Phone phone(String toml) {
    return Objects.requireNonNull(phones.of(file(toml)));
  }

  @Test
  void whatIsLeftOutIsAsInJava() {
    Phone phone = phone(NEEDED);

    assertThat(phone.settings()).isEqualTo(CallSettings.of("+15550001234"));
    assertThat(phone.engine().name()).isEqualTo("openai-realtime:gpt-realtime-2.1");
    assertThat(phone.carrier()).hasToString("Twilio[AC" + "0a".repeat(16) + "]");
    assertThat(phone.voiceUrl()).isEqualTo("https://phone.example.com/phone/twilio/voice");
    assertThat(phones.of(file("[agent]\nname = \"x\"\n"))).isNull();
  }

  @Test
  void whatIsStatedHolds() {
    Phone phone =
        phone(
            NEEDED
                + """
                transfer = { to = { support = "+15550001111" } }
                limits = { duration = "20m", calls = 5 }
                consent = "caller"
                words = { goodbye = "Tschüss." }
                system_tools = ["end_call"]
                log = "calls"
                """);

    CallSettings settings = phone.settings();
    assertThat(settings.transfer())
        .isEqualTo(new Transfer(Map.of("support", "+15550001111"), null, false));
    assertThat(settings.limits())
        .isEqualTo(
            new Limits(
                Duration.ofMinutes(20), 5, Limits.DEFAULT.silence(), Limits.DEFAULT.drain()));
    assertThat(settings.consent()).isEqualTo(ConsentMode.CALLER);
    assertThat(settings.words().of(Phrase.GOODBYE)).isEqualTo("Tschüss.");
    assertThat(settings.words().of(Phrase.SILENCE)).isEqualTo("Are you still there?");
    assertThat(settings.systemTools()).containsExactly("end_call");
    assertThat(phone.log()).isEqualTo(folder.resolve("calls"));
  }

  @Test
  void filesOfOneAccountShareIt() {
    Phone one = phone(NEEDED);
    Phone other = phone(NEEDED.replace("1234", "5678"));
    assertThat(one.carrier()).isSameAs(other.carrier());

    Agent agent =
        Agent.builder("Shop").prompt("You sell.").store(new InProcessConversations()).build();
    try (Calls calls =
        Calls.of(List.of(new Calls.Answering(one, agent), new Calls.Answering(other, agent)))) {
      assertThat(calls.routes()).hasSize(5);
    }
    Phone elsewhere = phone(NEEDED.replace("1234", "9999").replace("phone.ex", "call.ex"));
    assertThatThrownBy(() ->
            Calls.of(
                List.of(new Calls.Answering(one, agent), new Calls.Answering(elsewhere, agent))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "phones of one carrier account need the same public URL, not"
                + " 'https://phone.example.com' and 'https://call.example.com'");
  }

  @Test
  void whatTheEnvironmentLacksIsToldWithItsPlace() throws IOException {
    Files.writeString(folder.resolve(".env"), "TEST_SID=AC1\n");

    assertThatThrownBy(() -> phones.of(file(NEEDED)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("agent.toml:2:")
        .hasMessageContaining("what its variables hold is not that")
        .hasMessageContaining("'TEST_TOKEN', which is not set")
        .hasMessageContaining("'TEST_KEY', which is not set")
        .hasMessageNotContaining("AC1");
  }

  @Test
  void aSecretThatIsNotOneIsToldByItsVariable() throws IOException {
    String secrets = Files.readString(folder.resolve(".env"));
    for (String name : List.of("TEST_TOKEN", "TEST_KEY")) {
      Files.writeString(folder.resolve(".env"), secrets + name + "='two words'\n");
      assertThatThrownBy(() -> new Phones().of(file(NEEDED)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("environment variable '" + name + "': ")
          .hasMessageNotContaining("two words");
    }
  }

  @Test
  void whatAFileTakesTheEngineTakes() {
    String most =
        """
        { provider = "openai-realtime", name = "gpt-realtime-2.1", voice = "a.b:c_d-1", transcriber = { name = "x:y", languages = ["deu"], keywords = ["T4"] }, \
        api_key_env = "TEST_KEY", base_url = "wss://[::1]/v1/", \
        turn_detection = { type = "server_vad", threshold = 1, prefix = 5, silence = "100ms" } }
        """;
    for (String engine :
        List.of(
            most,
            most.replace("prefix = 5, silence = \"100ms\"", "prefix = 0, silence = 10"),
            "{ provider = \"openai-realtime\", name = \"m\", base_url = \"ws://localhost:1\" }",
            most.replace("[::1]/v1/", "api.openai.com/v1"))) {
      String toml = NEEDED.replaceFirst("(?m)^engine = .*", "engine = " + engine.strip());
      assertThat(phone(toml).engine().name()).startsWith("openai-realtime:");
    }
    String carrier = ", base_url = \"https://api.dublin.ie1.twilio.com\" }\nnumber";
    assertThat(phone(NEEDED.replace(" }\nnumber", carrier)).number()).isEqualTo("+15550001234");
  }
}
