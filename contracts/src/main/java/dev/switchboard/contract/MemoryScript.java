package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.MemoryHand.Outcome;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryStore;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Cases about memory and messages, done through a store: what is `given`, then the phrases of
/// `when` one after the other, then each member of `expect`. An unknown phrase or member fails.
public final class MemoryScript {
  private static final String BEYOND = "replace nth|regex .*|patch|edit a line range|nth '.*'";
  private static final List<Phrase> PHRASES =
      List.of(
          // Of a block.
          phrase(
              "(pin|unpin|archive|load)(?: (\\w+))?",
              (s, m) -> s.block("a", m.group(1), m.group(2))),
          phrase(
              "append '?(\\w+)'?", (s, m) -> s.block("a", "append", null, "content", m.group(1))),
          phrase(
              "agent appends to (\\w+)",
              (s, m) -> s.block("a", "append", m.group(1), "content", "x")),
          phrase("replace '(\\w+)' with '(\\w+)'", (s, m) -> s.replace(m.group(1), m.group(2))),
          phrase("replace (\\w+) by (\\w+)", (s, m) -> s.replace(m.group(1), m.group(2))),
          phrase("replace all (\\w)", (s, m) -> s.replaceAll(m.group(1), "x")),
          phrase("replace mode all", (s, m) -> s.replaceAll("foo", "baz")),
          phrase("replace with old = '' \\(any mode\\)", (s, m) -> s.replaceNothing()),
          phrase("replace after multi-byte characters", (s, m) -> s.replaceBehindOddCharacters()),
          phrase(BEYOND, (s, m) -> {}),
          phrase(
              "undo(?: with no history)?",
              (s, m) -> s.move("undo", s.memory("a").undo(s.only().label()))),
          phrase("redo", (s, m) -> s.move("redo", s.memory("a").redo(s.only().label()))),
          phrase("delete (\\w+)", (s, m) -> s.delete(m.group(1))),
          phrase(
              "create (\\w+) again",
              (s, m) -> s.block("a", "create", m.group(1), "content", "new")),
          phrase(
              "two writers read version (\\d+) and both replace text",
              (s, m) -> s.race(Long.parseLong(m.group(1)))),
          phrase("check read, append, overwrite, delete for each", (s, m) -> s.checkAll()),
          phrase("prompt is rendered", (s, m) -> s.render()),
          // Between agents.
          phrase(
              "(\\w) appends to (\\w+) with its own tools",
              (s, m) -> s.block(m.group(1), "append", m.group(2), "content", "x")),
          phrase("(\\w) shares with an unknown agent", (s, m) -> s.share("own", "nobody")),
          phrase("an unknown block", (s, m) -> s.share("unknown", "b")),
          phrase("(\\w) unshares (\\w+)", (s, m) -> s.unshare(m.group(2))),
          // Of archival memory.
          phrase("search (?:something )?(\\w+)", (s, m) -> s.search(m.group(1))),
          phrase("a searches in .*", (s, m) -> s.search("private")),
          phrase("read by label and delete an archival entry", (s, m) -> s.readAndDelete()),
          // Of messages.
          phrase("send to (\\w+)(?: while .*)?", (s, m) -> s.send(m.group(1), m.group(1))),
          phrase("two messages to (\\w+) within 30 s", (s, m) -> s.sendTwice(m.group(1))));

  private static final Map<String, BiConsumer<MemoryScene, JsonNode>> EXPECTATIONS =
      Map.ofEntries(
          expect("success", (s, e) -> assertThat(s.last().success()).isEqualTo(yes(e))),
          expect("error", (s, e) -> failed(s, e.stringValue().split(" / "))),
          expect("message", (s, e) -> failed(s, e.stringValue())),
          expect("each", (s, e) -> failed(s, e.stringValue())),
          expect("error_class", (s, e) -> assertThat(kinds(s)).isSubsetOf(e.stringValue())),
          expect("fields", (s, e) -> e.forEach(figure -> says(s.last(), figure.asString()))),
          expect("mentions", (s, e) -> says(s.last(), e.stringValue())),
          expect("text", (s, e) -> assertThat(s.value()).isEqualTo(s.wanted(e))),
          expect("texts", (s, e) -> assertThat(s.value()).isEqualTo(e.path(0).stringValue())),
          expect("pinned", (s, e) -> assertThat(s.pinned).hasToString(texts(e).toString())),
          expect(
              "block_type",
              (s, e) -> assertThat(s.only().kind().word()).isEqualToIgnoringCase(e.stringValue())),
          expect("leaves_prompt", (s, e) -> assertThat(s.only().inPrompt()).isNotEqualTo(yes(e))),
          expect("asks_consent", (s, e) -> assertThat(s.last().asked()).isEqualTo(yes(e))),
          expect("on_approval", (s, e) -> assertThat(s.value()).endsWith("x")),
          expect("matrix", (s, e) -> verdictsAre(s, e)),
          expect("b_can_read", (s, e) -> assertThat(s.isSeenByB()).isEqualTo(yes(e))),
          expect("old_content", (s, e) -> hidesWhatWasDeleted(s)),
          expect("one", (s, e) -> assertThat(s.outcomes.getFirst().success()).isTrue()),
          expect("other", (s, e) -> conflicts(s)),
          expect("never", (s, e) -> assertThat(s.value()).isEqualTo("one")),
          expect("escaped", (s, e) -> assertThat(s.prompt).containsOnlyOnce("</block")),
          expect("entries", (s, e) -> assertThat(s.last().texts()).isEqualTo(texts(e))),
          expect("supported", (s, e) -> assertThat(s.outcomes).allMatch(Outcome::success)),
          expect("sees_b", (s, e) -> assertThat(s.last().texts()).isEmpty()),
          expect("order_by_score", (s, e) -> assertThat(s.last().texts()).isEqualTo(texts(e))),
          expect("scores", (s, e) -> scoresFall(s)),
          expect("message_id", (s, e) -> answered(s, "message_id")),
          expect("loop", (s, e) -> assertThat(s.model("a").exited()).isTrue()),
          expect("second", (s, e) -> says(s.last(), "try again in 18 s")),
          expect("delivered", (s, e) -> assertThat(answered(s, "delivered")).isEqualTo(e)),
          expect("failed", (s, e) -> assertThat(answered(s, "failed")).isEqualTo(e)),
          expect("reported", (s, e) -> answered(s, "problem")),
          expect("note", (s, e) -> {}));

