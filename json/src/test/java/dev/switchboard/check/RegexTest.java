package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "b | abc | ac",
        "^a.c$ | a😀c | ac",
        "\\d | x4 | x",
        "^\\S+$ | ab | a b",
        "^[\\S]+$ | ab | a b",
        "[\\s] | a b | ab",
        "^[^\\s]$ | a | ab",
        "^\\/x\\-$ | /x- | x",
        "\\u00fc | ü | u",
        "\\u{1F600} | 😀 | x",
        "^[\\u0041-\\u0043]+$ | ABC | abc",
        "^[a[]$ | [ | x",
        "\\p{L} | ü | 4",
        "^\\ud83d\\ude00$ | 😀 | x",
        "^[\\uD83D\\uDE00]$ | 😀 | x",
        "^a{2,3}$ | aa | aaaa",
        "a\\.b | a.b | axb",
        "(?:x)?z | yz | y",
        "^\\w+$ | a_1 | ü",
        "^(?<year>\\d+)$ | 12 | x",
        "\\bfoo\\b | a foo | afoo",
        "^\\p{Letter}+$ | über | a1",
        "^\\p{Script=Greek}+$ | αβ | ab",
        "^\\p{sc=Han}$ | 日 | a",
        "^\\P{Lowercase_Letter}$ | A | a",
        "^[\\p{gc=Decimal_Number}x]+$ | 4x | y",
        "^\\p{ASCII}+$ | abc | ü",
        "^[^\\p{ASCII}]$ | ü | a",
        "^[^]$ | 😀 | ab"
      })
  void findsAsEcmaScriptDoes(String pattern, String found, String notFound) {
    Regex regex = Regex.of(pattern);
    assertThat(regex.found(found)).isTrue();
    assertThat(regex.found(notFound)).isFalse();
  }

  @Test
  void knowsControlLettersAndEmptyClasses() {
    assertThat(Regex.of("^\\cA$").found("\u0001")).isTrue();
    assertThat(Regex.of("^\\cA$").found("A")).isFalse();
    assertThat(Regex.of("^a[^]b$").found("a\nb")).isTrue();
    assertThat(Regex.of("^(a|[])$").found("a")).isTrue();
    assertThat(Regex.of("a[]").found("a")).isFalse();
    assertThat(Regex.of("^.{0,1000}$").found("abc")).isTrue();
  }

  @Test
  void treatsEveryUnicodeSpaceAndLineEndAsSuch() {
    assertThat(Regex.of("\\S").found("\u00a0\u2003\u3000\ufeff\u000b\u2028")).isFalse();
    assertThat(Regex.of("^[\\S]$").found("\u00a0")).isFalse();
    assertThat(Regex.of("^.$").found("\r")).isFalse();
    assertThat(Regex.of("a$").found("a\n")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(", "[a", "a**", "(?=a)", "(?<!a)b", "(a)\\1", "\\u12", "a{2,1}", "a{1001}"})
  void refusesWhatItCannotRunInLinearTime(String pattern) {
    assertThatThrownBy(() -> Regex.of(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "^.{0,1001}$ | a pattern that repeats more than 1000 times, which is not supported (see"
            + " `maxLength`)",
        "\\p{Emoji} | a pattern with the Unicode class \"Emoji\", which is not supported",
        "\\p{Lettr} | a pattern with the Unicode class \"Lettr\", which is not supported (did you"
            + " mean 'Letter'?)",
        "(a{1000}){1000} | larger than can be checked: its repeats make 20000 states and more"
      })
  void saysWhyItRefusesAPattern(String pattern, String reason) {
    assertThatThrownBy(() -> Regex.of(pattern)).hasMessage(reason);
  }

  @Test
  void takesNoLongerForEvilPatterns() {
    assertThat(Regex.of("^(a+)+$").found("a".repeat(5_000) + "!")).isFalse();
  }
}
