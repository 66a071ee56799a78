package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What each message of the provider tells.
class ServerMessagesTest {
  private static @Nullable EngineEvent read(String message) {
    String text = message.replace('\'', '"');
    return ServerMessages.event(
        Json.text(text).tree().path("type").stringValue(), Json.text(text).tree());
  }

  @Test
  void everyMessageThatTellsSomething() {
    Map<String, EngineEvent> events =
        Map.ofEntries(
            Map.entry(
                "{'type':'input_audio_buffer.speech_started','audio_start_ms':1,'item_id':'i'}",
                new EngineEvent.SpeechStarted()),
            Map.entry(
                "{'type':'input_audio_buffer.speech_stopped','audio_end_ms':1,'item_id':'i'}",
                new EngineEvent.SpeechStopped()),
            Map.entry(
                "{'type':'input_audio_buffer.committed','previous_item_id':null,'item_id':'i'}",
                new EngineEvent.Committed("i", null)),
            Map.entry(
                "{'type':'conversation.item.input_audio_transcription.completed','item_id':'i','transcript':'Hi'}",
                new EngineEvent.Transcribed("i", "Hi")),
            Map.entry(
                "{'type':'conversation.item.input_audio_transcription.failed','item_id':'i','error':{}}",
                new EngineEvent.Transcribed("i", null)),
            Map.entry(
                "{'type':'response.created','response':{'id':'r','metadata':{'switchboard':'q'}}}",
                new EngineEvent.Created("r", "q")),
            Map.entry(
                "{'type':'response.created','response':{'id':'s','metadata':null}}",
                new EngineEvent.Created("s", null)),
            Map.entry(
                "{'type':'response.output_audio_transcript.delta','response_id':'r','item_id':'i','delta':'He'}",
                new EngineEvent.Words("r", "i", "He")),
            Map.entry(
                "{'type':'response.output_audio_transcript.done','response_id':'r','item_id':'i','transcript':'Hello'}",
                new EngineEvent.Spoken("r", "i", "Hello")),
            Map.entry(
                "{'type':'response.output_item.done','response_id':'r','item':{'id':'i','type':'function_call','status':'completed','call_id':'c','name':'n','arguments':'{}'}}",
                new EngineEvent.Called("r", "i", RequestedCall.of("c", "n", "{}"))),
            Map.entry(
                "{'type':'response.done','response':{'id':'r','status':'completed','usage':{'input_tokens':3,'output_tokens':4}}}",
                new EngineEvent.Done("r", Status.COMPLETED, null, new Usage(3, 4))),
            Map.entry(
                "{'type':'response.done','response':{'id':'r','status':'cancelled','status_details':{'type':'cancelled','reason':'turn_detected'}}}",
                new EngineEvent.Done("r", Status.CANCELLED, "turn_detected", Usage.NONE)),
            Map.entry(
                "{'type':'response.done','response':{'id':'r','status':'failed','status_details':{'error':{'type':'server_error','code':'x','message':'m'}}}}",
                new EngineEvent.Done("r", Status.FAILED, "x: m", Usage.NONE)),
            Map.entry(
                "{'type':'response.done','response':{'id':'r','status':'incomplete','status_details':{'reason':'content_filter'}}}",
                new EngineEvent.Done("r", Status.INCOMPLETE, "content_filter", Usage.NONE)));

    events.forEach((message, event) -> assertThat(read(message)).as(message).isEqualTo(event));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "session.created",
        "rate_limits.updated",
        "conversation.item.added",
        "conversation.item.done",
        "conversation.item.truncated",
        "conversation.item.input_audio_transcription.delta",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_audio.done",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "output_audio_buffer.started",
        "something.new"
      })
  void everyOtherTellsNothing(String type) {
    assertThat(read("{'type':'" + type + "','response_id':'r','item_id':'i','call_id':'c'}"))
        .isNull();
  }

  @Test
  void audioIsDecoded() {
    EngineEvent event =
        read(
            "{'delta':'AQID','type':'response.output_audio.delta','item_id':'i','response_id':'r','content_index':2}");

    assertThat(event)
        .isInstanceOfSatisfying(
            EngineEvent.Audio.class,
            audio -> {
              assertThat(audio.response() + audio.item() + audio.content()).isEqualTo("ri2");
              assertThat(audio.audio()).containsExactly(1, 2, 3);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':'i','type':'message','role':'assistant','content':[],'phase':'commentary'} | i",
        "{'id':'i','type':'message','role':'assistant','content':[],'phase':'final_answer'} | ",
        "{'id':'i','type':'message','role':'assistant','content':[],'phase':null} | ",
        "{'id':'i','type':'function_call','name':'n','call_id':'c'} | ",
        "{'phase':'commentary'} | ",
        "{'id':7,'phase':'commentary'} | ",
        "{'id':'i','phase':['commentary']} | "
      },
      quoteCharacter = '~')
  void anItemOfThePhaseCommentaryIsAPreamble(String item, @Nullable String id) {
    JsonNode tree = Json.text(item.replace('\'', '"')).tree();

    assertThat(ServerMessages.preamble(tree)).isEqualTo(id);
  }

  @Test
  void whatIsTooLongIsCut() {
    EngineEvent.Called called =
        (EngineEvent.Called)
            read(
                "{'type':'response.output_item.done','response_id':'r','item':{'id':'i','type':'function_call','status':'completed','call_id':'c','name':'%s','arguments':'%s'}}"
                    .formatted("n".repeat(9_000), "a".repeat(1 << 20)));

    assertThat(called.call().name()).hasSize(200);
    assertThat(called.call().arguments().text()).hasSize(256 * 1024);
    assertThat(
            read(
                "{'type':'conversation.item.input_audio_transcription.completed','item_id':'i','transcript':'%s'}"
                    .formatted("x".repeat(1 << 20))))
        .isEqualTo(new EngineEvent.Transcribed("i", "x".repeat(100_000)));
    assertThat(
            read(
                "{'type':'response.done','response':{'id':'r','status':'completed','usage':{'input_tokens':9223372036854775807,'output_tokens':-1}}}"))
        .isEqualTo(new EngineEvent.Done("r", Status.COMPLETED, null, new Usage(1_000_000_000, 0)));
  }
}
