package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/configuration.md` says what the reader knows. Of the table `phone` its module
/// shows it.
class ConfigurationDocsTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final Pattern TOML = Pattern.compile("(?s)```toml\n(.*?)```");

  private static final String REMEDY = "add the module dev.switchboard:switchboard-phone";

  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.ofEntries(
          Map.entry("AgentToml", "The file"),
          Map.entry("Agent", "`agent`"),
          Map.entry("Model", "`agent.model`"),
          Map.entry("Embeddings", "`agent.embeddings`"),
          Map.entry("Limits", "`agent.limits`"),
          Map.entry("Defaults", "`agent.defaults`"),
          Map.entry("Memory", "`agent.memory.label`"),
          Map.entry("OpenApi", "`agent.openapi`"),
          Map.entry("Guardrail", "`agent.guardrails`"),
          Map.entry("Rule", "`agent.tool_rules`"),
          Map.entry("RuleType", "`rule_type`"),
          Map.entry("StartConstraint", "`StartConstraint`"),
          Map.entry("Children", "`Child` and `Parent`"),
          Map.entry("Conditional", "`Conditional`"),
          Map.entry("RequiresConsent", "`RequiresConsent`"),
          Map.entry("McpKeys", "`agent.mcp`"),
          Map.entry("McpServer", "`agent.mcp_server`"),
          Map.entry("OAuth", "`agent.mcp.oauth`"),
          Map.entry("Sampling", "`agent.mcp.sampling`"),
          Map.entry("Tool", "`tools`"),
          Map.entry("Http", "`http`"),
          Map.entry("Wasm", "`wasm`"),
          Map.entry("Retry", "`retry`"),
          Map.entry("Breaker", "`breaker`"),
          Map.entry("Reassurance", "`reassurance`"),
          Map.entry("Network", "`network`"),
          Map.entry("Storage", "`storage`"),
          Map.entry("Audit", "`audit`"),
          Map.entry("Cluster", "`cluster`"),
          Map.entry("Recipients", "`groups`, `channels`"),
          Map.entry("SharedBlock", "`agent.shared_blocks`"));

  @TempDir private Path folder;

  static List<Class<?>> tables() {
    return Stream.of(AgentToml.class, McpKeys.class)
        .flatMap(keys -> Stream.concat(Stream.of(keys), Arrays.stream(keys.getDeclaredClasses())))
        .filter(Class::isRecord)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<?> table) throws IOException {
    assertThat(TITLES).containsKey(table.getSimpleName());

    assertThat(rows(TITLES.get(table.getSimpleName())))
        .containsExactlyElementsOf(Binder.keys(table));
  }

  @Test
  void eachClassHasItsRow() throws IOException {
    assertThat(rows("Classes of faults"))
        .containsExactlyElementsOf(Arrays.stream(FaultClass.values()).map(Enum::name).toList());
  }

  @Test
  void theExampleIsRead() throws IOException {
    AgentFolder agent =
        new AgentFolder(
            folder, Map.of("BOOKING_TOKEN", "x", "PUBLIC_URL", "https://phone.example.com"));
    agent.write("make_reservation.json", "{\"type\":\"object\",\"properties\":{}}");

    List<MatchResult> examples = TOML.matcher(docs()).results().toList();

    assertThat(examples).isNotEmpty();
    assertThat(examples)
        .allSatisfy(toml ->
            assertThat(agent.faults(toml.group(1)))
                .allMatch(fault -> fault.endsWith("phone is not read: " + REMEDY)));
  }

  private static List<String> rows(String title) throws IOException {
    String[] sections = docs().split("(?m)^## ", -1);
    String section =
        Arrays.stream(sections)
            .filter(text -> text.lines().findFirst().orElse("").equals(title))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no section " + title));
    return ROW.matcher(section).results().map(row -> row.group(1)).toList();
  }

  private static String docs() throws IOException {
    return Files.readString(Repository.file("docs/reference/configuration.md"));
  }
}
