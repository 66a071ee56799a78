package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelNamesTest {
  @ParameterizedTest
  @CsvSource({
    "gpt-4.1-mini, gpt-6-luna, 2027-01-14",
    "gpt-4.1-mini-2025-04-14, gpt-6-luna, 2027-01-14",
    "gpt-5.1, gpt-6.1-sol, 2027-04-01",
    "gpt-realtime, gpt-realtime-2.1, 2027-01-20",
    "gpt-realtime-mini, gpt-realtime-2.1-mini, 2027-01-20",
    "gpt-realtime-mini-2025-12-15, gpt-realtime-2.1-mini, 2027-01-20",
    "gpt-4o-mini-transcribe, gpt-transcribe, 2027-02-26",
    "claude-haiku-4-5, claude-haiku-5-5,",
    "claude-haiku-4-5-20251001, claude-haiku-5-5,",
    "llama-3.3-70b-versatile, openai/gpt-oss-120b, 2026-08-16"
  })
  void knowsWhatReplacesARetiredModel(String name, String successor, LocalDate ends) {
    assertThat(ModelNames.successor(name)).isEqualTo(successor);
    assertThat(ModelNames.ends(name)).isEqualTo(ends);
    assertThat(ModelNames.isShown(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gpt-4.1-mini-",
        "gpt-4.1-minimal",
        "gpt-4.1-mini-2025",
        "my-gpt-4.1-mini",
        "ft:gpt-4.1-mini:me"
      })
  void knowsNothingOfOthers(String name) {
    assertThat(ModelNames.successor(name)).isNull();
    assertThat(ModelNames.ends(name)).isNull();
    assertThat(ModelNames.isShown(name)).isFalse();
  }

  @Test
  void whatIsShownIsNotRetired() {
    for (String name :
        new String[] {
          ModelNames.OPENAI,
          ModelNames.ANTHROPIC,
          ModelNames.OLLAMA,
          ModelNames.EMBEDDINGS,
          ModelNames.REALTIME,
          ModelNames.REALTIME_SMALL,
          ModelNames.TRANSCRIBER
        }) {
      assertThat(ModelNames.isShown(name)).as(name).isTrue();
      assertThat(ModelNames.successor(name)).as(name).isNull();
    }
  }

  @Test
  void tellsModelsThatSpeakFromOthers() {
    assertThat(ModelNames.isRealtime(ModelNames.REALTIME)).isTrue();
    assertThat(ModelNames.isRealtime("gpt-realtime")).isTrue();
    assertThat(ModelNames.isRealtime("gpt-realtime-whisper")).isFalse();
    assertThat(ModelNames.isRealtime(ModelNames.OPENAI)).isFalse();
    assertThat(ModelNames.isGuidedTranscriber(ModelNames.TRANSCRIBER)).isTrue();
    assertThat(ModelNames.isGuidedTranscriber("gpt-realtime-whisper")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt-realtime-2",
        "gpt-realtime-2.1",
        "gpt-realtime-2.1-mini",
        "gpt-realtime-2-2026-05-07",
        "gpt-realtime-2.1-2026-07-07"
      })
  void knowsModelsThatThinkBeforeTheySpeak(String name) {
    assertThat(ModelNames.isReasoningRealtime(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt-realtime",
        "gpt-realtime-1.5",
        "gpt-realtime-mini",
        "gpt-realtime-2025-08-28",
        "gpt-realtime-20",
        "gpt-realtime-whisper",
        "my-gpt-realtime-2"
      })
  void knowsModelsThatSpeakAtOnce(String name) {
    assertThat(ModelNames.isReasoningRealtime(name)).isFalse();
  }
}
