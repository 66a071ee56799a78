package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.DocumentedAgent;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Holds every page to what it shows: CONTRIBUTING.md says how a block is read.
class DocsTest {
  private static final Pattern AGENTS_TABLE =
      Pattern.compile("(?m)^\\[(\\[(tools|agent\\.tool_rules|agent\\.mcp)]|phone)]");

  @TempDir private static Path folder;
  private static List<Page> pages;
  private static List<Example> examples;
  private static Compiled compiled;

  @BeforeAll
  static void compilesEveryJavaBlock() throws IOException {
    pages = Page.all();
    examples = pages.stream().flatMap(page -> Example.of(page).stream()).toList();
    compiled = Compiled.of(examples, folder);
  }

  @AfterAll
  static void close() throws IOException {
    if (compiled != null) {
      compiled.close();
    }
  }

  @Test
  void readsTheReadmeAndTheTutorial() {
    assertThat(examples.stream().map(Example::place))
        .anyMatch(place -> place.startsWith("README.md"))
        .anyMatch(place -> place.startsWith("docs/tutorial/"));
  }

  @TestFactory
  Stream<DynamicTest> printsWhatThePageSays() {
    return examples.stream()
        .flatMap(example ->
            example.outputs().stream()
                .map(output ->
                    DynamicTest.dynamicTest(
                        output.block().place(),
                        () ->
                            assertThat(compiled.run(example.className(output.block())))
                                .isEqualTo(output.text()))));
  }

  @TestFactory
  Stream<DynamicTest> passesTheTestsThatThePagesHold() throws ClassNotFoundException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Example example : examples) {
      for (String name : example.files().keySet()) {
        Class<?> type = compiled.load(name);
        Stream.of(type.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .forEach(method -> tests.add(test(example, method)));
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private static DynamicTest test(Example example, Method method) {
    return DynamicTest.dynamicTest(
        example.place() + " " + method.getName(),
        () -> {
          var constructor = method.getDeclaringClass().getDeclaredConstructor();
          constructor.setAccessible(true);
          method.setAccessible(true);
          method.invoke(constructor.newInstance());
        });
  }

  @Test
  void agentFilesHaveNoErrors() throws IOException {
    List<Block> agents =
        blocks()
            .filter(block -> block.is("toml") && !block.ofOtherModule())
            .filter(block -> AGENTS_TABLE.matcher(block.text()).find())
            .toList();

    assertThat(agents).isNotEmpty();
    for (Block agent : agents) {
      assertThat(DocumentedAgent.errors(folder, agent.text())).as(agent.place()).isEmpty();
    }
  }

  @Test
  void jsonIsJson() {
    assertThat(blocks().filter(block -> block.is("json") && !isJson(block)).map(Block::place))
        .isEmpty();
  }

  private static boolean isJson(Block block) {
    return parses(block.text()) || block.lines().stream().allMatch(DocsTest::parses);
  }

  private static boolean parses(String text) {
    try {
      Json.text(text).check();
      return true;
    } catch (JsonException e) {
      return false;
    }
  }

  @Test
  void linksResolve() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Page page : pages) {
      broken.addAll(page.brokenLinks());
    }
    assertThat(broken).isEmpty();
  }

  private static Stream<Block> blocks() {
    return pages.stream().flatMap(page -> page.blocks().stream());
  }
}
