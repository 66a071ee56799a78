package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFolder;
import dev.switchboard.config.ConfigurationPage;
import dev.switchboard.harness.Repository;
import dev.switchboard.phone.carrier.twilio.Twilio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages say of the table `phone` what its reader knows.
class PhoneKeysDocsTest {
  private static final Pattern TOML = Pattern.compile("(?s)```toml\n(.*?)```");

  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.of(
          "PhoneKeys", "`phone`",
          "Carrier", "`phone.carrier`",
          "Engine", "`phone.engine`",
          "Relay", "`phone.engine` with `relay`",
          "Transcriber", "`phone.engine.transcriber`",
          "TurnDetection", "`phone.engine.turn_detection`",
          "Transfer", "`phone.transfer`",
          "CallLimits", "`phone.limits`",
          "CallWords", "`phone.words`");

  @TempDir private Path folder;

  static List<Class<? extends Record>> tables() {
    return ConfigurationPage.tables(PhoneKeys.class);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<? extends Record> table) throws IOException {
    ConfigurationPage.assertRows(TITLES, table);
  }

  @Test
  void eachCarrierAndEngineIsNamed() throws IOException {
    String names = quoted(PhoneReader.CARRIERS.stream().map(CarrierReader::name));
    assertThat(ConfigurationPage.section("`phone`"))
        .contains("\n| `carrier` | table, or " + names + " |");
    assertThat(ConfigurationPage.section("`phone.carrier`"))
        .contains("\n| `name` | string | required | " + names);

    String providers = quoted(PhoneReader.ENGINES.stream().map(EngineReader::provider));
    assertThat(ConfigurationPage.section("`phone`"))
        .contains("\n| `engine` | table, `\"provider:name\"` or " + providers + " |");
    assertThat(ConfigurationPage.section("`phone.engine`"))
        .contains("\n| `provider` | string | required | " + providers + " |");
  }

  private static String quoted(Stream<String> words) {
    return words.map(word -> "`\"" + word + "\"`").collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/reference/configuration.md",
        "docs/how-to/phone.md",
        "docs/how-to/relay.md",
        "docs/tutorial/first-phone-call.md",
        "docs/tutorial/call-your-agent-in-the-browser.md"
      })
  void theExamplesAreRead(String page) throws IOException {
    Map<String, String> variables =
        Map.of("BOOKING_TOKEN", "x", "PUBLIC_URL", "https://phone.example.com");
    AgentFolder agent = new AgentFolder(folder, variables);
    Files.writeString(
        folder.resolve("make_reservation.json"), "{\"type\":\"object\",\"properties\":{}}");

    List<String> examples =
        TOML.matcher(page(page))
            .results()
            .map((MatchResult block) -> block.group(1))
            .filter(toml -> toml.contains("[phone]"))
            .toList();

    assertThat(examples).isNotEmpty();
    assertThat(examples).allSatisfy(toml -> assertThat(agent.faults(toml)).isEmpty());
  }

  @Test
  void theTokenOfTheCarrierIsSecret() {
    AgentFolder agent = new AgentFolder(folder, Map.of());

    assertThat(agent.read("[agent]\nname = \"Shop\"\n").agent().secretNames())
        .contains(Twilio.TOKEN_VARIABLE);
  }

  private static String page(String path) throws IOException {
    return Files.readString(Repository.root().resolve(path));
  }
}
