package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.phone.engine.realtime.SessionItems.Item;
import dev.switchboard.phone.engine.realtime.SessionItems.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The messages to the provider, field by field.
class ClientMessagesTest {
  private final ClientMessages messages = new ClientMessages();

  private static void isJson(String message, String expected) {
    assertThat(Json.text(message).tree()).isEqualTo(Json.text(expected).tree());
  }

  @Test
  void setsASessionUp() {
    OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key").withVoice("cedar");

    isJson(
        messages.session(
            engine.settings(),
            Transcriber.of("en", "de").withKeywords("T4"),
            OpenedSession.setup(),
            true),
        """
        {"type":"session.update","event_id":"update_1","session":{"type":"realtime",
         "output_modalities":["audio"],"instructions":"You are a shop.","tool_choice":"auto",
         "max_output_tokens":"inf",
         "audio":{"input":{"format":{"type":"audio/pcmu"},"noise_reduction":null,
           "transcription":{"model":"gpt-transcribe","languages":["en","de"],"keywords":["T4"]},
           "turn_detection":{"type":"server_vad","threshold":0.5,"prefix_padding_ms":300,
             "silence_duration_ms":300,"idle_timeout_ms":null,
             "create_response":false,"interrupt_response":false}},
          "output":{"format":{"type":"audio/pcmu"},"voice":"cedar","speed":1.0}},
         "tools":[{"type":"function","name":"get_order_status","description":"d",
            "parameters":{"type":"object","properties":{}}},
           {"type":"function","name":"initiate_return","description":"d",
            "parameters":{"type":"object","properties":{}},"strict":true}],
         "truncation":"auto","reasoning":{"effort":"low"},"parallel_tool_calls":true}}
        """);
  }

  @Test
  void namesSemanticDetectionAndNoLanguageByDefault() {
    OpenAiRealtime engine =
        OpenAiRealtime.of("sk-test-key")
            .withTurnDetection(new TurnDetection.SemanticVad(TurnDetection.Eagerness.LOW));
    JsonNode input =
        Json.text(
                messages.session(
                    engine.settings(), Transcriber.USUAL, OpenedSession.setup(), false))
            .tree()
            .at("/session/audio/input");

    isJson(
        input.path("turn_detection").toString(),
        """
        {"type":"semantic_vad","eagerness":"low","create_response":false,
         "interrupt_response":false}
        """);
    assertThat(input.path("transcription").propertyNames()).containsExactly("model");
  }

  @ParameterizedTest
  @CsvSource({
    "gpt-realtime-2, low, low",
    "gpt-realtime-2.1-mini, , low",
    "gpt-realtime-2.1, xhigh, xhigh",
    "gpt-realtime-2.1, MINIMAL, minimal",
    "gpt-realtime-1.5, , ",
    "gpt-realtime-2025-08-28, , "
  })
  void onlyModelsThatThinkAreToldHowMuch(
      String model, @Nullable String stated, @Nullable String effort) {
    OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key").withModel(model);
    if (stated != null) {
      engine = engine.withReasoning(OpenAiRealtime.Effort.valueOf(stated.toUpperCase(Locale.ROOT)));
    }
    JsonNode session =
        Json.text(
                messages.session(
                    engine.settings(), Transcriber.USUAL, OpenedSession.setup(), false))
            .tree()
            .path("session");

    assertThat(session.at("/reasoning/effort").asString(null)).isEqualTo(effort);
    assertThat(session.has("parallel_tool_calls")).isEqualTo(effort != null);
  }

  @ParameterizedTest
  @CsvSource({
    "gpt-transcribe, languages",
    "gpt-live-transcribe, languages",
    "gpt-transcribe-2027-01-01, languages",
    "gpt-realtime-whisper, language",
    "my-words, language"
  })
  void olderTranscribersGetTheirOneLanguageInAnotherWay(String name, String member) {
    JsonNode session =
        Json.text(
                messages.session(
                    OpenAiRealtime.of("sk-test-key").settings(),
                    new Transcriber(name, List.of("de"), List.of()),
                    OpenedSession.setup(),
                    false))
            .tree();

    assertThat(session.at("/session/audio/input/transcription").propertyNames())
        .containsExactly("model", member);
  }

  @Test
  void speaksAsideOutsideTheConversation() {
    isJson(
        messages.create(OpenedSession.aside("f1", "One moment.")),
        """
        {"type":"response.create","event_id":"response_f1","response":{
         "output_modalities":["audio"],"metadata":{"switchboard":"f1"},
         "instructions":"Say exactly this to the caller, word for word, and nothing else: \\"One moment.\\"","conversation":"none",
         "tool_choice":"none","tools":[],"input":[]}}
        """);
    assertThat(ClientMessages.request("response_f1")).isEqualTo("f1");
    assertThat(ClientMessages.request("create_4")).isNull();
  }

  @Test
  void everyOtherMessageHasAnIdOfItsOwn() {
    isJson(
        messages.cancel("resp_1"),
        "{\"type\":\"response.cancel\",\"event_id\":\"cancel_1\",\"response_id\":\"resp_1\"}");
    isJson(
        messages.truncate("item_1", 0, 1500),
        """
        {"type":"conversation.item.truncate","event_id":"truncate_2","item_id":"item_1",
         "content_index":0,"audio_end_ms":1500}
        """);
    isJson(
        messages.delete("item_1"),
        "{\"type\":\"conversation.item.delete\",\"event_id\":\"delete_3\",\"item_id\":\"item_1\"}");
    isJson(
        messages.output("call_1", "{\"success\":true}"),
        """
        {"type":"conversation.item.create","event_id":"create_4","item":{
         "type":"function_call_output","call_id":"call_1","output":"{\\"success\\":true}"}}
        """);
    isJson(
        messages.add(new Item(Role.ASSISTANT, "half \ud83d", null)),
        """
        {"type":"conversation.item.create","event_id":"create_5","item":{"type":"message",
         "role":"assistant","content":[{"type":"output_text","text":"half \\ufffd"}]}}
        """);
  }
}
