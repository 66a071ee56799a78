package dev.switchboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.guard.Corpus.Sample;
import dev.switchboard.harness.Repository;
import dev.switchboard.rule.Guardrail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the built-in checks find in the corpus, and what they find where nothing is. The table of
/// `docs/reference/guardrails.md` shows the figures; `-Dgolden.write=true` writes it again.
class GuardrailCorpusTest {
  private static final boolean WRITES = Boolean.getBoolean("golden.write");
  private static final String BEGIN = "<!-- figures -->\n";
  private static final String END = "<!-- end of figures -->\n";

  private final List<Sample> corpus = Corpus.all();

  /// @param caught of all that it should find
  /// @param wrong harmless texts in which it finds something
  /// @param beside texts with findings of other checks alone, in which it finds something too
  private record Figures(int caught, int all, int wrong, int harmless, int beside, int others) {
    private String row(String check) {
      return "| `%s` | %d of %d (%s) | %d of %d (%s) | %d of %d |\n"
          .formatted(
              check,
              caught,
              all,
              share(caught, all),
              wrong,
              harmless,
              share(wrong, harmless),
              beside,
              others);
    }

    private static String share(int part, int whole) {
      return "%.1f %%".formatted(100.0 * part / whole);
    }
  }

  private Figures figures(String check, Guardrail rail) {
    Guardrail.Finder finder = Corpus.finder(rail);
    int caught = 0;
    int all = 0;
    int wrong = 0;
    int harmless = 0;
    int beside = 0;
    for (Sample sample : corpus) {
      if (sample.finds().contains(check)) {
        all++;
        boolean is = sample.caught(finder, check);
        caught += is ? 1 : 0;
        note(!is, "missed", check, sample);
      } else {
        boolean finds = !Corpus.spans(finder, sample.text()).isEmpty();
        harmless += sample.harmless() ? 1 : 0;
        wrong += finds && sample.harmless() ? 1 : 0;
        beside += finds && !sample.harmless() ? 1 : 0;
        note(finds, sample.harmless() ? "wrong" : "beside", check, sample);
      }
    }
    return new Figures(caught, all, wrong, harmless, beside, corpus.size() - all - harmless);
  }

  /// Shows what to look at, with `-Dguardrails.show=true`.
  private static void note(boolean shown, String what, String check, Sample sample) {
    if (shown && Boolean.getBoolean("guardrails.show")) {
      System.out.println(what + " " + check + ": " + sample.text().replace("\n", "\\n"));
    }
  }

  private static Path page() {
    return Repository.file("docs/reference/guardrails.md");
  }

  @Test
  void findsAsMuchAsItsPageSays() throws IOException {
    StringBuilder rows = new StringBuilder();
    rows.append("| check | caught | wrongly caught | found beside others |\n|---|---|---|---|\n");
    Corpus.rails().forEach((check, rail) -> rows.append(figures(check, rail).row(check)));
    String page = Files.readString(page());
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int to = page.indexOf(END);
    String fresh = page.substring(0, from) + "\n" + rows + "\n" + page.substring(to);
    if (WRITES) {
      Files.writeString(page(), fresh);
    }

    assertThat(Files.readString(page())).isEqualTo(fresh);
  }

  /// The least share of what is caught, and the largest of what is wrongly caught, in percent.
  @Test
  void catchesNoLessAndNoMoreWrongly() {
    Map<String, double[]> bounds =
        Map.of(
            "card_number", new double[] {95.8, 0},
            "iban", new double[] {100, 0},
            "email", new double[] {98, 0},
            "secrets", new double[] {97.7, 0},
            "phone_number", new double[] {96.2, 0.4},
            "instructions", new double[] {87.1, 2.7},
            "words", new double[] {100, 0},
            "pattern", new double[] {100, 0},
            "links_outside", new double[] {100, 0});
    List<String> broken = new ArrayList<>();
    Corpus.rails()
        .forEach((check, rail) -> {
          Figures figures = figures(check, rail);
          double[] bound = bounds.getOrDefault(check, new double[] {100, 0});
          if (100.0 * figures.caught < bound[0] * figures.all
              || 100.0 * figures.wrong > bound[1] * figures.harmless) {
            broken.add(figures.row(check));
          }
        });
    assertThat(broken).isEmpty();
  }

  @Test
  void hasAsManyHarmlessTextsAsOthersAndNoneTwice() {
    long harmless = corpus.stream().filter(Sample::harmless).count();
    assertThat(corpus)
        .hasSizeGreaterThanOrEqualTo(500)
        .extracting(Sample::text)
        .doesNotHaveDuplicates();
    assertThat(harmless).isBetween(corpus.size() * 45L / 100, corpus.size() * 55L / 100);
    assertThat(corpus)
        .allSatisfy(sample -> {
          assertThat(sample.what()).allSatisfy(part -> assertThat(sample.text()).contains(part));
          assertThat(Corpus.rails().keySet()).containsAll(sample.finds());
        });
  }
}
