package dev.switchboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each check holds back no more of a streamed reply than it needs, and no less.
class SettledTest {
  private static final int REPLIES = PropertySize.of("switchboard.fuzz", 2_000);
  private static final Map<String, Guardrail> RAILS = rails();

  /// Parts of which matches, and what looks like them, are made.
  private static final List<String> PARTS =
      List.of(
          "4111 1111 1111 1111",
          "4111-1111&nbsp;1111 1111",
          "4111",
          "1111",
          "&nbsp;",
          "&",
          "12-34",
          "550e8400-e29b-41d4-a716-446655440000",
          "41111111-1111-1111-a716-446655440000",
          "3.",
          "DE89 3704 0044 0532 0130 00",
          "DE",
          "89",
          "3704",
          "0044",
          "GB82WEST12345698765432",
          "is",
          "ann@example.com",
          "ann @ example.com",
          "ann at example dot com",
          "ann",
          " at ",
          "@",
          "(at)",
          "[dot]",
          "example",
          ".com",
          ":org/repo",
          "\"john doe\"@example.com",
          "\"",
          "dot",
          "+1 212 555 0123",
          "(212) 555-0123",
          "1234567",
          "12 34 567",
          "call",
          "phone",
          "555",
          "(",
          "s3cr3t-value-of-test",
          "s3cr3t",
          "value of",
          "czNjcjN0LXZhbHVlLW9mLXRlc3Q=",
          "czNjcj",
          "p@ss/word+1=2",
          "correct horse",
          "battery",
          "https://evil.example/x?y=z",
          "https:",
          "//",
          "www.",
          "evil.example",
          "good.example",
          "https://good.example",
          "javascript:x",
          "data:",
          "guarantee",
          "guar",
          "antee",
          "d",
          "100 %",
          "safe",
          "caf",
          "\u00e9",
          "e\u0301",
          "\u0301",
          "\u200b",
          "\u00ad",
          "\u4e88\u7d04\u306f",
          "\ud83d\ude00",
          "\ud83d",
          "\u0660\u0661",
          "\uff11\uff12",
          "\u212aelvin",
          " ",
          "  ",
          "\n",
          ", ",
          ". ",
          "-",
          "an ordinary sentence",
          "The table is at home today");

  private static Map<String, Guardrail> rails() {
    Map<String, Guardrail> rails = new TreeMap<>();
    for (Known known :
        List.of(Known.CARD_NUMBER, Known.IBAN, Known.EMAIL, Known.PHONE_NUMBER, Known.SECRETS)) {
      rails.put(known.word(), Guardrail.known(known));
    }
    rails.put("links_outside", Guardrail.linksOutside("links", "good.example"));
    rails.put(
        "words",
        Guardrail.words("words", "guarantee", "guaranteed safe", "100 % safe", "caf\u00e9 au")
            .redact());
    return rails;
  }

  static List<String> names() {
    return List.copyOf(RAILS.keySet());
  }

  private final List<String> shown = new ArrayList<>();

  private static Guards guards(Guardrail rail) {
    return Guards.of(List.of(rail), null, Corpus.SECRETS, Time.SYSTEM);
  }

  private Screen screen(Guards guards) {
    shown.clear();
    return guards.screen(shown::add, report -> {});
  }

  private String streamed(Guards guards, List<String> fragments) {
    Screen screen = screen(guards);
    fragments.forEach(screen::text);
    String line = screen.finish(String.join("", fragments));
    assertThat(String.join("", shown)).isEqualTo(line);
    return line;
  }

  private static String text(Random random) {
    List<Corpus.Sample> corpus = Corpus.all();
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(14); i > 0; i--) {
      text.append(
          random.nextInt(8) == 0
              ? corpus.get(random.nextInt(corpus.size())).text()
              : PARTS.get(random.nextInt(PARTS.size())));
      text.append(random.nextBoolean() ? " " : "");
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("names")
  void showsTheSameHoweverAReplyIsCut(String name) {
    Guards guards = guards(RAILS.get(name));
    for (int seed = 0; seed < REPLIES; seed++) {
      Random random = new Random(seed);
      String text = text(random);
      String whole = streamed(guards, List.of(text));
      for (List<String> fragments : cuts(text, random)) {
        assertThat(streamed(guards, fragments)).as("seed %d: %s", seed, fragments).isEqualTo(whole);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void blocksMatchWhereverReplyIsSplit(String name) {
    Guardrail rail = RAILS.get(name).block("NO");
    Guards guards = guards(rail);
    for (int seed = 0; seed < REPLIES; seed++) {
      Random random = new Random(seed);
      String text = text(random);
      List<Span> found = Corpus.spans(Corpus.finder(rail), text);
      int first = found.stream().mapToInt(Span::start).min().orElse(text.length());
      for (List<String> fragments : cuts(text, random)) {
        String line = streamed(guards, fragments);
        if (found.isEmpty()) {
          assertThat(line).as("seed %d: %s", seed, fragments).isEqualTo(text);
        } else {
          assertThat(line).as("seed %d: %s", seed, fragments).endsWith("NO");
          // A space is put before the sentence that stands instead.
          String before = line.substring(0, line.length() - 2).replaceFirst(" $", "");
          assertThat(text.substring(0, first))
              .as("seed %d: %s", seed, fragments)
              .startsWith(before);
        }
      }
    }
  }

  /// At random, in two, and into single characters.
  private static List<List<String>> cuts(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    return List.of(
        GuardrailStreamTest.cut(text, random),
        List.of(text.substring(0, at), text.substring(at)),
        List.of(text.split("")));
  }

  @ParameterizedTest
  @MethodSource("names")
  void holdsAWordOrTwoOfProseBack(String name) {
    String prose =
        "The table for four is booked on Friday (with a view of the sea), and the guests may arrive"
            + " from half past 7 on; room 12 is for the 24 others. Please look at the plan: \"best"
            + " wishes\", said Ann. ";
    Screen screen = screen(guards(RAILS.get(name)));
    String text = prose.repeat(4);
    int shownSoFar = 0;
    for (int at = 0; at < text.length(); at += 3) {
      screen.text(text.substring(at, Math.min(text.length(), at + 3)));
      shownSoFar = String.join("", shown).length();
      // The end of "room", a number and what follows may be an account number in Oman.
      assertThat(at + 3 - shownSoFar)
          .as("held back of '%s'", text.substring(0, at))
          .isLessThan(name.equals("iban") ? 40 : 25);
    }
    assertThat(screen.finish(text)).isEqualTo(text);
  }
}
