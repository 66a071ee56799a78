package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Repository;
import dev.switchboard.server.Description.Operation;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Holds the pages of the server to what they show; with `-Dgolden.write=true` it writes their
/// tables and examples again.
class HttpPagesTest {
  private static final boolean WRITES = Boolean.getBoolean("golden.write");
  private static final Description DESCRIPTION = Description.read();
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "```http\n(\\w+) (\\S+)\n((?:.+\n)*)\n?((?:.+\n)*)```\n\n```text\n([^`]*)```");
  private static final Pattern CODE = Pattern.compile("(?m)^\\| `(\\w+)` \\| \\d");
  private static final Pattern JAVA = Pattern.compile("<!-- server -->\n\n?```java\n([^`]*)```");
  private static final Pattern TYPE = Pattern.compile("(?m)^(?:final )?class (\\w+)");

  @TempDir private Path folder;

  private static Path page(String name) {
    return Repository.file("docs").resolve(name);
  }

  private static void check(String name, String text) throws IOException {
    Path page = page(name);
    if (WRITES) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page)).isEqualTo(text);
  }

  @Test
  void listsEveryRoute() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# Routes of the server\n\nWritten from its [description](http.md), which every");
    text.append(
        " server has at `/openapi.json`. `roles` are those with which a token may use it.\n");
    for (JsonNode tag : DESCRIPTION.root().path("tags")) {
      String name = tag.path("name").stringValue();
      text.append("\n## ").append(name).append("\n\n");
      text.append(tag.path("description").stringValue());
      text.append("\n\n| route | does | roles |\n|---|---|---|\n");
      for (Operation one : DESCRIPTION.operations()) {
        if (one.json().at("/tags/0").stringValue().equals(name)) {
          text.append(
              "| `%s` | %s | %s |\n".formatted(one.name(), one.text("summary"), roles(one)));
        }
      }
    }
    check("reference/http-routes.md", text.toString());
  }

  private static String roles(Operation operation) {
    List<String> roles =
        operation.json().path("x-roles").valueStream().map(JsonNode::stringValue).toList();
    return roles.isEmpty() ? "everyone" : String.join(", ", roles);
  }

  @Test
  void showsWhatIsAnswered() throws IOException {
    String text = Files.readString(page("reference/http.md"));
    try (TestServer server =
        new TestServer(Tool.dynamic("get_table").handler(arguments -> "T4 is free"))) {
      server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\"}");
      String now = EXAMPLE.matcher(text).replaceAll(found -> quoted(answered(server, found)));
      check("reference/http.md", now);
    }
    assertThat(EXAMPLE.matcher(text).results().count()).isGreaterThanOrEqualTo(4);
  }

  private static String quoted(String text) {
    return java.util.regex.Matcher.quoteReplacement(text);
  }

  private static String answered(TestServer server, MatchResult found) {
    if (server.model.requests().size() % 2 == 0) {
      server.model.calls("get_table", "{}").says("Yes, T4 is free.");
    }
    HttpRequest.Builder request = server.zoe.request(found.group(2));
    found
        .group(3)
        .lines()
        .map(line -> line.split(": ", 2))
        .forEach(header -> request.header(header[0], header[1]));
    String body = found.group(4);
    String answer =
        server
            .zoe
            .send(request.method(found.group(1), BodyPublishers.ofString(body)).build())
            .text()
            .replaceAll("chatcmpl-[\\w-]+", "chatcmpl-1")
            .replaceAll("\"created\":\\d+", "\"created\":1760000000");
    String shown = found.group(0).substring(0, found.group(0).lastIndexOf("```text\n"));
    return shown + "```text\n" + answer.stripTrailing() + "\n```";
  }

  @Test
  void explainsEveryCode() throws IOException {
    Set<String> explained = new TreeSet<>();
    CODE.matcher(Files.readString(page("reference/http.md")))
        .results()
        .forEach(found -> explained.add(found.group(1)));
    Set<String> codes = new TreeSet<>();
    DESCRIPTION
        .root()
        .at("/components/schemas/Problem/properties/code/enum")
        .forEach(code -> codes.add(code.stringValue()));
    assertThat(explained).isEqualTo(codes);
  }

  @Test
  void showsJavaThatCompiles() throws IOException {
    List<JavaFileObject> sources = new ArrayList<>();
    for (MatchResult found :
        JAVA.matcher(Files.readString(page("how-to/serve.md"))).results().toList()) {
      sources.add(new Source(found.group(1)));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> faults = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "--release",
            "21",
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString());
    assertThat(sources).isNotEmpty();
    compiler.getTask(null, null, faults, options, null, sources).call();
    assertThat(faults.getDiagnostics().stream().map((Diagnostic<?> fault) -> fault.toString()))
        .isEmpty();
  }

  /// A file of a page.
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(
          java.net.URI.create(
              "page:///"
                  + TYPE.matcher(text).results().findFirst().orElseThrow().group(1)
                  + ".java"),
          Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
