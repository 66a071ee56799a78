package dev.switchboard.phone.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MediumTest {
  private static Medium.Text text(String name, String value) {
    return new Medium.Text(null, "en-US", Map.of(name, value));
  }

  @Test
  void anOptionHasANameOfLetters() {
    assertThat(text("a".repeat(40), "x").options()).hasSize(1);
    for (String name :
        List.of("", "a".repeat(41), "a b", "a=\"1\" b", "aé", "a1", "a_b", "xmlns", "XMLbase")) {
      assertThatThrownBy(() -> text(name, "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the option '" + name + "' is not a name of letters");
    }
  }

  @Test
  void anOptionIsNotOneThatTheRuntimeSets() {
    for (String name :
        List.of(
            "url",
            "language",
            "interruptible",
            "reportInputDuringAgentSpeech",
            "ignoreBackchannel",
            "dtmfDetection",
            "events")) {
      assertThatThrownBy(() -> text(name, "any"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the option '" + name + "' is set by the runtime");
    }
    assertThat(text("ttsProvider", "Google").options()).hasSize(1);
    assertThat(text("speechModel", "nova-3-general").options()).hasSize(1);
  }

  @Test
  void aValueIsShortAndPrintable() {
    assertThat(text("hints", "x".repeat(4_000)).options()).hasSize(1);
    for (String value : List.of("", " ", "x".repeat(4_001), "a\nb", "a\u0000")) {
      assertThatThrownBy(() -> text("hints", value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the option 'hints' needs a value of 1 to 4000 characters");
      assertThatThrownBy(() -> new Medium.Text(value, "en", Map.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aLanguageIsATag() {
    for (String language : List.of("en", "en-US", "cmn-Hans-CN", "multi")) {
      assertThat(new Medium.Text(null, language, Map.of()).language()).isEqualTo(language);
    }
    for (String language : List.of("", "e", "en_US", "en-", "en US", "en\"")) {
      assertThatThrownBy(() -> new Medium.Text(null, language, Map.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the language '" + language + "' is not a tag such as en-US");
    }
  }

  @Test
  void laterChangesOfTheOptionsHaveNoEffect() {
    Map<String, String> options = new HashMap<>(Map.of("hints", "a"));
    Medium.Text text = new Medium.Text("Ava", "en", options);
    options.put("url", "https://elsewhere.example.com");

    assertThat(text.options()).containsOnly(Map.entry("hints", "a"));
  }
}
