package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.provider.ModelNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages, help texts, examples and main code name models that exist, and no retired ones.
class NamesTest {
  private static final Pattern NAME =
      Pattern.compile(
          "(?<![\\w./-])(?:openai/)?(?:gpt-|claude-(?:opus|sonnet|haiku|fable|instant|\\d)"
              + "|gemini-\\d|gemma-?\\d|llama-?\\d|qwen-?\\d|mi[sx]tral-|deepseek-[rv]\\d|grok-\\d"
              + "|whisper-|text-embedding-|nomic-embed-|o\\d-(?:mini|pro))[\\w.:-]*"
              + "|(?<=\\b(?:openai|openai-realtime|anthropic|gemini|groq|ollama):)(?=[a-z][\\w.-]*\\d)[\\w./:-]+");

  private static final Set<String> TEXTS =
      Set.of("java", "toml", "md", "json", "jsonl", "html", "js", "css", "svg", "txt", "c", "rs");

  /// Where a name is only data: the place of the names, and the seed's cases.
  private static final Set<Path> DATA =
      Set.of(
          Path.of("agent/src/main/java/dev/switchboard/provider/ModelNames.java"),
          Path.of("harness/src/main/resources/vectors/cases.json"));

  private static List<Path> files() throws IOException {
    Path root = Repository.root();
    List<Path> places = new ArrayList<>();
    try (Stream<Path> top = Files.list(root)) {
      top.forEach(folder -> places.add(folder.resolve("src/main")));
    }
    places.add(root.resolve("README.md"));
    places.add(root.resolve("docs"));
    places.add(root.resolve("examples"));
    List<Path> files = new ArrayList<>();
    for (Path place : places) {
      if (Files.exists(place)) {
        try (Stream<Path> found = Files.walk(place)) {
          found.filter(NamesTest::isText).map(root::relativize).forEach(files::add);
        }
      }
    }
    files.removeIf(file -> file.startsWith("docs/decisions") || DATA.contains(file));
    return files;
  }

  private static boolean isText(Path file) {
    String name = String.valueOf(file.getFileName());
    return Files.isRegularFile(file) && TEXTS.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  private static Set<String> names(String line) {
    Set<String> names = new TreeSet<>();
    Matcher found = NAME.matcher(line);
    while (found.find()) {
      names.add(found.group().replaceFirst("[.:-]+$", ""));
    }
    return names;
  }

  /// What is wrong with a name, null if it may be shown.
  private static @Nullable String fault(String name) {
    if (ModelNames.isShown(name)) {
      return null;
    }
    String successor = ModelNames.successor(name);
    return successor == null
        ? "'%s' is not among those that are shown: add it to ModelNames".formatted(name)
        : "'%s' is retired: write '%s'".formatted(name, successor);
  }

  @Test
  void everyNameThatIsShownIsOfALivingModel() throws IOException {
    Set<String> seen = new TreeSet<>();
    List<String> faults = new ArrayList<>();
    for (Path file : files()) {
      List<String> lines = Files.readAllLines(Repository.file(file.toString()));
      for (int i = 0; i < lines.size(); i++) {
        for (String name : names(lines.get(i))) {
          seen.add(name);
          String fault = fault(name);
          if (fault != null) {
            faults.add("%s:%d: %s".formatted(file, i + 1, fault));
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(seen).contains(ModelNames.OPENAI, ModelNames.ANTHROPIC, ModelNames.REALTIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model = \"openai:gpt-4.1-mini\"",
        "of(\"gpt-4.1-mini\",",
        "to gpt-4.1-mini.",
        "`anthropic:claude-haiku-4-5`",
        "name = \"claude-haiku-4-5-20251001\"",
        "\"groq:llama-3.3-70b-versatile\"",
        "engine = \"openai-realtime:gpt-realtime\"",
        "/realtime?model=gpt-realtime-mini&x",
        "{\"model\":\"whisper-1\"}",
        "openai:o3"
      })
  void aRetiredNameIsFoundWithWhatReplacesIt(String line) {
    assertThat(names(line)).isNotEmpty();
    assertThat(names(line).stream().map(NamesTest::fault))
        .allSatisfy(fault -> assertThat(fault).contains("is retired: write"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"openai:gpt-9", "claude-opus-9", "ollama:phi4", "gemini-9-flash", "gpt-x"})
  void anUnknownNameIsFound(String line) {
    assertThat(names(line).stream().map(NamesTest::fault))
        .singleElement()
        .asString()
        .contains("add it to ModelNames");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "`openai:gpt-6-luna`.",
        "\"openai/gpt-oss-120b\"",
        "claude-code, claude-desktop, gemini-cli, llama.cpp, openai-realtime",
        "gpt-realtime-2.1, gpt-realtime-2.1-mini and so on",
        "http://ollama:11434, groq: Groq",
        "\"anthropic:thinking\", openai:none, Claude and GPT"
      })
  void otherWordsAreNot(String line) {
    assertThat(names(line).stream().map(NamesTest::fault)).allMatch(Objects::isNull);
  }
}
