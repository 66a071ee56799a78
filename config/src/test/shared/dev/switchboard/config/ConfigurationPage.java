package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `docs/reference/configuration.md`, and the records of which it shows the keys.
public final class ConfigurationPage {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final Pattern TOML = Pattern.compile("(?s)```toml\n(.*?)```");

  private ConfigurationPage() {}

  /// That record and those in it.
  public static List<Class<? extends Record>> tables(Class<? extends Record> keys) {
    return Stream.concat(Stream.of(keys), Arrays.stream(keys.getDeclaredClasses()))
        .filter(Class::isRecord)
        .<Class<? extends Record>>map(table -> table.asSubclass(Record.class))
        .toList();
  }

  /// Checks that the page has a row for each key of that record, in order.
  ///
  /// @param titles the heading of the table that each record is bound from, by its simple name
  public static void assertRows(Map<String, String> titles, Class<? extends Record> table)
      throws IOException {
    assertThat(titles).containsKey(table.getSimpleName());

    assertThat(rows(titles.get(table.getSimpleName()))).containsExactlyElementsOf(keys(table));
  }

  /// The keys of a table that is bound to that record, in the order of its components.
  public static List<String> keys(Class<? extends Record> table) {
    return Binder.keys(table);
  }

  /// The first column of the table below that heading.
  public static List<String> rows(String title) throws IOException {
    return ROW.matcher(section(title)).results().map(row -> row.group(1)).toList();
  }

  /// What is below that heading.
  public static String section(String title) throws IOException {
    return Arrays.stream(text().split("(?m)^## ", -1))
        .filter(part -> part.lines().findFirst().orElse("").equals(title))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no section " + title));
  }

  /// Its examples of files.
  public static List<String> examples() throws IOException {
    return TOML.matcher(text()).results().map(toml -> toml.group(1)).toList();
  }

  private static String text() throws IOException {
    return Files.readString(Repository.file("docs/reference/configuration.md"));
  }
}
