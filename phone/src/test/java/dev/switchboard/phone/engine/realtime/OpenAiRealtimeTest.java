package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.switchboard.phone.engine.realtime.OpenAiRealtime.Effort;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an engine can be made of.
class OpenAiRealtimeTest {
  private final OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key");

  @Test
  void namesItsModelAndNeverItsKey() {
    assertThat(engine.name()).isEqualTo("openai-realtime:gpt-realtime-2.1");
    assertThat(engine)
        .hasToString("OpenAiRealtime[model=gpt-realtime-2.1, baseUrl=wss://api.openai.com/v1]");
    assertThat(engine.settings().toString()).doesNotContain("sk-test-key");
    assertThat(engine.withModel("gpt-realtime-2.1-mini").name())
        .isEqualTo("openai-realtime:gpt-realtime-2.1-mini");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "gpt-4o",
        "gpt-4o-realtime-preview",
        "gpt realtime",
        "gpt-realtime-2.1&x=1",
        "a/b"
      })
  void refusesModelsThatTheProviderDoesNotHave(String model) {
    assertThatIllegalArgumentException().isThrownBy(() -> engine.withModel(model));
  }

  @Test
  void takesAnyModelOfAnotherServer() {
    assertThat(engine.withBaseUrl("wss://voice.example.com/v1").withModel("my-voice:7b").name())
        .isEqualTo("openai-realtime:my-voice:7b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wss://voice.example.com/v1",
        "wss://voice.example.com:8443/a/b/",
        "ws://127.0.0.1:9000/v1",
        "ws://localhost:9000/v1",
        "ws://[::1]:9000/v1"
      })
  void takesOtherServers(String url) {
    assertThat(engine.withBaseUrl(url).toString()).contains(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://api.openai.com/v1",
        "ws://api.openai.com/v1",
        "ws://127.0.0.1.example.com/v1",
        "ws://localhost.example.com/v1",
        "ws://192.168.1.7/v1",
        "wss://user:sk-secret@example.com/v1",
        "wss://example.com/v1?key=sk-secret",
        "wss://example.com/v1#x",
        "wss://"
      })
  void refusesWhatIsNotAServer(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.withBaseUrl(url))
        .withMessageContaining("base_url")
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("sk-secret"));
  }

  @Test
  void refusesVoicesAndTranscribersThatAreNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> engine.withVoice("a voice"));
    assertThatIllegalArgumentException().isThrownBy(() -> Transcriber.of("English"));
    assertThatIllegalArgumentException().isThrownBy(() -> Transcriber.of("de", "EN"));
    assertThatIllegalArgumentException().isThrownBy(() -> Transcriber.USUAL.withKeywords(" "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Transcriber("a name", List.of(), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenAiRealtime.of("two words"))
        .withMessageNotContaining("two words");
  }

  @Test
  void refusesReasoningOfModelsThatDoNotThink() {
    OpenAiRealtime thinking = engine.withReasoning(Effort.HIGH);

    assertThat(thinking.withModel("gpt-realtime-2").settings().effort()).isEqualTo(Effort.HIGH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> thinking.withModel("gpt-realtime-1.5"))
        .withMessage(
            "'gpt-realtime-1.5' does not think before it speaks, so it takes no reasoning;"
                + " gpt-realtime-2.1 does");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.withModel("gpt-realtime-1.5").withReasoning(Effort.LOW));
  }

  @Test
  void detectsTurnsWithinBounds() {
    Duration usual = Duration.ofMillis(300);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TurnDetection.ServerVad(1.01, usual, usual));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TurnDetection.ServerVad(Double.NaN, usual, usual));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TurnDetection.ServerVad(0.5, Duration.ofMillis(-1), usual));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TurnDetection.ServerVad(0.5, usual, Duration.ofMillis(99)))
        .withMessage("the silence of turn detection must lie between 100 and 10000 ms");
    assertThat(new TurnDetection.ServerVad(1, Duration.ZERO, Duration.ofMillis(100)).threshold())
        .isEqualTo(1);
  }

  @Test
  void aKeyThatIsNotSetIsNamedBeforeACall() {
    for (Map<String, String> unset :
        List.of(Map.<String, String>of(), Map.of("OPENAI_API_KEY", ""))) {
      assertThat(OpenAiRealtime.from(unset).withVoice("cedar").missing())
          .containsExactly("environment variable 'OPENAI_API_KEY' is not set");
    }
    assertThat(OpenAiRealtime.from(Map.of("OPENAI_API_KEY", "sk")).missing()).isEmpty();
    assertThat(OpenAiRealtime.of("none").missing()).isEmpty();
  }
}
