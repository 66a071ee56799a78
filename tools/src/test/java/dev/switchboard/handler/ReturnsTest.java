package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The type of a typed tool's answers, held by the compiler.
class ReturnsTest {
  record In(String city) {}

  record Out(float temperature, int humidity) {}

  @TempDir Path folder;

  private static String answer(Tool tool) {
    return String.valueOf(
        ToolExecutor.of(tool).execute(ToolCall.of("weather", "{\"city\":\"Oslo\"}")).text());
  }

  @Test
  void takesHandlersOfThatType() {
    String answer = "{\"temperature\":3.5,\"humidity\":80}";
    var weather = Tool.typed("weather", In.class).returns(Out.class).description("How it is.");
    var later = Tool.typed("weather", In.class).returnsLater(Out.class);

    assertThat(answer(weather.handler(in -> new Out(3.5f, 80)))).isEqualTo(answer);
    assertThat(answer(weather.handler((in, context) -> new Out(3.5f, 80)))).isEqualTo(answer);
    assertThat(answer(weather.handler(in -> null))).isEqualTo("null");
    assertThat(answer(later.handler(in -> CompletableFuture.completedFuture(new Out(3.5f, 80)))))
        .isEqualTo(answer);
    assertThat(
            answer(
                later.handler((in, context) -> CompletableFuture.supplyAsync(() -> new Out(1, 2)))))
        .isEqualTo("{\"temperature\":1.0,\"humidity\":2}");
    assertThat(later.handler(in -> null).definition().output())
        .isEqualTo(weather.handler(in -> null).definition().output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "returns(Out.class).handler(in -> new Out(1, 2))",
        "returns(Out.class).handler((in, context) -> new Out(1, 2))",
        "returnsLater(Out.class).handler(in -> CompletableFuture.completedFuture(new Out(1, 2)))",
        "returns(Number.class).handler(in -> 7)",
        "handler(in -> \"anything\")"
      })
  void compiles(String rest) {
    assertThat(faults(rest)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "returns(Out.class).handler(in -> \"a plain string, not an Out\")",
        "returns(Out.class).handler((in, context) -> \"a plain string, not an Out\")",
        "returns(Out.class).timeout(Duration.ofSeconds(1)).handler(in -> Map.of())",
        "returns(Out.class).handler(in -> CompletableFuture.completedFuture(new Out(1, 2)))",
        "returnsLater(Out.class).handler(in -> new Out(1, 2))",
        "returnsLater(Out.class).handler(in -> CompletableFuture.completedFuture(\"text\"))"
      })
  void doesNotCompileWithAnAnswerOfAnotherType(String rest) {
    assertThat(faults(rest)).isNotEmpty().allMatch(fault -> fault.contains("incompatible"));
  }

  /// What the compiler says to a typed tool that ends so.
  private List<String> faults(String rest) {
    String source =
        """
        import dev.switchboard.handler.Tool;
        import java.time.Duration;
        import java.util.Map;
        import java.util.concurrent.CompletableFuture;
        class Weather {
          record In(String city) {}
          record Out(float temperature, int humidity) {}
          Tool tool = Tool.typed("weather", In.class).%s;
        }
        """
            .formatted(rest);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("test:///Weather.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString());
    boolean unused =
        ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, found, options, null, List.of(file))
            .call();
    return found.getDiagnostics().stream()
        .filter(fault -> fault.getKind() == Diagnostic.Kind.ERROR)
        .map(fault -> fault.getMessage(Locale.ROOT))
        .toList();
  }
}
