package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTest {
  /// Bold is shown as `<b>`, italic as `<i>`, code as `<c>`, both as `<bi>`, and the end as `<>`.
  private static final String CASES =
      """
      a **bold** word            | a <b>bold<> word
      **bold**                   | <b>bold<>
      **two words**, yes         | <b>two words<>, yes
      an *italic* word           | an <i>italic<> word
      (_italic_)                 | (<i>italic<>)
      ***both***                 | <bi>both<>
      **b *i* b**                | <b>b <bi>i<b> b<>
      **b *i***                  | <b>b <bi>i<>
      *i **b***                  | <i>i <bi>b<>
      run `ls -l *.c` now        | run <c>ls -l *.c<> now
      `` a`b ``                  | <c>a`b<>
      **`x`**                    | <bc>x<>
      서울은 **수도**이다          | 서울은 <b>수도<>이다
      # Head                     | <b>Head<>
      ### A *b* `c`              | <b>A <bi>b<b> <bc>c<>
      a **bold                   | a **bold
      **a `b** c                 | <b>a `b<> c
      a `b                       | a `b
      2 * 3 * 4                  | 2 * 3 * 4
      2**3 and 2**4              | 2**3 and 2**4
      a*b*c                      | a*b*c
      snake_case_name            | snake_case_name
      __init__.py                | __init__.py
      https://x.org/_a_/b_c_     | https://x.org/_a_/b_c_
      **kwargs, **opts           | **kwargs, **opts
      *.java and *.md            | *.java and *.md
      \\*no\\* \\_no\\_ C:\\x    | *no* _no_ C:\\x
      #hash, ####### seven       | #hash, ####### seven
      * * *                      | * * *
      ***                        | ***
      ```x``` y                  | <c>x<> y
      - a **b**                  | - a <b>b<>
      * a *b*                    | * a <i>b<>
      -a                         | -a
      12. a `b`                  | 12. a <c>b<>
      a ** b                     | a ** b
      """;

  private static final String BLOCKS =
      """
      Try this:

      ```sh
      echo **x**  # no head
        `date`
      ```
      ~~~~
      ~~~
      ```
      ~~~~
      Then *go* on.
      ***
      """;

  private static String shown(List<Markdown.Run> runs) {
    StringBuilder out = new StringBuilder();
    int style = 0;
    for (Markdown.Run run : runs) {
      if (run.style() != style && !run.text().isEmpty()) {
        style = run.style();
        out.append('<')
            .append((style & Markdown.BOLD) == 0 ? "" : "b")
            .append((style & Markdown.ITALIC) == 0 ? "" : "i")
            .append((style & Markdown.CODE) == 0 ? "" : "c")
            .append('>');
      }
      out.append(run.text());
    }
    return out.append(style == 0 ? "" : "<>").toString();
  }

  private static List<Markdown.Run> runs(List<String> pieces) {
    Markdown markdown = new Markdown();
    List<Markdown.Run> runs = new ArrayList<>();
    pieces.forEach(piece -> runs.addAll(markdown.next(piece)));
    runs.addAll(markdown.end());
    return runs;
  }

  private static List<String> letters(String text) {
    return text.codePoints().mapToObj(Character::toString).toList();
  }

  @ParameterizedTest(quoteTextArguments = false)
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = CASES)
  void isShownByStylesInsteadOfSigns(String text, String styled) {
    assertThat(shown(runs(List.of(text)))).isEqualTo(styled);
    assertThat(shown(runs(letters(text)))).as("letter by letter").isEqualTo(styled);
    assertThat(shown(runs(List.of("x\n", text, "\ny"))))
        .as("between lines")
        .isEqualTo("x\n" + styled + "\ny");
  }

  @Test
  void codeInFencesIsKeptAsItIs() {
    String styled =
        """
        Try this:

        <c>echo **x**  # no head
          `date`
        ~~~
        ```
        <>Then <i>go<> on.
        ***
        """;
    assertThat(shown(runs(List.of(BLOCKS)))).isEqualTo(styled);
    assertThat(shown(runs(letters(BLOCKS)))).isEqualTo(styled);
    assertThat(runs(List.of(BLOCKS)))
        .filteredOn(run -> run.style() == Markdown.CODE)
        .allMatch(Markdown.Run::verbatim);
  }

  @Test
  void onlyWhatMayBecomeASignIsHeldBack() {
    Markdown markdown = new Markdown();
    assertThat(shown(markdown.next("So **"))).isEqualTo("So ");
    assertThat(shown(markdown.next("bold*"))).isEmpty();
    assertThat(shown(markdown.next("*"))).isEmpty();
    assertThat(shown(markdown.next(" it"))).isEqualTo("<b>bold<> it");
    assertThat(shown(markdown.next(" is. 2 * 3 is `6"))).isEqualTo(" is. 2 * 3 is ");
    assertThat(shown(markdown.next("\nand"))).isEqualTo("`6\nand");
    assertThat(shown(markdown.next("\n-"))).isEqualTo("\n");
    assertThat(shown(markdown.next("5 degrees"))).isEqualTo("-5 degrees");
    assertThat(shown(markdown.next(" *" + "long ".repeat(300)))).hasSize(1502);
    assertThat(markdown.end()).isEmpty();
  }

  @Test
  void whatEndsWithinACodeBlockBeginsAgainBehindIt() {
    Markdown markdown = new Markdown();
    assertThat(shown(markdown.next("```\nx = 1\n``"))).isEqualTo("<c>x = 1\n<>");
    assertThat(shown(markdown.end())).isEqualTo("<c>``<>");
    assertThat(shown(markdown.next("a *b* "))).isEqualTo("a <i>b<> ");
    assertThat(shown(runs(List.of("```")))).as("a fence whose line has not ended").isEqualTo("```");
  }

  @Test
  void linesOfAListHang() {
    assertThat(runs(List.of("- a **b** c\n  10) d\nplain")))
        .extracting(run -> run.text() + "@" + run.hang())
        .containsExactly(
            "- @2", "a @2", "b@2", " c@2", "\n@0", "  10) @6", "d@6", "\n@0", "plain@0");
  }

  @Test
  void inWhateverPiecesTheWordsComeTheyAreShownAlike() {
    Random random = new Random(7);
    String signs = "**__``#-1. ab\n\n\\~~~ ```";
    for (int round = 0; round < 500; round++) {
      String text =
          random
              .ints(40, 0, signs.length())
              .mapToObj(i -> String.valueOf(signs.charAt(i)))
              .collect(Collectors.joining());
      String whole = shown(runs(List.of(text)));
      assertThat(shown(runs(letters(text)))).as(text).isEqualTo(whole);
    }
  }

  @Test
  void aLineOfManySignsCostsLittle() {
    assertThat(shown(runs(List.of("*a ".repeat(20_000))))).hasSize(60_000);
    assertThat(shown(runs(List.of("`".repeat(20_000) + "**a ".repeat(10_000))))).hasSize(60_000);
  }
}
