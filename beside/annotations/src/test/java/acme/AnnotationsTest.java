package acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.Tools;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A class is compiled against the jar of each version, and read with that jar alone.
class AnnotationsTest {
  private static final Path VERSIONS = Path.of(System.getProperty("versions"));
  private static final Path PAGE = Path.of("../../docs/how-to/tools-from-methods.md");
  private static final Pattern RANGE =
      Pattern.compile(
          "LangChain4j (\\d+\\.\\d+) to (\\d+\\.\\d+) and Spring AI (\\d+\\.\\d+) to"
              + " (\\d+\\.\\d+)");
  private static final Pattern JAR = Pattern.compile(".*-(\\d+)\\.(\\d+)\\.\\d+\\.jar");

  private static final String LANGCHAIN4J =
      """
      import dev.langchain4j.agent.tool.*;
      public class Calc {
        @Tool("Adds two numbers.")
        public int add(@P("The first") int a, @P(value = "The second", required = false) Integer b) {
          return a + (b == null ? 0 : b);
        }
      }
      """;
  private static final String SPRING_AI =
      """
      import org.springframework.ai.tool.annotation.*;
      public class Calc {
        @Tool(description = "Adds two numbers.")
        public int add(
            @ToolParam(description = "The first") int a,
            @ToolParam(description = "The second", required = false) Integer b) {
          return a + (b == null ? 0 : b);
        }
      }
      """;

  @TempDir private Path folder;

  private static List<Path> jars(String artifact) throws IOException {
    try (Stream<Path> files = Files.list(VERSIONS)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(artifact + "-"))
          .sorted(Comparator.comparingInt(AnnotationsTest::number))
          .toList();
    }
  }

  private static int number(Path jar) {
    Matcher version = version(jar);
    return 1_000 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2));
  }

  private static Matcher version(Path jar) {
    Matcher version = JAR.matcher(jar.getFileName().toString());
    assertThat(version.matches()).as(jar.toString()).isTrue();
    return version;
  }

  static List<Path> langchain4j() throws IOException {
    return jars("langchain4j-core");
  }

  static List<Path> springAi() throws IOException {
    return jars("spring-ai-model");
  }

  @ParameterizedTest
  @MethodSource("langchain4j")
  void ofLangchain4jAreRead(Path jar) throws Exception {
    assertThatItIsRead(jar, "dev.langchain4j.agent.tool.Tool", LANGCHAIN4J);
  }

  @ParameterizedTest
  @MethodSource("springAi")
  void ofSpringAiAreRead(Path jar) throws Exception {
    assertThatItIsRead(jar, "org.springframework.ai.tool.annotation.Tool", SPRING_AI);
  }

  private void assertThatItIsRead(Path jar, String annotation, String source) throws Exception {
    compile(jar, source);
    URL[] urls = {folder.toUri().toURL(), jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      assertThat(loader.loadClass(annotation).getProtectionDomain().getCodeSource().getLocation())
          .isEqualTo(jar.toUri().toURL());
      List<Tool> tools = Tools.of(loader.loadClass("Calc").getDeclaredConstructor().newInstance());

      assertThat(tools).hasSize(1);
      assertThat(tools.getFirst().definition().name()).isEqualTo("add");
      assertThat(tools.getFirst().definition().description()).isEqualTo("Adds two numbers.");
      assertThat(tools.getFirst().definition().parameters().text())
          .contains("\"The first\"", "\"The second\"", "\"required\":[\"a\"]");
      assertThat(ToolExecutor.of(tools).execute(ToolCall.of("add", "{\"a\":1}")).text())
          .isEqualTo("1");
    }
  }

  private void compile(Path jar, String text) {
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("test:///Calc.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    List<String> options =
        List.of("-proc:none", "-parameters", "-classpath", "" + jar, "-d", "" + folder);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, options, null, List.of(source))
                .call())
        .isTrue();
  }

  @Test
  void thePageNamesTheseVersions() throws IOException {
    Matcher range = RANGE.matcher(Files.readString(PAGE).replaceAll("\\s+", " "));
    assertThat(range.find()).isTrue();
    assertThat(range.toMatchResult())
        .returns(minor(langchain4j().getFirst()), result -> result.group(1))
        .returns(minor(langchain4j().getLast()), result -> result.group(2))
        .returns(minor(springAi().getFirst()), result -> result.group(3))
        .returns(minor(springAi().getLast()), result -> result.group(4));
  }

  private static String minor(Path jar) {
    Matcher version = version(jar);
    return version.group(1) + "." + version.group(2);
  }
}
