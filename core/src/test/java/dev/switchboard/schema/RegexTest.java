package dev.switchboard.schema;

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
        "\\bfoo\\b | a foo | afoo"
      })
  void findsAsEcmaScriptDoes(String pattern, String found, String notFound) {
    Regex regex = Regex.of(pattern);
    assertThat(regex.found(found)).isTrue();
    assertThat(regex.found(notFound)).isFalse();
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

  @Test
  void takesNoLongerForEvilPatterns() {
    assertThat(Regex.of("^(a+)+$").found("a".repeat(5_000) + "!")).isFalse();
  }
}