  private record Phrase(Pattern pattern, BiConsumer<MemoryScene, MatchResult> action) {}

  private MemoryScript() {}

  private static Phrase phrase(String regex, BiConsumer<MemoryScene, MatchResult> action) {
    return new Phrase(Pattern.compile(regex), action);
  }

  private static Map.Entry<String, BiConsumer<MemoryScene, JsonNode>> expect(
      String member, BiConsumer<MemoryScene, JsonNode> check) {
    return Map.entry(member, check);
  }

  /// Does a case through an empty store, and checks every member of what it expects.
  ///
  /// @param byTools whether everything that a tool can do is done by tools
  public static void run(Vector vector, MemoryStore store, boolean byTools) {
    MemoryScene scene = new MemoryScene(store, byTools, !vector.when().startsWith("pin"));
    scene.given(vector.given());
    clauses(vector.when()).forEach(clause -> act(scene, clause));
    assertThat(vector.expect().isEmpty()).isFalse();
    for (var expected : vector.expect().properties()) {
      BiConsumer<MemoryScene, JsonNode> check = EXPECTATIONS.get(expected.getKey());
      assertThat(check).as("what is to be expected of '%s'", expected.getKey()).isNotNull();
      check.accept(scene, expected.getValue());
    }
  }

  /// The clauses of a case that ask for editors beyond the contract.
  public static List<String> beyond(Vector vector) {
    return clauses(vector.when()).stream().filter(clause -> clause.matches(BEYOND)).toList();
  }

  private static List<String> clauses(String when) {
    boolean whole = PHRASES.stream().anyMatch(known -> known.pattern.matcher(when).matches());
    return whole ? List.of(when) : List.of(when.split(", or |, then | then |, | / "));
  }

  private static void act(MemoryScene scene, String clause) {
    for (Phrase phrase : PHRASES) {
      Matcher matcher = phrase.pattern.matcher(clause);
      if (matcher.matches()) {
        phrase.action.accept(scene, matcher.toMatchResult());
        return;
      }
    }
    throw new AssertionError("no such phrase: " + clause);
  }

  private static boolean yes(JsonNode expected) {
    return expected.booleanValue();
  }

  private static List<String> texts(JsonNode expected) {
    return expected.valueStream().map(JsonNode::asString).toList();
  }

  /// Every step was refused, each with its sentence, or all with the same.
  private static void failed(MemoryScene scene, String... sentences) {
    assertThat(scene.outcomes).isNotEmpty();
    for (int i = 0; i < scene.outcomes.size(); i++) {
      assertThat(scene.outcomes.get(i).success()).isFalse();
      says(scene.outcomes.get(i), sentences[Math.min(i, sentences.length - 1)]);
    }
  }

  /// The refusal has these words in this order.
  static void says(Outcome outcome, String words) {
    String[] all = words.split("[ ,]+");
    StringBuilder pattern = new StringBuilder();
    for (String word : all) {
      pattern.append(".*").append(Pattern.quote(word.toLowerCase(Locale.ROOT)));
    }
    assertThat(outcome.message().toLowerCase(Locale.ROOT)).matches(pattern + ".*");
  }

  /// The kinds of the refusals, as far as they are known.
  private static List<String> kinds(MemoryScene scene) {
    assertThat(scene.outcomes).allMatch(outcome -> !outcome.success());
    return scene.outcomes.stream()
        .map(Outcome::kind)
        .filter(Objects::nonNull)
        .map(Kind::name)
        .toList();
  }

  /// The last step came too late, and has to read again.
  private static void conflicts(MemoryScene scene) {
    assertThat(scene.last().kind()).isEqualTo(Kind.CONFLICT);
    says(scene.last(), "read it again");
  }

  private static void verdictsAre(MemoryScene scene, JsonNode expected) {
    assertThat(scene.verdicts).hasSameSizeAs(expected.properties());
    for (var row : expected.properties()) {
      assertThat(scene.verdicts.get(row.getKey()))
          .as(row.getKey())
          .isEqualTo(row.getValue().valueStream().map(JsonNode::stringValue).toList());
    }
  }

  private static void hidesWhatWasDeleted(MemoryScene scene) {
    assertThat(scene.value()).isEqualTo("new");
    assertThat(scene.memory("a").history(scene.only().label(), 9)).isEmpty();
    assertThat(scene.memory("a").undo(scene.only().label())).isNull();
  }

  private static void scoresFall(MemoryScene scene) {
    List<Double> scores =
        scene
            .last()
            .answer()
            .path("hits")
            .valueStream()
            .map(h -> h.path("score").doubleValue())
            .toList();
    assertThat(scores).isSortedAccordingTo((one, other) -> Double.compare(other, one));
    assertThat(scores.getFirst()).isEqualTo(1);
    assertThat(scores.getLast()).isPositive();
  }

  private static JsonNode answered(MemoryScene scene, String member) {
    assertThat(scene.last().answer().has(member)).as(member).isTrue();
    return scene.last().answer().path(member);
  }
}
