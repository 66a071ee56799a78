package dev.switchboard.mcp;

import dev.switchboard.config.ConfigurationPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/configuration.md` says of `agent.mcp` what its reader knows.
class McpKeysDocsTest {
  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.of(
          "McpKeys", "`agent.mcp`",
          "OAuth", "`agent.mcp.oauth`",
          "Sampling", "`agent.mcp.sampling`");

  static List<Class<? extends Record>> tables() {
    return ConfigurationPage.tables(McpKeys.class);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<? extends Record> table) throws IOException {
    ConfigurationPage.assertRows(TITLES, table);
  }
}
