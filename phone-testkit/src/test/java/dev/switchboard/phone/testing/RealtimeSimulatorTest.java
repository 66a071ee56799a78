package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Json;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.testing.ManualTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What the simulator takes and refuses, by a client that knows nothing of ours.
class RealtimeSimulatorTest {
  private final ManualTime time = new ManualTime();
  private final Client client = new Client();
  private String model = "gpt-realtime";
  private @Nullable RealtimeSimulator simulator;
  private @Nullable WebSocket socket;

  /// Keeps what comes.
  private static final class Client implements WebSocket.Listener {
    final List<JsonNode> events = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        events.add(Json.text(text.toString()).tree());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.add(code + " " + reason);
      return null;
    }
  }

  @AfterEach
  void close() {
    if (socket != null) {
      socket.abort();
    }
    if (simulator != null) {
      simulator.close();
    }
  }

  private void open(RealtimeSimulator.Builder builder, String... headers) {
    simulator = builder.time(time).start();
    WebSocket.Builder made =
        HttpClient.newHttpClient().newWebSocketBuilder().header("Authorization", "Bearer sk");
    for (int i = 0; i < headers.length; i += 2) {
      made.header(headers[i], headers[i + 1]);
    }
    URI uri = URI.create(simulator.url() + "/realtime?model=" + model);
    socket = made.buildAsync(uri, client).join();
  }

  private void send(String message) {
    socket.sendText(message.replace('\'', '"'), true).join();
  }

  private JsonNode next(String type) {
    await()
        .pollInterval(Duration.ofMillis(2))
        .until(() -> client.events.stream().anyMatch(event -> isOf(event, type)));
    JsonNode found = client.events.stream().filter(event -> isOf(event, type)).findFirst().get();
    client.events.remove(found);
    return found;
  }

  private static boolean isOf(JsonNode event, String type) {
    return event.path("type").stringValue().equals(type);
  }

  private void setUp() {
    send(
        "{'type':'session.update','session':{'type':'realtime','audio':{'input':{'format':{'type':'audio/pcmu'},'transcription':{'model':'gpt-transcribe'},"
            + "'turn_detection':{'type':'server_vad','threshold':0.5,'silence_duration_ms':300,'create_response':false,'interrupt_response':false}},"
            + "'output':{'format':{'type':'audio/pcmu'}}}}}");
    next("session.updated");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'type':'nonsense'}|invalid_value|type",
        "{'type':'session.update','session':{}}|missing_required_parameter|session.type",
        "{'type':'session.update','session':{'type':'realtime','temperature':1}}|unknown_parameter|session.temperature",
        "{'type':'session.update','session':{'type':'realtime','voice':'alloy'}}|unknown_parameter|session.voice",
        "{'type':'session.update','session':{'type':'realtime','tools':[{},{'type':'function','strict':true}]}}|unknown_parameter|session.tools[1].strict",
        "{'type':'session.update','session':{'type':'realtime','output_modalities':['audio','text']}}|invalid_value|session.output_modalities",
        "{'type':'session.update','session':{'type':'realtime','audio':{'input':{'format':{'type':'audio/pcm','rate':8000}}}}}|invalid_value|session.audio.input.format",
        "{'type':'session.update','session':{'type':'realtime','audio':{'output':{'format':{'type':'g711_ulaw'}}}}}|invalid_value|session.audio.output.format",
        "{'type':'session.update','session':{'type':'realtime','model':'gpt-realtime-2'}}|invalid_value|session.model",
        "{'type':'session.update','session':{'type':'realtime','audio':{'input':{'transcription':{'model':'gpt-9'}}}}}|invalid_value|session.audio.input.transcription.model",
        "{'type':'session.update','session':{'type':'realtime','audio':{'input':{'transcription':{'model':'gpt-realtime-whisper','keywords':['x']}}}}}|invalid_value|session.audio.input.transcription.keywords",
        "{'type':'session.update','session':{'type':'realtime','reasoning':{'effort':'low'}}}|unsupported_parameter|session.reasoning",
        "{'type':'session.update','session':{'type':'realtime','parallel_tool_calls':true}}|unsupported_parameter|session.parallel_tool_calls",
        "{'type':'session.update','session':{'type':'realtime','reasoning':{'budget':1}}}|unknown_parameter|session.reasoning.budget",
        "{'type':'response.create','response':{'reasoning':{'effort':'low'}}}|unsupported_parameter|response.reasoning",
        "{'type':'response.create','response':{'modalities':['audio']}}|unknown_parameter|response.modalities",
        "{'type':'response.create','response':{'tools':[{'name':'x','strict':true}]}}|unknown_parameter|response.tools[0].strict",
        "{'type':'response.cancel','response_id':'resp_9'}|response_cancel_not_active|response_id",
        "{'type':'conversation.item.create','item':{'type':'function_call_output','call_id':'c9','output':'{}'}}|item_create_invalid_tool_call_id|item.call_id",
        "{'type':'conversation.item.create','item':{'type':'message','role':'assistant','content':[{'type':'input_text','text':'x'}]}}|invalid_value|item.content[0].type",
        "{'type':'conversation.item.create','item':{'type':'message','role':'user','content':[{'type':'input_text','text':'x','mood':1}]}}|unknown_parameter|item.content[0].mood",
        "{'type':'conversation.item.truncate','item_id':'i9','content_index':0,'audio_end_ms':1}|item_not_found|item_id",
        "{'type':'conversation.item.delete','item_id':'i9'}|item_delete_invalid_item_id|item_id",
        "{'type':'input_audio_buffer.append','audio':'%%'}|invalid_value|audio",
        "{'type':'input_audio_buffer.commit'}|input_audio_buffer_commit_empty|audio"
      })
  void refusesWhatTheProviderRefuses(String message, String code, String param) {
    open(RealtimeSimulator.builder());
    send(message);

    JsonNode error = next("error").path("error");
    assertThat(error.path("code").stringValue()).isEqualTo(code);
    assertThat(error.path("param").stringValue()).isEqualTo(param);
  }

  @Test
  void takesReasoningOfModelsThatThink() {
    model = "gpt-realtime-2.1-mini";
    open(RealtimeSimulator.builder());
    send("{'type':'session.update','session':{'type':'realtime','reasoning':{'effort':'none'}}}");
    assertThat(next("error").at("/error/param").stringValue())
        .isEqualTo("session.reasoning.effort");
    send(
        "{'type':'session.update','session':{'type':'realtime','reasoning':{'effort':'xhigh'},'parallel_tool_calls':true}}");

    assertThat(next("session.updated").at("/session/reasoning/effort").stringValue())
        .isEqualTo("xhigh");
  }

  @ParameterizedTest
  @CsvSource({"gpt-realtime, , ", "gpt-realtime-2.1, commentary, final_answer"})
  void onlyModelsThatThinkStateAPhase(String name, @Nullable String first, @Nullable String then) {
    model = name;
    open(RealtimeSimulator.builder().replies(Reply.preamble("One moment.").andSay("Hello")));
    send("{'type':'response.create'}");
    JsonNode output = next("response.done").at("/response/output");

    for (String type : List.of("response.output_item.added", "response.output_item.done")) {
      assertThat(next(type).at("/item/phase").asString(null)).isEqualTo(first);
      assertThat(next(type).at("/item/phase").asString(null)).isEqualTo(then);
    }
    assertThat(output.at("/0/phase").asString(null)).isEqualTo(first);
    assertThat(output.at("/1/phase").asString(null)).isEqualTo(then);
  }

  @Test
  void aRefusedUpdateIsLostAsAWhole() {
    open(RealtimeSimulator.builder());
    send(
        "{'type':'session.update','event_id':'u1','session':{'type':'realtime','instructions':'new','x':1}}");

    assertThat(next("error").at("/error/event_id").stringValue()).isEqualTo("u1");
    assertThat(simulator.session().session().path("instructions").stringValue())
        .isNotEqualTo("new");
  }

  @Test
  void refusesTheRetiredFormOfTheProtocol() {
    open(RealtimeSimulator.builder(), "OpenAI-Beta", "realtime=v1");

    assertThat(next("error").at("/error/code").stringValue()).isEqualTo("beta_api_shape_disabled");
    await().until(() -> !client.closed.isEmpty());
    assertThat(client.closed.getFirst())
        .isEqualTo("4000 invalid_request_error.beta_api_shape_disabled");
  }

  @Test
  void isNotJson() {
    open(RealtimeSimulator.builder());
    send("{");

    assertThat(next("error").at("/error/code").stringValue()).isEqualTo("invalid_json");
  }

  @Test
  void aSessionLastsAnHour() {
    open(RealtimeSimulator.builder());
    next("session.created");
    time.advance(Duration.ofMinutes(60));

    await().until(() -> !client.closed.isEmpty());
    assertThat(client.closed.getFirst())
        .isEqualTo("1001 Your session hit the maximum duration of 60 minutes.");
  }

  @Test
  void theVoiceStaysOnceItWasHeard() {
    open(RealtimeSimulator.builder().replies(Reply.say("Hi")));
    send(
        "{'type':'session.update','session':{'type':'realtime','audio':{'output':{'voice':'cedar'}}}}");
    next("session.updated");
    send("{'type':'response.create'}");
    next("response.done");
    send(
        "{'type':'session.update','session':{'type':'realtime','audio':{'output':{'voice':'marin'}}}}");

    assertThat(next("error").at("/error/code").stringValue()).isEqualTo("cannot_update_voice");
  }

  @Test
  void audioComesFasterThanItIsSpokenByItsClock() {
    open(RealtimeSimulator.builder().replies(Reply.say("Hello")).pace(4));
    setUp();
    send("{'type':'response.create'}");
    JsonNode first = next("response.output_audio.delta");
    assertThat(Base64.getDecoder().decode(first.path("delta").stringValue())).hasSize(800);
    assertThat(client.events).noneMatch(event -> isOf(event, "response.output_audio.delta"));
    for (int piece = 2; piece <= 3; piece++) {
      time.awaitSleepers(2); // the response, and the end of the session
      time.advance(Duration.ofMillis(25));
      next("response.output_audio.delta");
    }
    time.awaitSleepers(2);
    time.advance(Duration.ofMillis(25));

    assertThat(Speech.lengthOf("Hello")).isEqualTo(Duration.ofMillis(280));
    next("response.done");
  }

  @Test
  void detectsTurnsByLoudnessAndUnderstandsWhatTheScriptSays() {
    open(RealtimeSimulator.builder().transcripts("Hello"));
    setUp();
    append(MuLaw.silence(Duration.ofMillis(500)));
    append(Speech.of("Hello"));
    append(MuLaw.silence(Duration.ofMillis(240)));
    assertThat(next("input_audio_buffer.speech_started").path("audio_start_ms").intValue())
        .isEqualTo(500);
    assertThat(client.events).noneMatch(event -> isOf(event, "input_audio_buffer.speech_stopped"));
    append(MuLaw.silence(Duration.ofMillis(40)));

    next("input_audio_buffer.speech_stopped");
    String item = next("input_audio_buffer.committed").path("item_id").stringValue();
    JsonNode heard = next("conversation.item.input_audio_transcription.completed");
    assertThat(heard.path("item_id").stringValue()).isEqualTo(item);
    assertThat(heard.path("transcript").stringValue()).isEqualTo("Hello");
    assertThat(client.events).noneMatch(event -> isOf(event, "response.created"));
  }

  private void append(byte[] audio) {
    send(
        "{'type':'input_audio_buffer.append','audio':'"
            + Base64.getEncoder().encodeToString(audio)
            + "'}");
  }

  @Test
  void createsAndInterruptsByItselfUnlessItIsToldNotTo() {
    open(RealtimeSimulator.builder().replies(Reply.say("a").held(), Reply.say("b")));
    next("session.created");
    simulator.session().callerSaid("Hello");
    next("response.created");
    next("response.output_audio.done");
    simulator.session().callerSpeaks();

    JsonNode done = next("response.done");
    assertThat(done.at("/response/status").stringValue()).isEqualTo("cancelled");
    assertThat(done.at("/response/status_details/reason").stringValue()).isEqualTo("turn_detected");
  }

  @Test
  void repliesByWhatWasSaid() {
    open(
        RealtimeSimulator.builder()
            .script(view ->
                view.output("c1") == null
                    ? Reply.call("c1", "look_up", "{\"q\":\"" + view.last("user") + "\"}")
                    : Reply.say("It is " + view.output("c1"))));
    setUp();
    simulator.session().callerSaid("x");
    send("{'type':'response.create'}");
    JsonNode call = next("response.output_item.done").path("item");
    assertThat(call.path("arguments").stringValue()).isEqualTo("{\"q\":\"x\"}");
    next("response.done");
    send(
        "{'type':'conversation.item.create','item':{'type':'function_call_output','call_id':'c1','output':'blue'}}");
    send("{'type':'response.create'}");

    assertThat(next("response.output_audio_transcript.done").path("transcript").stringValue())
        .isEqualTo("It is blue");
    assertThat(simulator.session().lines())
        .extracting(line -> line.role() + ": " + line.text())
        .containsExactly(
            "user: x", "call: look_up {\"q\":\"x\"}", "output: blue", "assistant: It is blue");
  }
}
