package dev.switchboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.guard.Guards.Report;
import dev.switchboard.harness.Vectors;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Replies that stream through guardrails.
class ScreenTest {
  private final List<String> shown = new ArrayList<>();
  private final List<Report> reports = new ArrayList<>();

  private Screen screen(Guardrail... rails) {
    shown.clear();
    reports.clear();
    return Guards.of(List.of(rails), null, List.of("s3cr3t-value"), Time.SYSTEM)
        .screen(shown::add, reports::add);
  }

  private String streamed(Screen screen, String... fragments) {
    for (String fragment : fragments) {
      screen.text(fragment);
    }
    String line = screen.finish(String.join("", fragments));
    assertThat(String.join("", shown)).isEqualTo(line);
    return line;
  }

  @Test
  void c258BlocksAWordThatIsSplitOverFragments() {
    assertThat(Vectors.byId("C258").expect().path("blocked").booleanValue()).isTrue();
    Screen screen = screen(Guardrail.words("promises", "guarantee").block("I cannot promise."));

    assertThat(streamed(screen, "I can ", "guar", "antee", " it.")).isEqualTo("I cannot promise.");
    assertThat(screen.blocked()).isTrue();
    assertThat(reports)
        .containsExactly(new Report("promises", Place.OUTPUT, "block", 1, null, null));
  }

  @Test
  void c265LetsPassWhatACheckThrowsAtAndTellsIt() {
    assertThat(Vectors.byId("C265").expect().path("warned").booleanValue()).isTrue();
    Guardrail broken =
        Guardrail.own(
            "mine",
            text -> {
              throw new IllegalStateException("no");
            });

    assertThat(streamed(screen(broken), "Hello ", "there.")).isEqualTo("Hello there.");
    assertThat(reports)
        .singleElement()
        .satisfies(report -> {
          assertThat(report.then()).isEqualTo("allow");
          assertThat(report.error()).isEqualTo("it failed (IllegalStateException)");
        });
    assertThat(streamed(screen(broken.blockOnError()), "Hello ", "there."))
        .isEqualTo(Guardrail.SUBSTITUTE);
  }

  @Test
  void waitsOnceForACheckThatHangs() {
    CountDownLatch never = new CountDownLatch(1);
    Guardrail hanging =
        Guardrail.own(
                "mine",
                text -> {
                  never.await();
                  return List.of();
                })
            .timeout(Duration.ofMillis(20));

    assertThat(streamed(screen(hanging), "a", "b", "c", "d")).isEqualTo("abcd");
    assertThat(reports).extracting(Report::error).containsExactly("it took more than 20 ms");
  }

  @Test
  void replacesWhatItFindsAndShowsTheRest() {
    assertThat(
            streamed(
                screen(Guardrail.known(Known.CARD_NUMBER)),
                "Your card 4111 11",
                "11 1111 1111 is in."))
        .isEqualTo("Your card [card number] is in.");
    assertThat(streamed(screen(Guardrail.known(Known.SECRETS)), "key s3cr3t-", "value, keep it"))
        .isEqualTo("key [secret], keep it");
    assertThat(streamed(screen(Guardrail.maxLength("short", 5)), "1234", "5678"))
        .isEqualTo("12345…");
  }

  @Test
  void tellsWhatItFlagsAndShowsIt() {
    assertThat(streamed(screen(Guardrail.words("rude", "idiot").flag()), "You ", "idiot."))
        .isEqualTo("You idiot.");
    assertThat(reports).containsExactly(new Report("rude", Place.OUTPUT, "flag", 1, null, null));
  }

  @Test
  void showsWordsAsSoonAsTheWindowHasPassed() {
    Screen screen = screen(Guardrail.words("promises", "guarantee").window(10));
    screen.text("One two th");
    assertThat(shown).isEmpty();
    screen.text("ree");
    assertThat(shown).containsExactly("One");
    screen.text(" four");
    assertThat(shown).containsExactly("One", " two ");
    screen.text(" five six");
    assertThat(shown).containsExactly("One", " two ", "three ");
  }

