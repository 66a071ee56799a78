package dev.switchboard.config.tool;

import dev.switchboard.config.ConfigurationPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/configuration.md` says of tools what their reader knows.
class ToolKeysDocsTest {
  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.of(
          "ToolKeys", "`tools`",
          "Http", "`http`",
          "Retry", "`retry`",
          "Breaker", "`breaker`",
          "Reassurance", "`reassurance`",
          "Defaults", "`agent.defaults`");

  static List<Class<? extends Record>> tables() {
    return ConfigurationPage.tables(ToolKeys.class);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<? extends Record> table) throws IOException {
    ConfigurationPage.assertRows(TITLES, table);
  }
}
