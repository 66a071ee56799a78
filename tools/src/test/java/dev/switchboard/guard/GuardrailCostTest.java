package dev.switchboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.rule.Guardrail;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What looking costs, with texts that are made to cost much.
class GuardrailCostTest {
  /// Texts by what they are, of that length.
  private static Map<String, String> floods(int length) {
    Map<String, String> floods = new TreeMap<>();
    List<String> parts =
        List.of(
            "1",
            "4",
            "4 ",
            "0",
            "0 1",
            "+1 ",
            "(1",
            "@",
            "a@",
            "a@b.",
            "\"@",
            " at ",
            "a",
            " ",
            "a ",
            ".",
            "/",
            "http:",
            "//a.",
            "www.",
            "de",
            "de89",
            "d e 8 9 ",
            "ignore ",
            "ignore all your ",
            "you are now ",
            "<",
            "\u200b",
            "4\u200b",
            "a\u0301",
            "\ud83d\ude00",
            "\ud83d",
            "\ufdfa",
            "\u5ffd\u7565",
            "c2VjcmV0",
            "\n",
            "(at)",
            "tel ",
            "tel 1 ",
            "-");
    parts.forEach(part -> floods.put(part, part.repeat(length / part.length())));
    return floods;
  }

  private static long millis(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1_000_000;
  }

  @Test
  @Tag("load")
  void looksAtAMillionCharactersOfAnyKind() {
    Map<String, String> floods = floods(1_000_000);
    Corpus.rails()
        .forEach((check, rail) -> {
          Guardrail.Finder finder = Corpus.finder(rail);
          floods.forEach((what, text) -> {
            long took = millis(() -> Corpus.spans(finder, text));
            if (took > 300) {
              System.out.println(check + " of a million of '" + what + "': " + took + " ms");
            }
            assertThat(took).as("%s of '%s'", check, what).isLessThan(5000);
          });
        });
  }

  @Test
  @Tag("load")
  void streamsAHundredThousandSingleCharactersOfAnyKind() {
    Guardrail[] rails = Corpus.rails().values().toArray(Guardrail[]::new);
    floods(100_000)
        .forEach((what, text) -> {
          long took = millis(() -> streamed(text, rails));
          if (took > 1000) {
            System.out.println("streaming '" + what + "': " + took + " ms");
          }
          assertThat(took).as(what).isLessThan(15_000);
        });
  }

  private static String streamed(String text, Guardrail... rails) {
    Screen screen = Corpus.guards(rails).screen(words -> {}, report -> {});
    for (int i = 0; i < text.length(); i++) {
      screen.text(text.substring(i, i + 1));
    }
    return screen.finish(text);
  }

  /// What is held back for ever does not make each look longer than the last.
  @Test
  void looksSeldomAtWhatGrowsWithoutEnd() {
    long[] looked = {0};
    Guardrail all =
        Guardrail.own(
                "all",
                text -> {
                  looked[0] += text.length();
                  return List.of(new Guardrail.Span(0, text.length()));
                })
            .redact();
    assertThat(streamed("x".repeat(20_000), all)).isEqualTo("[removed]");
    assertThat(looked[0]).isLessThan(20_000 * 20L);
  }

  /// A reply twice as long costs about twice as much, in characters looked at.
  @Test
  void looksAtEachCharacterAFewTimes() {
    long[] looked = {0};
    Guardrail none =
        Guardrail.own(
            "none",
            text -> {
              looked[0] += text.length();
              return List.of();
            });
    assertThat(streamed("word ".repeat(2000), none)).hasSize(10_000);
    assertThat(looked[0]).isLessThan(10_000 * 20L);
  }

  /// Prints what the built-in checks add to a reply and to a result.
  @Test
  @Tag("load")
  void measuresTheDelay() {
    Guardrail[] rails =
        Corpus.rails().values().stream()
            .filter(rail -> rail.check() instanceof Guardrail.Known)
            .toArray(Guardrail[]::new);
    Guards guards = Corpus.guards(rails);
    String reply = prose(10_000);
    String result = prose(2048);
    for (int round = 0; round < 5; round++) {
      long stream =
          cpuNanos(() -> {
            for (int i = 0; i < 20; i++) {
              Screen screen = guards.screen(words -> {}, report -> {});
              for (int at = 0; at < reply.length(); at += 4) {
                screen.text(reply.substring(at, Math.min(reply.length(), at + 4)));
              }
              String unused = screen.finish(reply);
            }
          });
      long check =
          cpuNanos(() -> {
            for (int i = 0; i < 200; i++) {
              Guards.Verdict unused = guards.check(Guardrail.Place.OUTPUT, result, report -> {});
            }
          });
      System.out.printf(
          "%d checks: %.0f us per 1,000 characters streamed, %.0f us per result of 2 KB%n",
          rails.length, stream / 20.0 / 10 / 1000, check / 200.0 / 1000);
    }
  }

  private static long cpuNanos(Runnable work) {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    return threads.getCurrentThreadCpuTime() - start;
  }

  private static String prose(int length) {
    StringBuilder prose = new StringBuilder();
    List<Corpus.Sample> harmless = Corpus.all().stream().filter(Corpus.Sample::harmless).toList();
    for (int i = 0; prose.length() < length; i++) {
      prose.append(harmless.get(i % harmless.size()).text()).append(' ');
      prose.append("Your table for four is booked for Friday at eight, under the name Lee. ");
    }
    return prose.substring(0, length);
  }
}
