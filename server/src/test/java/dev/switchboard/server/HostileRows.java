package dev.switchboard.server;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The rows of a table of the page of hostile requests, as far as the test has parameters.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(HostileRows.OfPage.class)
public @interface HostileRows {
  /// Under which heading the table is.
  String value();

  /// Whether characters stand there as in Java.
  boolean escaped() default false;

  /// Reads the page.
  final class OfPage implements ArgumentsProvider, AnnotationConsumer<HostileRows> {
    private static final Pattern UNICODE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private String heading = "";
    private boolean escaped;

    @Override
    public void accept(HostileRows rows) {
      heading = rows.value();
      escaped = rows.escaped();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) throws IOException {
      String page = Files.readString(Repository.file("docs/reference/hostile-requests.md"));
      String part = page.split("\n## " + Pattern.quote(heading) + "\n", 2)[1].split("\n## ", 2)[0];
      List<String> rows = part.lines().filter(line -> line.startsWith("| ")).skip(1).toList();
      return rows.stream().map(row -> arguments(row, parameters.getAll().size()));
    }

    private Arguments arguments(String row, int count) {
      String[] cells = row.substring(2, row.length() - 2).split(" \\| ", -1);
      return Arguments.of(Arrays.stream(cells).limit(count).map(this::read).toArray(Object[]::new));
    }

    private String read(String cell) {
      String text = cell.equals("nothing") ? "" : cell.replaceAll("^`|`$", "");
      return escaped
          ? UNICODE
              .matcher(text)
              .replaceAll(found ->
                  Matcher.quoteReplacement(
                      Character.toString(Integer.parseInt(found.group(1), 16))))
              .translateEscapes()
          : text;
    }
  }
}
