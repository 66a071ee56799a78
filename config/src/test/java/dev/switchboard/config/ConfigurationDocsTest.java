package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/configuration.md` says what the reader knows. Of the table of a package or
/// module above, a test of that one shows it.
class ConfigurationDocsTest {
  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.ofEntries(
          Map.entry("AgentToml", "The file"),
          Map.entry("Agent", "`agent`"),
          Map.entry("Model", "`agent.model`"),
          Map.entry("Embeddings", "`agent.embeddings`"),
          Map.entry("Limits", "`agent.limits`"),
          Map.entry("Budget", "`agent.budget`"),
          Map.entry("BudgetLimit", "`agent.budget.turn`, `.conversation`, `.day`"),
          Map.entry("Price", "`agent.prices`"),
          Map.entry("Over", "`over` of `agent.prices`"),
          Map.entry("Memory", "`agent.memory.label`"),
          Map.entry("Guardrail", "`agent.guardrails`"),
          Map.entry("McpServer", "`agent.mcp_server`"),
          Map.entry("Network", "`network`"),
          Map.entry("Storage", "`storage`"),
          Map.entry("Audit", "`audit`"),
          Map.entry("Cluster", "`cluster`"),
          Map.entry("Recipients", "`groups`, `channels`"),
          Map.entry("SharedBlock", "`agent.shared_blocks`"));

  @TempDir private Path folder;

  static List<Class<? extends Record>> tables() {
    return ConfigurationPage.tables(AgentToml.class);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<? extends Record> table) throws IOException {
    ConfigurationPage.assertRows(TITLES, table);
  }

  @Test
  void eachClassHasItsRow() throws IOException {
    assertThat(ConfigurationPage.rows("Classes of faults"))
        .containsExactlyElementsOf(Arrays.stream(FaultClass.values()).map(Enum::name).toList());
  }

  @Test
  void theExampleIsRead() throws IOException {
    AgentFolder agent =
        new AgentFolder(
            folder, Map.of("BOOKING_TOKEN", "x", "PUBLIC_URL", "https://phone.example.com"));
    agent.write("make_reservation.json", "{\"type\":\"object\",\"properties\":{}}");

    assertThat(ConfigurationPage.examples()).isNotEmpty();
    assertThat(ConfigurationPage.examples())
        .allSatisfy(toml ->
            assertThat(agent.faults(toml))
                .allMatch(
                    fault -> fault.contains(" is not read: add the module dev.switchboard:")));
  }
}