  @Test
  void showsPiecesThatEndWithWords() {
    String reply =
        "The table for four is booked, guests may arrive from half past seven on. ".repeat(20);
    Screen screen = screen(Guardrail.known(Known.EMAIL));
    for (int i = 0; i < reply.length(); i += 5) {
      screen.text(reply.substring(i, Math.min(i + 5, reply.length())));
    }
    assertThat(screen.finish(reply)).isEqualTo(reply);
    int at = 0;
    for (String piece : shown.subList(0, shown.size() - 1)) {
      at += piece.length();
      assertThat(Character.isLetter(reply.charAt(at - 1)) && Character.isLetter(reply.charAt(at)))
          .as("a cut after '%s'", piece)
          .isFalse();
    }
    assertThat(shown).hasSizeGreaterThan(10);
  }

  @Test
  void holdsBackAFewWordsIfOneOfThemBlocks() {
    Screen screen = screen(Guardrail.words("promises", "sure"));
    screen.text("I will have a look at it for you.");
    assertThat(shown).containsExactly("I will have a");
  }

  @Test
  void holdsBackTheLastWordOtherwise() {
    Screen screen = screen(Guardrail.words("promises", "sure").redact());
    screen.text("I will have a look at it for you");
    assertThat(shown).containsExactly("I will have a look at it for ");
  }

  @Test
  void holdsNothingBackForALength() {
    Screen screen = screen(new Guardrail[] {Guardrail.maxLength("short", 100)});
    screen.text("I will ");
    screen.text("have a look");
    assertThat(shown).containsExactly("I will ", "have a look");
  }

  @Test
  void showsTextsWithoutSpacesToo() {
    Screen screen = screen(Guardrail.words("promises", "guarantee").window(10));
    screen.text("\u4e88\u7d04\u306f\u5b8c\u4e86\u3057\u307e\u3057\u305f\u3002".repeat(3));
    assertThat(String.join("", shown)).hasSize(20);
  }

  @Test
  void showsAVeryLongWordInParts() {
    Screen screen = screen(Guardrail.words("promises", "guarantee").window(10));
    screen.text("a".repeat(200));
    assertThat(String.join("", shown)).hasSize(190);
  }

  @Test
  void takesCodeOfTheUsersOwn() {
    Guardrail own =
        Guardrail.own(
                "xx",
                text -> {
                  int at = text.indexOf("xx");
                  return at < 0 ? List.of() : List.of(new Span(at, at + 2));
                })
            .redact();
    assertThat(streamed(screen(own), "a", "x", "xb")).isEqualTo("a[removed]b");
  }

  @Test
  void aSecretLongerThanTheWindowIsNotShownInPart() {
    String secret = "k3y".repeat(200);
    Screen screen =
        Guards.of(List.of(Guardrail.known(Known.SECRETS)), null, List.of(secret), Time.SYSTEM)
            .screen(shown::add, reports::add);

    String line = streamed(screen, ("It is " + secret + ".").split("(?<=\\G.{7})"));

    assertThat(line).isEqualTo("It is [secret].");
  }

  /// However a reply is cut, the words that are shown are the same, and nothing found is in them.
  @Tag("slow")
  @Test
  void showsTheSameHoweverTheReplyIsCut() {
    List<String> parts =
        List.of(
            "Hello there, ",
            "4111 1111 1111 1111",
            " and ",
            "DE89 3704 0044 0532 0130 00",
            ", ",
            "ann@example.com",
            "; ",
            "s3cr3t-value",
            " ",
            "https://evil.example/x?y=z",
            " 😀 ",
            "an ordinary sentence of words. ",
            "12345",
            "\n");
    Guardrail[] rails = {
      Guardrail.known(Known.CARD_NUMBER),
      Guardrail.known(Known.IBAN),
      Guardrail.known(Known.EMAIL),
      Guardrail.known(Known.SECRETS),
      Guardrail.linksOutside("links", "good.example")
    };
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(30); i >= 0; i--) {
        text.append(parts.get(random.nextInt(parts.size()))).append(' ');
      }
      String whole = streamed(screen(rails), text.toString());
      String cut = streamed(screen(rails), cut(text.toString(), random));

      assertThat(cut).as("seed %d", seed).isEqualTo(whole);
      assertThat(cut).doesNotContain("4111", "DE89", "@example", "s3cr3t", "evil");
    }
  }

  private static String[] cut(String text, Random random) {
    List<String> fragments = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = Math.min(text.length(), at + 1 + random.nextInt(12));
      fragments.add(text.substring(at, end));
      at = end;
    }
    return fragments.toArray(String[]::new);
  }
}
