package dev.switchboard.config.rule;

import dev.switchboard.config.ConfigurationPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/configuration.md` says of rules what their reader knows.
class RuleKeysDocsTest {
  /// The heading of the table that each record is bound from.
  private static final Map<String, String> TITLES =
      Map.of(
          "RuleKeys", "`agent.tool_rules`",
          "RuleType", "`rule_type`",
          "StartConstraint", "`StartConstraint`",
          "Children", "`Child` and `Parent`",
          "Conditional", "`Conditional`",
          "RequiresConsent", "`RequiresConsent`");

  static List<Class<? extends Record>> tables() {
    return ConfigurationPage.tables(RuleKeys.class);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachKeyHasItsRow(Class<? extends Record> table) throws IOException {
    ConfigurationPage.assertRows(TITLES, table);
  }
}
