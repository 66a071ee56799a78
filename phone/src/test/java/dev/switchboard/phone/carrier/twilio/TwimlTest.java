package dev.switchboard.phone.carrier.twilio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.carrier.Medium;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Whole instructions, since a misspelt attribute has no effect at the carrier, and no error.
class TwimlTest {
  private static String relay(
      @Nullable String voice, String language, Map<String, String> options) {
    return Twiml.relay(
        "https://a.example.com/dial",
        "wss://a.example.com/relay",
        "T0k",
        new Medium.Text(voice, language, options));
  }

  /// The whole TwiML around these attributes.
  private static String around(String attributes) {
    return "<Response><Connect action=\"https://a.example.com/dial\">"
        + "<ConversationRelay url=\"wss://a.example.com/relay\" "
        + attributes
        + "><Parameter name=\"token\" value=\"T0k\"/></ConversationRelay></Connect></Response>";
  }

  @Test
  void englishIsHeardByTheModelThatDetectsTheEndOfATurn() {
    assertThat(relay(null, "en-US", Map.of()))
        .isEqualTo(
            around(
                """
                language="en-US" interruptible="speech" reportInputDuringAgentSpeech="any" \
                ignoreBackchannel="true" dtmfDetection="true" \
                events="speaker-events tokens-played" transcriptionProvider="Deepgram" \
                speechModel="flux" partialPrompts="true"\
                """));
    assertThat(relay(null, "EN", Map.of())).contains(" speechModel=\"flux\"");
    assertThat(relay(null, "en-GB", Map.of())).contains(" speechModel=\"flux\"");
  }

  @Test
  void anotherLanguageIsHeardAsTheOptionsSay() {
    assertThat(
            relay(
                "Ava \"2\"",
                "de-DE",
                Map.of("ttsProvider", "Google", "hints", "Käse & Brot, <b>", "debug", "debugging")))
        .isEqualTo(
            around(
                """
                language="de-DE" voice="Ava &quot;2&quot;" interruptible="speech" \
                reportInputDuringAgentSpeech="any" ignoreBackchannel="true" dtmfDetection="true" \
                events="speaker-events tokens-played" debug="debugging" \
                hints="Käse &amp; Brot, &lt;b&gt;" ttsProvider="Google"\
                """));
    assertThat(relay(null, "enm", Map.of())).doesNotContain("speechModel");
    assertThat(relay(null, "multi", Map.of())).doesNotContain("transcriptionProvider");
  }

  @Test
  void optionsReplaceADefaultWithWhatDependsOnIt() {
    assertThat(relay(null, "en-US", Map.of("transcriptionProvider", "Google")))
        .contains(" transcriptionProvider=\"Google\"")
        .doesNotContain("speechModel", "partialPrompts", "Deepgram");
    assertThat(relay(null, "en-US", Map.of("speechModel", "nova-3-general")))
        .contains(" transcriptionProvider=\"Deepgram\"", " speechModel=\"nova-3-general\"")
        .doesNotContain("partialPrompts", "flux");
    assertThat(relay(null, "en-US", Map.of("partialPrompts", "false")))
        .contains(" speechModel=\"flux\"", " partialPrompts=\"false\"")
        .doesNotContain("partialPrompts=\"true\"");
  }

  @Test
  void aVoiceAmongTheOptionsReplacesTheOther() {
    assertThat(relay("Ava", "en-US", Map.of("voice", "Joanna")))
        .contains(" voice=\"Joanna\"")
        .doesNotContain("Ava");
  }
}
