package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.AgentFolder;
import dev.switchboard.config.ConfigException;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime.Effort;
import dev.switchboard.phone.engine.realtime.Transcriber;
import dev.switchboard.phone.engine.realtime.TurnDetection.ServerVad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneOfAFileTest {
  private static final Map<String, String> SECRETS =
      Map.of(
          "TWILIO_ACCOUNT_SID", "AC0123456789abcdef0123456789abcdef",
          "TWILIO_AUTH_TOKEN", "t",
          "OPENAI_API_KEY", "k",
          "PUBLIC_URL", "https://phone.example.com");

  private static final String PHONE =
      """
      [phone]
      carrier = "twilio"
      number = "+15550001234"
      public_url = "${PUBLIC_URL}"
      engine = "openai-realtime:gpt-realtime-2.1"
      """;

  @TempDir private Path folder;

  private AgentFolder folder() {
    return new AgentFolder(folder, SECRETS);
  }

  private PhoneSettings phone(String toml) {
    return folder().read(toml).table(PhoneSettings.class);
  }

  @Test
  void readsWhatIsNeeded() {
    assertThat(phone(PHONE))
        .isEqualTo(
            new PhoneSettings(
                new TwilioSettings(null, null, null),
                "https://phone.example.com",
                new RealtimeSettings(
                    new ModelSettings("openai-realtime", "gpt-realtime-2.1", null, null),
                    null,
                    null,
                    Transcriber.USUAL,
                    null),
                CallSettings.of("+15550001234"),
                false,
                null,
                List.of()));
    assertThat(phone("[agent]\nname = \"x\"\n")).isNull();
    assertThat(folder().faults(PHONE)).isEmpty();
    String word = PHONE.replace("openai-realtime:gpt-realtime-2.1", "openai-realtime");
    assertThat(phone(word).engine()).isEqualTo(phone(PHONE).engine());
  }

  @Test
  void readsEveryKey() {
    PhoneSettings phone =
        new AgentFolder(
                folder,
                Map.of("SID", "AC" + "0".repeat(32), "T", "t", "K", "k", "N", "15550001234"))
            .read(
                """
                [phone]
                carrier = { name = "twilio", account_sid = "${SID}", auth_token_env = "T", base_url = "http://127.0.0.1:4010" }
                number = "+${N}"
                public_url = "http://[::1]:8000/phones"
                transfer = { to = { support = "+15550001111" }, allow = ["+1415", "+44"], raw = true }
                limits = { duration = "20m", calls = 5, silence = "1m", drain = 0 }
                consent = "caller"
                words = { disclosure = "Wird aufgezeichnet.", busy = "Besetzt.", reconnect = "Moment.", failed = "Weg.", goodbye = "Tschüss.", silence = "Noch da?", ending = "Gleich Schluss.", consent = "Soll ich?", keys = "Drücken Sie 1." }
                system_tools = ["end_call"]
                log = "calls/"
                farewell_interruptible = false
                remember = "caller"
                engine = { provider = "openai-realtime", name = "gpt-realtime-2.1-mini", voice = "cedar", reasoning = "xhigh", transcriber = { name = "gpt-live-transcribe", languages = ["de", "en"], keywords = ["Café Mocca"] }, base_url = "ws://127.0.0.1:9/v1", api_key_env = "K", turn_detection = { type = "server_vad", threshold = 0.4, prefix = 0, silence = "200ms" } }
                """)
            .table(PhoneSettings.class);

    assertThat(phone.faults()).isEmpty();
    assertThat(phone.carrier())
        .isEqualTo(new TwilioSettings("AC" + "0".repeat(32), "T", "http://127.0.0.1:4010"));
    CallSettings calls = phone.calls();
    assertThat(calls.number()).isEqualTo("+15550001234");
    assertThat(calls.transfer())
        .isEqualTo(new Transfer(Map.of("support", "+15550001111"), List.of("+1415", "+44"), true));
    assertThat(calls.limits())
        .isEqualTo(new Limits(Duration.ofMinutes(20), 5, Duration.ofMinutes(1), Duration.ZERO));
    assertThat(calls.consent()).isEqualTo(ConsentMode.CALLER);
    assertThat(calls.words().stated()).hasSize(9).containsEntry(Phrase.SILENCE, "Noch da?");
    assertThat(calls.systemTools()).containsExactly("end_call");
    assertThat(phone.namesSystemTools()).isTrue();
    assertThat(phone.log()).isEqualTo(folder.resolve("calls"));
    assertThat(calls.is(Flag.FAREWELL_INTERRUPTIBLE)).isFalse();
    assertThat(calls.callersRemembered()).isTrue();
    RealtimeSettings engine = (RealtimeSettings) phone.engine();
    assertThat(engine.model())
        .isEqualTo(
            new ModelSettings(
                "openai-realtime", "gpt-realtime-2.1-mini", "ws://127.0.0.1:9/v1", "K"));
    assertThat(engine.reasoning()).isEqualTo(Effort.XHIGH);
    assertThat(engine.turns()).isEqualTo(new ServerVad(0.4, Duration.ZERO, Duration.ofMillis(200)));
    assertThat(engine.transcriber())
        .isEqualTo(
            new Transcriber("gpt-live-transcribe", List.of("de", "en"), List.of("Café Mocca")));
  }

  @Test
  void readsEachFormOfATranscriber() {
    assertThat(transcriber("\"gpt-live-transcribe\""))
        .isEqualTo(new Transcriber("gpt-live-transcribe", List.of(), List.of()));
    assertThat(transcriber("\"none\"")).isNull();
    assertThat(transcriber("{}")).isEqualTo(Transcriber.USUAL);
    assertThat(transcriber("{ languages = [\"de\"] }")).isEqualTo(Transcriber.of("de"));
  }

  private @Nullable Transcriber transcriber(String stated) {
    String engine =
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", transcriber = %s }"
            .formatted(stated);
    return ((RealtimeSettings) phone(PHONE.replaceAll("(?m)^engine = .*", engine)).engine())
        .transcriber();
  }

  /// What `validate` says of that file.
  private List<String> checked(String toml) {
    return folder().checked(toml);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "transfer = {}", "transfer = { allow = [] }", "transfer = { to = {} }"})
  void warnsOfTransferWithoutDestinations(String transfer) {
    assertThat(checked(PHONE + transfer))
        .containsExactly(
            "agent.toml:1:1: warning: phone.transfer has no destinations, so the model cannot"
                + " transfer calls: name destinations, such as transfer = { to = { support ="
                + " \"+15550001111\" } }, or system_tools = [\"end_call\"]");
    assertThat(checked(PHONE + transfer + "\nsystem_tools = [\"end_call\"]\n")).isEmpty();
    assertThat(checked(PHONE + transfer + "\nsystem_tools = [\"end_call\", \"transfer_call\"]"))
        .singleElement()
        .asString()
        .contains("error: phone.system_tools[1] names 'transfer_call', which needs destinations");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ to = { a = \"+15550001111\" } } | ",
        "{ allow = [\"+1415\"] } | ",
        "{ to = { a = \"+15550001111\" }, allow = [\"+49\"], raw = true } | ",
        "{ to = { a = \"+15550001111\" }, raw = true } | error: phone.transfer.raw needs 'allow'",
        "{ raw = true } | error: phone.transfer.raw needs 'allow'",
        "{ to = { a = \"+15550001111\" }, allow = [\"+49\"] } | warning: phone.transfer.allow has"
            + " no effect"
      })
  void numbersThatTheModelStatesNeedToBeAllowed(String transfer, String fault) {
    List<String> faults = checked(PHONE + "transfer = " + transfer);
    assertThat(folder().faults(PHONE + "transfer = " + transfer))
        .as("other commands")
        .isEqualTo(faults);
    if (fault == null) {
      assertThat(faults).isEmpty();
    } else {
      assertThat(faults).singleElement().asString().contains(fault);
    }
  }

  @Test
  void aQuestionByToolNameAloneIsWarnedOf() {
    String tools =
        """

        consent = "caller"
        system_tools = []

        [[agent.tool_rules]]
        tool_name = "create_order"
        rule_type = "RequiresConsent"

        [[tools]]
        name = "shell_run"
        webhook_url = "https://a.example/x"

        [[tools]]
        name = "create_order"
        webhook_url = "https://a.example/x"

        [[tools]]
        name = "create_note"
        webhook_url = "https://a.example/x"

        [[tools]]
        name = "local_pay"
        webhook_url = "https://a.example/x"
        confirm = "Should I pay?"
        """;
    assertThat(checked(PHONE + tools))
        .hasSize(2)
        .allMatch(fault -> fault.contains("'confirm'"))
        .anyMatch(fault -> fault.contains("'shell_run'"))
        .anyMatch(fault -> fault.contains("'create_order'"));
    assertThat(checked(PHONE + tools.replace("\"caller\"", "\"operator\""))).isEmpty();
  }

  @Test
  void nothingIsAllowedByAnEmptyList() {
    String none = PHONE + "transfer = { allow = [] }\nsystem_tools = []\n";

    assertThat(phone(none).calls().transfer()).isEqualTo(Transfer.NONE);
    assertThat(phone(none).calls().systemTools()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "number = \"555-1234\" | phone.number must be + and 7 to 15 digits, not '555-1234'",
        "number = \"${PUBLIC URL}\" | phone.number has a '${' that no variable's name and '}'"
            + " follow",
        "public_url = \"http://phone.example.com\" | phone.public_url must be an https URL without"
            + " a query, or http on this machine, not 'http://phone.example.com'",
        "public_url = \"https://a.example?x\" | phone.public_url must be an https URL without a"
            + " query, or http on this machine, not 'https://a.example?x'",
        "carrier = \"twillio\" | phone.carrier must be one of 'twilio', 'browser', not"
            + " 'twillio'; did you mean 'twilio'?",
        "carrier = { name = \"telnyx\" } | phone.carrier.name must be one of 'twilio',"
            + " 'browser', not 'telnyx'",
        "carrier = { name = \"twilio\", account_sid = \"AC1\" } | phone.carrier.account_sid must be"
            + " AC and 32 hexadecimal digits, not 'AC1'",
        "carrier = { name = \"twilio\", base_url = \"127.0.0.1:1\" } | phone.carrier.base_url must"
            + " be https://api.twilio.com, that of one of its regions, or a URL on this machine,"
            + " not '127.0.0.1:1'",
        "carrier = { name = \"twilio\", base_url = \"https://x.example\" } | phone.carrier.base_url"
            + " must be https://api.twilio.com, that of one of its regions, or a URL on this"
            + " machine, not 'https://x.example'",
        "carrier = 7 | phone.carrier must be a table, not an integer",
        "engine = \"gpt-realtime-2.1\" | phone.engine must be provider:name, such as"
            + " \"openai-realtime:gpt-realtime-2.1\"",
        "engine = \"openai:gpt-4.1\" | phone.engine must be one of 'openai-realtime', 'relay', not"
            + " 'openai'; did you mean 'openai-realtime'?",
        "engine = \"openai-realtime:gpt-4.1\" | phone.engine must name a model that hears and"
            + " speaks, such as gpt-realtime-2.1 or gpt-realtime-2.1-mini, not 'gpt-4.1'",
        "engine = { provider = \"openai-realtime\" } | phone.engine needs 'name'",
        "engine = { provider = \"openai-realtime\", name = \"m\", base_url ="
            + " \"wss://api.openai.com/v1\" } | phone.engine.name must name a model that hears and"
            + " speaks, such as gpt-realtime-2.1 or gpt-realtime-2.1-mini, not 'm'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", base_url ="
            + " \"https://x\" } | phone.engine.base_url must be a wss URL without a query, or ws on"
            + " this machine, not 'https://x'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", base_url ="
            + " \"ws://x.example\" } | phone.engine.base_url must be a wss URL without a query, or"
            + " ws on this machine, not 'ws://x.example'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", voice = \"a b\" }"
            + " | phone.engine.voice must be 1 to 100 letters, digits, dots, colons or dashes, not"
            + " 'a b'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", reasoning ="
            + " \"none\" } | phone.engine.reasoning must be one of 'minimal', 'low', 'medium',"
            + " 'high', 'xhigh', not 'none'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-4.1\", reasoning = \"low\" } |"
            + " phone.engine.name must name a model that hears and speaks, such as"
            + " gpt-realtime-2.1 or gpt-realtime-2.1-mini, not 'gpt-4.1'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-1.5\", reasoning ="
            + " \"low\" } | phone.engine.reasoning is for models that think before they speak, such"
            + " as gpt-realtime-2.1, not for 'gpt-realtime-1.5'",
        "engine = { provider = \"openai-realtime\", name = \"m\", base_url ="
            + " \"ws://127.0.0.1:9/v1\", reasoning = \"low\" } | phone.engine.reasoning is for"
            + " models that think before they speak, such as gpt-realtime-2.1, not for 'm'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", transcriber ="
            + " { languages = [\"de\", \"German\"] } } | phone.engine.transcriber.languages[1] must"
            + " be two or three small letters, such as 'de', not 'German'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", transcriber ="
            + " \"a b\" } | phone.engine.transcriber must be 1 to 100 letters, digits, dots, colons"
            + " or dashes, not 'a b'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", transcriber ="
            + " { keywords = [\" \"] } } | phone.engine.transcriber.keywords[0] must not be empty",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", language ="
            + " \"de\" } | unknown key 'language' in phone.engine",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", turn_detection = {"
            + " type = \"server_vad\", silence = \"1ms\" } } |"
            + " phone.engine.turn_detection.silence must be 100 to 10000 ms, not \"1ms\"",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", turn_detection = {"
            + " type = \"server_vad\", prefix = 6 } } |"
            + " phone.engine.turn_detection.prefix must be 0 to 5000 ms, not 6",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", turn_detection = {"
            + " type = \"server_vad\", eagerness = \"low\" } } |"
            + " phone.engine.turn_detection.eagerness is for the type 'semantic_vad' only",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", turn_detection ="
            + " \"vad\" } | phone.engine.turn_detection must be one of 'server_vad',"
            + " 'semantic_vad', not 'vad'",
        "engine = { provider = \"openai-realtime\", name = \"gpt-realtime-2.1\", turn_detection ="
            + " {} } | phone.engine.turn_detection needs 'type'",
        "consent = \"both\" | phone.consent must be one of 'operator', 'caller', 'deny', not"
            + " 'both'",
        "system_tools = [\"hang_up\"] | phone.system_tools[0] must be one of 'transfer_call',"
            + " 'end_call', not 'hang_up'",
        "transfer = { to = { x = \"1\" } } | phone.transfer.to.x must be + and 7 to 15 digits, not"
            + " '1'",
        "transfer = { raw = false } | phone.transfer.raw must not be false without 'to'; without"
            + " transfers: system_tools = [\"end_call\"]",
        "transfer = { allow = [\"44\"] } | phone.transfer.allow[0] must be the beginning of a"
            + " number, such as +49, not '44'",
        "limits = { calls = 0 } | phone.limits.calls must be at least 1, not 0",
        "limits = { duration = 0 } | phone.limits.duration must be more than 0",
        "log = \"a\\u0000b\" | phone.log is not a path",
        "words = { hello = \"x\" } | unknown key 'hello' in phone.words",
        "voice = \"x\" | unknown key 'voice' in phone",
      })
  void faultsHaveTheirPlace(String line, String sentence) {
    String key = line.substring(0, line.indexOf(' ') + 1) + "=";
    String toml = PHONE.replaceAll("(?m)^" + key + ".*\n", "") + line;

    assertThat(folder().faults(toml))
        .singleElement()
        .asString()
        .startsWith("agent.toml:" + toml.lines().count() + ":")
        .endsWith(": error: " + sentence);
  }

  @Test
  void namesWhatIsMissing() {
    assertThat(folder().faults("[phone]\n"))
        .containsExactly(
            "agent.toml:1:1: error: phone needs 'carrier'",
            "agent.toml:1:1: error: phone needs 'engine'",
            "agent.toml:1:1: error: phone needs 'number'",
            "agent.toml:1:1: error: phone needs 'public_url'");
  }

  @Test
  void whatTheEnvironmentLacksIsAFaultOfThoseWhoAnswer() {
    PhoneSettings phone = new AgentFolder(folder, Map.of()).read(PHONE).table(PhoneSettings.class);

    assertThat(phone.publicUrl()).isEqualTo("${PUBLIC_URL}");
    assertThat(phone.faults())
        .extracting(fault -> fault.toString().replace(folder + "/", ""))
        .containsExactly(
            "agent.toml:2:1: error: phone.carrier needs the environment variable"
                + " 'TWILIO_ACCOUNT_SID', which is not set",
            "agent.toml:2:1: error: phone.carrier needs the environment variable"
                + " 'TWILIO_AUTH_TOKEN', which is not set",
            "agent.toml:4:1: error: phone.public_url names the environment variable 'PUBLIC_URL',"
                + " which is not set",
            "agent.toml:5:1: error: phone.engine needs the environment variable 'OPENAI_API_KEY',"
                + " which is not set");
  }

  @Test
  void whatVariablesHoldIsNeverQuoted() {
    Map<String, String> wrong = new HashMap<>(SECRETS);
    wrong.put("PUBLIC_URL", "secret");

    assertThat(new AgentFolder(folder, wrong).read(PHONE).table(PhoneSettings.class).faults())
        .singleElement()
        .asString()
        .endsWith(
            "phone.public_url must be an https URL without a query, or http on this machine, and"
                + " what its variables hold is not that");
  }

  @Test
  void anAccountThatIsNotOneIsTold() {
    Map<String, String> wrong = new HashMap<>(SECRETS);
    wrong.put("TWILIO_ACCOUNT_SID", "secret");

    assertThat(new AgentFolder(folder, wrong).read(PHONE).table(PhoneSettings.class).faults())
        .singleElement()
        .asString()
        .endsWith(
            "agent.toml:2:1: error: phone.carrier needs AC and 32 hexadecimal digits in the"
                + " environment variable 'TWILIO_ACCOUNT_SID', which holds something else");
  }

  @Test
  void validateTellsWhatIsNotSetAsWarnings() {
    AgentFile file = new AgentFolder(folder, Map.of()).check(PHONE);

    assertThat(file.warnings())
        .hasSize(5)
        .allSatisfy(fault ->
            assertThat(fault.severity()).isEqualTo(ConfigException.Fault.Severity.WARNING));
    assertThat(file.table(PhoneSettings.class)).isNotNull();
    assertThat(file.table(PhoneSettings.class).faults()).isEmpty();
  }

  @Test
  void aPreviewLooksNothingUp() {
    Path file = folder.resolve("agent.toml");

    assertThat(AgentFile.preview(file, PHONE).warnings()).isEmpty();
  }
}
