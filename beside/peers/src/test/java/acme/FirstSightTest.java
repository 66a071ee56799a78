package acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.ai.tool.ToolCallback;
import tools.jackson.databind.JsonNode;

/// The table of a page that says what three libraries make of the same tools: each cell is measured
/// here. `-Dgolden.write=true` writes it.
class FirstSightTest {
  private static final Path PAGE = Path.of("../../docs/coming-from.md");
  private static final String HEAD = "| the parameter ";

  private static final List<Library> LIBRARIES =
      List.of(
          new Library.Switchboard(new LangChain4jTools()),
          new Library.LangChain4j(new LangChain4jTools()),
          new Library.SpringAi(new SpringAiTools()));

  private static final String FAULTY =
      """
      {"booking":{"table":4,"date":"tomorrow","guests":"two","area":"ROOF","dogs":"maybe"}}
      """;

  private static String row(String what, Function<Library, String> cell) {
    return LIBRARIES.stream()
        .map(cell)
        .collect(Collectors.joining(" | ", "| " + what + " | ", " |"));
  }

  /// What a model is told of a parameter, in words.
  private static String words(JsonNode schema) {
    for (String either : List.of("oneOf", "anyOf")) {
      if (schema.has(either)) {
        return "either of " + schema.get(either).size() + " objects";
      }
    }
    JsonNode type = schema.get("type");
    String words = (type.stringValue().equals("object") ? "an " : "a ") + type.stringValue();
    if (schema.has("format")) {
      return words + " in the format `" + schema.get("format").stringValue() + "`";
    }
    if (schema.path("additionalProperties").has("type")) {
      return words + " of " + schema.get("additionalProperties").get("type").stringValue() + "s";
    }
    List<String> names =
        schema.path("properties").properties().stream().map(java.util.Map.Entry::getKey).toList();
    return names.isEmpty() ? words : words + " of " + String.join(", ", names);
  }

  /// A payment in the form that the library's own schema asks for.
  private static String cash(Library library) {
    for (JsonNode form : library.parameter("pay").findValues("properties")) {
      if (!form.has("number") && form.has("type")) {
        JsonNode type = form.get("type");
        JsonNode word = type.has("const") ? type.get("const") : type.get("enum").get(0);
        return "{\"payment\":{\"type\":" + word + ",\"cents\":500}}";
      }
    }
    return "{\"payment\":{\"cents\":500}}";
  }

  /// A day in the form that the library's own schema asks for.
  private static String day(Library library) {
    boolean parts = library.parameter("free").has("properties");
    return parts
        ? "{\"date\":{\"year\":2026,\"month\":3,\"day\":14}}"
        : "{\"date\":\"2026-03-14\"}";
  }

  private static String outcome(Library library, String tool, String arguments) {
    try {
      String text = library.call(tool, arguments);
      return text.contains("invalid_arguments") ? "refused" : "runs";
    } catch (RuntimeException e) {
      return "an exception";
    }
  }

  /// How many of the five faults whoever reads the answer learns.
  private static String faults(Library library) {
    String text;
    String by = "";
    try {
      text = library.call("book", FAULTY);
    } catch (RuntimeException e) {
      text = String.valueOf(e.getMessage());
      by = ", in an exception";
    }
    String told = text.toLowerCase(Locale.ROOT);
    long named =
        Stream.of("table", "date", "guests", "area", "dogs")
            .filter(name -> told.contains("/" + name) || told.contains("\"" + name + "\""))
            .count();
    return Math.max(named, by.isEmpty() ? 0 : 1) + by;
  }

  private static List<String> table() {
    List<String> table = new ArrayList<>();
    table.add(
        HEAD
            + "| Switchboard | LangChain4j "
            + Library.version(ToolSpecification.class)
            + " | Spring AI "
            + Library.version(ToolCallback.class)
            + " |");
    table.add("|---|---|---|---|");
    table.add(row("`LocalDate`, as a model is told", one -> words(one.parameter("free"))));
    table.add(row("a call in that form", one -> outcome(one, "free", day(one))));
    table.add(
        row(
            "a call with `\"2026-03-14\"`",
            one -> outcome(one, "free", "{\"date\":\"2026-03-14\"}")));
    table.add(
        row(
            "a sealed interface of two records, as a model is told",
            one -> words(one.parameter("pay"))));
    table.add(row("a call with one of the two", one -> outcome(one, "pay", cash(one))));
    table.add(
        row("`Map<String, Integer>`, as a model is told", one -> words(one.parameter("count"))));
    table.add(row("five faults in a record: how many are named", FirstSightTest::faults));
    return table;
  }

  @Test
  void thePageShowsWhatThreeLibrariesDo() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    int from = 0;
    while (!lines.get(from).startsWith(HEAD)) {
      from++;
    }
    int to = from;
    while (lines.get(to).startsWith("|")) {
      to++;
    }
    List<String> table = table();
    if (Boolean.getBoolean("golden.write")) {
      lines.subList(from, to).clear();
      lines.addAll(from, table);
      Files.write(PAGE, lines);
    } else {
      assertThat(lines.subList(from, to)).isEqualTo(table);
    }
  }
}
