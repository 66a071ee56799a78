package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Annotations of other libraries as each of their versions declares them: what a version lacks has
/// its default.
class AnnotationVersionsTest {
  private static final String NAME = "String name() default \"\";";
  private static final String WORDS = "String[] value() default \"\";";
  private static final String RETURNS =
      "ReturnBehavior returnBehavior() default ReturnBehavior.TO_LLM;";
  private static final String METADATA = "String metadata() default \"{}\";";
  private static final String SEARCH =
      "SearchBehavior searchBehavior() default SearchBehavior.SEARCHABLE;";
  private static final String REQUIRED = "boolean required() default true;";
  private static final String NAMED =
      NAME + "String description() default \"\"; String value() default \"\";" + REQUIRED;
  private static final String DEFAULT = "String defaultValue() default \"<none>\";";
  private static final String FIRST = "String value();" + REQUIRED;

  /// @param tool the members of LangChain4j's `@Tool`
  /// @param p the members of its `@P`
  record Version(String name, String tool, String p) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Version> versions() {
    return Stream.of(
        new Version("1.0 to 1.3", NAME + WORDS, FIRST),
        new Version("1.4 to 1.9", NAME + WORDS + RETURNS, FIRST),
        new Version("1.10 and 1.11", NAME + WORDS + RETURNS + METADATA, FIRST),
        new Version("1.12", NAME + WORDS + RETURNS + SEARCH + METADATA, FIRST),
        new Version("1.13 and 1.14", NAME + WORDS + RETURNS + SEARCH + METADATA, NAMED),
        new Version("1.15 and later", NAME + WORDS + RETURNS + SEARCH + METADATA, NAMED + DEFAULT),
        new Version(
            "one that is still to come",
            NAME + WORDS + RETURNS + "int added() default 1;",
            NAMED + DEFAULT + "String[] added() default {};"),
        new Version("one with less", WORDS, "String value();"));
  }

  @TempDir private Path folder;

  private Object compiled(Map<String, String> sources, String type) throws Exception {
    List<JavaFileObject> files =
        sources.entrySet().stream().map(each -> source(each.getKey(), each.getValue())).toList();
    String path = System.getProperty("java.class.path");
    List<String> options =
        List.of("-proc:none", "-parameters", "-classpath", folder + ":" + path, "-d", "" + folder);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, options, null, files)
                .call())
        .isTrue();
    return new Ahead(folder).loadClass(type).getDeclaredConstructor().newInstance();
  }

  private static JavaFileObject source(String type, String text) {
    return new SimpleJavaFileObject(
        URI.create("test:///" + type.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /// Finds the compiled classes before those of the library that the tests have.
  private static final class Ahead extends URLClassLoader {
    Ahead(Path folder) throws IOException {
      super(new URL[] {folder.toUri().toURL()}, Ahead.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        boolean ours = findResource(name.replace('.', '/') + ".class") != null;
        return ours ? findClass(name) : super.loadClass(name, resolve);
      }
    }
  }

  private static String annotation(String pack, String name, String members) {
    return "package %s; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface %s { %s }"
        .formatted(pack, name, members);
  }

  private static Map<String, String> langchain4j(Version version, String method) {
    String pack = "dev.langchain4j.agent.tool";
    return Map.of(
        pack + ".Tool",
        annotation(pack, "Tool", version.tool),
        pack + ".P",
        annotation(pack, "P", version.p),
        pack + ".ReturnBehavior",
        "package " + pack + "; public enum ReturnBehavior { TO_LLM, IMMEDIATE }",
        pack + ".SearchBehavior",
        "package " + pack + "; public enum SearchBehavior { SEARCHABLE, ALWAYS_VISIBLE }",
        "Calc",
        "import dev.langchain4j.agent.tool.*; public class Calc { " + method + " }");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void ofLangchain4jAreRead(Version version) throws Exception {
    String optional = version.p.contains("required") ? ", required = false" : "";
    Object calc =
        compiled(
            langchain4j(
                version,
                ("@Tool(\"Adds two numbers.\") public int add(@P(\"The first\") int a, @P(value ="
                        + " \"The second\"%s) Integer b) { return a + (b == null ? 0 : b); }")
                    .formatted(optional)),
            "Calc");
    Tool tool = Tools.of(calc).getFirst();
    assertThat(tool.definition().name()).isEqualTo("add");
    assertThat(tool.definition().description()).isEqualTo("Adds two numbers.");
    assertThat(tool.definition().parameters().text())
        .contains("\"The first\"", "\"The second\"")
        .contains(optional.isEmpty() ? "\"required\":[\"a\",\"b\"]" : "\"required\":[\"a\"]")
        .doesNotContain("default");
    assertThat(
            ToolExecutor.of(tool)
                .execute(ToolCall.of("add", optional.isEmpty() ? "{\"a\":1,\"b\":2}" : "{\"a\":1}"))
                .text())
        .isEqualTo(optional.isEmpty() ? "3" : "1");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void whatIsNotFollowedIsStillAnError(Version version) throws Exception {
    if (version.tool.contains("returnBehavior")) {
      Object calc =
          compiled(
              langchain4j(
                  version,
                  "@Tool(value = \"Adds.\", returnBehavior = ReturnBehavior.IMMEDIATE) public int"
                      + " add(int a) { return a; }"),
              "Calc");
      assertThatThrownBy(() -> Tools.of(calc)).hasMessageContaining("returnBehavior");
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void defaultsAreReadWhereTheyCanBeStated(Version version) throws Exception {
    if (version.p.contains("defaultValue")) {
      Object calc =
          compiled(
              langchain4j(
                  version,
                  "@Tool(\"Adds.\") public int add(@P(name = \"n\", description = \"d\","
                      + " defaultValue = \"4\") int a) { return a; }"),
              "Calc");
      assertThat(ToolExecutor.of(Tools.of(calc)).execute(ToolCall.of("add", "{}")).text())
          .isEqualTo("4");
    }
  }

  static Stream<String> springAi() {
    return Stream.of(
        "String name() default \"\"; String description() default \"\"; boolean returnDirect()"
            + " default false;",
        "String name() default \"\"; String description() default \"\";",
        "String description() default \"\";");
  }

  @ParameterizedTest
  @MethodSource("springAi")
  void ofSpringAiAreRead(String members) throws Exception {
    String pack = "org.springframework.ai.tool.annotation";
    Object calc =
        compiled(
            Map.of(
                pack + ".Tool",
                annotation(pack, "Tool", members),
                pack + ".ToolParam",
                annotation(pack, "ToolParam", "String description() default \"\";"),
                "Calc",
                "import org.springframework.ai.tool.annotation.*; public class Calc {"
                    + " @Tool(description = \"Doubles.\") public int twice(@ToolParam(description ="
                    + " \"The number\") int a) { return 2 * a; } }"),
            "Calc");
    Tool tool = Tools.of(calc).getFirst();
    assertThat(tool.definition().description()).isEqualTo("Doubles.");
    assertThat(ToolExecutor.of(tool).execute(ToolCall.of("twice", "{\"a\":2}")).text())
        .isEqualTo("4");
  }
}
