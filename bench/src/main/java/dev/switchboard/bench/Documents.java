package dev.switchboard.bench;

import dev.switchboard.config.AgentFile;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An agent's file that names an OpenAPI document of a thousand operations, in a process that has
/// just started and in one that is warm, beside the reading of the document's JSON alone.
final class Documents {
  private static final int OPERATIONS = 1_000;

  private final Path agent;
  private final Path document;

  private Documents(Path folder) throws IOException {
    document = Files.writeString(folder.resolve("document.json"), document());
    agent =
        Files.writeString(
            folder.resolve("agent.toml"),
            "[[agent.openapi]]\nfile = \"document.json\"\nauth = { key = \"k\" }\n");
  }

  /// A process that reads the file of that kind and ends.
  static final class Once {
    private Once() {}

    public static void main(String[] args) throws IOException {
      read(Path.of(args[0]));
    }
  }

  private static void read(Path file) throws IOException {
    int found =
        file.toString().endsWith(".toml")
            ? AgentFile.read(file).tools().size()
            : Json.text(Files.readString(file)).tree().path("paths").size();
    if (found != OPERATIONS) {
      throw new IllegalStateException(found + " operations, not " + OPERATIONS);
    }
  }

  static List<Row> run(boolean quick) throws Exception {
    Path folder = Files.createTempDirectory("benchmark");
    Documents documents = new Documents(folder);
    try {
      Row cold =
          new Duel("%,.0f", 1, quick ? 3 : 11)
              .row(
                  "1,000 operations made tools by a process that starts / their JSON read: ms",
                  () -> process(documents.agent),
                  () -> process(documents.document));
      Row warm =
          new Duel("%,.0f", 10, quick ? 5 : 21)
              .row(
                  "1,000 operations made tools / their JSON read: ms",
                  () -> here(documents.agent),
                  () -> here(documents.document));
      return List.of(cold, warm);
    } finally {
      Files.delete(documents.agent);
      Files.delete(documents.document);
      Files.delete(folder);
    }
  }

  private static double here(Path file) throws IOException {
    long start = System.nanoTime();
    read(file);
    return (System.nanoTime() - start) / 1e6;
  }

  private static double process(Path file) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Once.class.getName(),
                file.toString())
            .redirectError(Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the file was not read");
    }
    return (System.nanoTime() - start) / 1e6;
  }

  /// Operations with parameters in several places, and bodies that share definitions.
  private static String document() {
    StringBuilder paths = new StringBuilder();
    for (int i = 0; i < OPERATIONS; i++) {
      paths.append(i == 0 ? "" : ",").append(i % 2 == 0 ? reading(i) : writing(i));
    }
    return """
    {"openapi":"3.0.3","info":{"title":"Many","version":"1"},"servers":[{"url":"https://api.example.com/v1"}],
    "security":[{"key":[]}],"paths":{%s},"components":{
    "securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"}},
    "schemas":{
    "Address":{"type":"object","required":["city"],"properties":{"city":{"type":"string","maxLength":200},"zip":{"type":"string","pattern":"^[0-9]{5}$","nullable":true}}},
    "Line":{"type":"object","properties":{"id":{"type":"integer","readOnly":true},"sku":{"type":"string"},"count":{"type":"integer","minimum":0,"exclusiveMinimum":true},"parts":{"type":"array","items":{"$ref":"#/components/schemas/Line"}}}},
    "Order":{"allOf":[{"$ref":"#/components/schemas/Line"},{"type":"object","required":["sku"],"properties":{"to":{"$ref":"#/components/schemas/Address"},"due":{"type":"string","format":"date"}}}]}}}}\
    """
        .formatted(paths);
  }

  private static String reading(int i) {
    return """
    "/things%1$d/{id}":{"get":{"operationId":"things/get-%1$d","summary":"Reads the %1$d-th thing","description":"Answers what is known of it.",
    "parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},
    {"name":"fields","in":"query","explode":false,"schema":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}},
    {"name":"page","in":"query","schema":{"type":"integer","minimum":1,"maximum":100,"default":1}}],
    "responses":{"200":{"description":"It","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}}}}}\
    """
        .formatted(i);
  }

  private static String writing(int i) {
    return """
    "/orders%1$d":{"post":{"operationId":"orders/create-%1$d","summary":"Places an order of kind %1$d",
    "requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},
    "responses":{"201":{"description":"It","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}}}}}\
    """
        .formatted(i);
  }
}
