package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Texts of which it is known what guardrails should find in them, and the guardrails.
final class Corpus {
  /// Values that must not leave.
  static final List<String> SECRETS =
      List.of(
          "s3cr3t-value-of-test",
          "p@ss/word+1=2",
          "sk-test-51H8example00",
          "correct horse battery");

  private static final String FILE = "/guardrails/corpus.jsonl";

  private Corpus() {}

  /// One text.
  ///
  /// @param finds the checks that should find something, one for each part
  /// @param what the parts that must be found as a whole, empty where any finding will do
  record Sample(String text, Guardrail.Place on, List<String> finds, List<String> what) {
    boolean harmless() {
      return finds.isEmpty();
    }

    /// Whether the check has found all that it should.
    boolean caught(Guardrail.Finder finder, String check) {
      List<Span> found = spans(finder, text);
      if (found.isEmpty()) {
        return false;
      }
      for (int i = 0; i < what.size(); i++) {
        int start = text.indexOf(what.get(i));
        int end = start + what.get(i).length();
        if (finds.get(i).equals(check)
            && found.stream().noneMatch(span -> span.start() <= start && span.end() >= end)) {
          return false;
        }
      }
      return true;
    }
  }

  static List<Sample> all() {
    try (InputStream in = Objects.requireNonNull(Corpus.class.getResourceAsStream(FILE))) {
      JsonMapper mapper = new JsonMapper();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> sample(mapper.readTree(line)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Sample sample(JsonNode line) {
    String on = line.path("on").asString();
    return new Sample(
        line.path("text").asString(),
        Guardrail.Place.valueOf(on.toUpperCase(java.util.Locale.ROOT)),
        words(line.path("finds")),
        words(line.path("what")));
  }

  private static List<String> words(JsonNode array) {
    List<String> words = new ArrayList<>();
    array.forEach(each -> words.add(each.asString()));
    return words;
  }

  /// The built-in checks by their names, made as users make them.
  static Map<String, Guardrail> rails() {
    Map<String, Guardrail> rails = new TreeMap<>();
    for (Known known : Known.values()) {
      rails.put(known.word(), Guardrail.known(known).redact().on(Guardrail.Place.OUTPUT));
    }
    rails.put("words", Guardrail.words("words", "guarantee", "root password").redact());
    rails.put("pattern", Guardrail.pattern("pattern", "ORD-[0-9]{6}").redact());
    rails.put("links_outside", Guardrail.linksOutside("links_outside", "example.com"));
    return rails;
  }

  static Guards guards(Guardrail... rails) {
    return Guards.of(List.of(rails), null, SECRETS, Time.SYSTEM);
  }

  static Guardrail.Finder finder(Guardrail rail) {
    return guards(rail).at(Guardrail.Place.OUTPUT).getFirst().finder();
  }

  static List<Span> spans(Guardrail.Finder finder, String text) {
    try {
      return finder.find(text);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
