package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Holds `docs/reference/packages.md` to the classes that are there.
class PackagesPageTest {
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @TestFactory
  Stream<DynamicTest> everyClassIsInItsPackage() throws IOException {
    return Page.named("docs/reference/packages.md").rows().stream()
        .filter(row -> row.size() == 3 && row.get(1).startsWith("`"))
        .flatMap(PackagesPageTest::classes)
        .map(name ->
            DynamicTest.dynamicTest(
                name,
                () -> assertThat(Modifier.isPublic(Class.forName(name).getModifiers())).isTrue()));
  }

  private static Stream<String> classes(List<String> row) {
    String name = row.getFirst().replace("`", "");
    String home = "dev.switchboard." + (name.equals("root") ? "" : name + ".");
    return NAME.matcher(row.get(1)).results().map(found -> home + found.group(1));
  }
}
