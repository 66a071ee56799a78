package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YesOrNoTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "y",
        "Yes",
        " yes. ",
        "yes please",
        "Yes, please!",
        "yes, do it",
        "sure",
        "OK",
        "okay thanks",
        "go ahead",
        "do it",
        "please do it",
        "of course",
        "yep",
        "yeah, go ahead",
        "approve",
        "confirm",
        "yes, do that"
      })
  void isYes(String line) {
    assertThat(YesOrNo.of(line)).isEqualTo(YesOrNo.YES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n",
        "No",
        "no thanks",
        "No, thank you.",
        "nope",
        "don't",
        "don’t do it",
        "do not do it",
        "deny",
        "cancel that",
        "stop",
        "no way",
        "not now"
      })
  void isNo(String line) {
    assertThat(YesOrNo.of(line)).isEqualTo(YesOrNo.NO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "Always!", "yes, always", "always approve"})
  void isAlways(String line) {
    assertThat(YesOrNo.of(line)).isEqualTo(YesOrNo.ALWAYS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "maybe", "yes, but for 20 only", "yes and no", "yes no", "never mind the price",
            "why?",
        "not always", "it", "please", "yes to the first", "what is it?", "yes if it is cheap",
            "y/n", "да"
      })
  void isNeither(String line) {
    assertThat(YesOrNo.of(line)).isNull();
  }
}
