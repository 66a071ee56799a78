package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {
  private static final String AG_UI =
      """
      {"threadId":"t1","runId":"r4","state":{},"context":[],"tools":[{"name":"x"}],
       "messages":[{"id":"u1","role":"user","content":"Old."},
         {"id":"m1","role":"assistant","content":"Hm."},
         {"id":"u2","role":"user","content":[{"type":"text","text":"Cancel "},{"type":"text","text":"it."}]}],
       "resume":[{"interruptId":"t1:c1","status":"resolved","payload":{"approved":true,"editedArgs":{"reservation":"R2"}}},
         {"interruptId":"t1:c2","status":"resolved","payload":{"approved":true,"for":"10m"}},
         {"interruptId":"t1:c3","status":"resolved","payload":{"approved":false,"reason":"no"}},
         {"interruptId":"t1:c4","status":"cancelled"},
         {"interruptId":"other:c5","status":"cancelled"}]}
      """;
  private static final String AI_SDK =
      """
      {"id":"t1","trigger":"submit-message","messages":[{"id":"m1","role":"assistant","parts":[
        {"type":"dynamic-tool","toolCallId":"c1","state":"approval-responded","input":{"hostile":1},
         "approval":{"id":"t1:c1","approved":true}},
        {"type":"tool-x","toolCallId":"c2","state":"approval-responded",
         "approval":{"id":"t1:c2","approved":false,"reason":"not now"}},
        {"type":"tool-x","toolCallId":"c3","state":"output-available",
         "approval":{"id":"t1:c3","approved":true}}]}]}
      """;
  private static final String CHAT =
      """
      {"model":"bistro","stream":true,"stream_options":{"include_usage":true},"temperature":0.2,
       "metadata":{"conversation":"t1"},"tools":[],
       "messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":null},
         {"role":"assistant","content":"Hi."},{"role":"user","content":[{"type":"text","text":"A table."}]}]}
      """;

  @Test
  void readsARunOfAgUi() {
    AgUiInput input = AgUiInput.read(AG_UI);
    assertThat(input.thread()).isEqualTo("t1");
    assertThat(input.run()).isEqualTo("r4");
    assertThat(input.said()).isEqualTo(new Input.Said("u2", "Cancel it."));
    assertThat(input.answers())
        .containsExactly(
            new Input.Answered(
                "r4/c1", "c1", Answer.approveOnce().with(Json.text("{\"reservation\":\"R2\"}"))),
            new Input.Answered("r4/c2", "c2", Answer.approveFor(Duration.ofMinutes(10))),
            new Input.Answered("r4/c3", "c3", Answer.deny("no")),
            new Input.Answered("r4/c4", "c4", Answer.deny("abandoned")));
    assertThat(input.notices())
        .containsExactly(
            "The tools of the client are not used: the agent has its own.",
            "No interrupt 'other:c5' is open.");
  }

  @Test
  void readsARunWithoutWords() {
    AgUiInput input = AgUiInput.read("{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[]}");
    assertThat(input.said()).isNull();
    assertThat(input.answers()).isEmpty();
    assertThat(input.notices()).isEmpty();
  }

  @Test
  void readsAnswersOfTheAiSdkWithoutTheirInput() {
    UiInput input = UiInput.read(AI_SDK);
    assertThat(input.conversation()).isEqualTo("t1");
    assertThat(input.message()).isEqualTo("m1");
    assertThat(input.said()).isNull();
    assertThat(input.answers())
        .containsExactly(
            new Input.Answered("t1:c1", "c1", Answer.approveOnce()),
            new Input.Answered("t1:c2", "c2", Answer.deny("not now")));
  }

  @Test
  void readsWordsOfTheAiSdk() {
    UiInput input =
        UiInput.read(
            """
            {"id":"t1","messages":[{"id":"u7","role":"user","parts":[
              {"type":"text","text":"A \\ud83d"},{"type":"data-x","data":1},{"type":"text","text":" table."}]}]}
            """);
    assertThat(input.said()).isEqualTo(new Input.Said("u7", "A \uFFFD table."));
    assertThat(input.answers()).isEmpty();
  }

  @Test
  void readsAChatCompletion() {
    ChatInput input = ChatInput.read(CHAT, false);
    assertThat(input)
        .isEqualTo(
            new ChatInput(
                "bistro",
                "t1",
                List.of(
                    new Message.User("Hello"),
                    new Message.Assistant("Hi.", List.of()),
                    new Message.User("A table.")),
                true,
                true));
    assertThat(input.said()).isEqualTo(new Message.User("A table."));
  }

  @Test
  void takesSystemMessagesWhereTheyAreAllowed() {
    String body =
        "{\"model\":\"b\",\"messages\":[{\"role\":\"system\",\"content\":\"Be"
            + " brief.\"},{\"role\":\"user\",\"content\":\"Hi\"}]}";
    assertThat(ChatInput.read(body, true).messages())
        .containsExactly(new Message.System("Be brief."), new Message.User("Hi"));
    assertThat(refusal(() -> ChatInput.read(body, false)).sentence())
        .isEqualTo(
            "Messages of the role 'system' are not taken here: start the server with"
                + " --client-system to take them.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "\"tools\":[{}]|tools",
        "\"functions\":[{}]|functions",
        "\"n\":2|n",
        "\"logprobs\":true|logprobs",
        "\"audio\":{}|audio",
        "\"modalities\":[\"audio\"]|modalities"
      })
  void namesWhatIsNotSupported(String member, String name) {
    BadRequestException refusal =
        refusal(() -> ChatInput.read(CHAT.replace("\"tools\":[]", member), false));
    assertThat(refusal.code()).isEqualTo("unsupported_parameter");
    assertThat(refusal.parameter()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"approved\":1}",
        "{\"approved\":true,\"editedArgs\":[]}",
        "{\"approved\":true,\"for\":10}",
        "{\"approved\":true,\"for\":\"soon\"}"
      })
  void refusesAnAnswerThatIsNone(String payload) {
    String body =
        "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[],\"resume\":[{\"interruptId\":\"t1:c1\",\"status\":\"resolved\",\"payload\":%s}]}"
            .formatted(payload);
    assertThat(refusal(() -> AgUiInput.read(body)).code()).isEqualTo("invalid_arguments");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{",
        "{\"a\":1,\"a\":2}",
        "{}",
        "{\"threadId\":7}",
        "{\"threadId\":\"a b\"}",
        "{\"threadId\":\"t1\",\"runId\":\"\"}",
        "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":{}}",
        "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[{\"role\":\"user\"}]}",
        "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[{\"role\":\"user\",\"id\":\"u\",\"content\":\""
            + " \"}]}",
        "{\"threadId\":\"t1\",\"runId\":\"r1\",\"messages\":[{\"role\":\"user\",\"id\":\"u\",\"content\":[{\"type\":\"image\"}]}]}",
        "{\"id\":\"t1\",\"trigger\":\"regenerate-message\",\"messages\":[]}",
        "{\"id\":\"t1\",\"messages\":[]}",
        "{\"id\":\"t1\",\"messages\":[{\"id\":\"m\",\"role\":\"assistant\",\"parts\":[]}]}",
        "{\"id\":\"t1\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"parts\":[{\"type\":\"file\"}]}]}",
        "{\"model\":\"b\",\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}",
        "{\"model\":\"b\",\"messages\":[{\"role\":\"assistant\",\"content\":\"x\"}]}"
      })
  void refusesInOneSentence(String body) {
    for (Function<String, ?> reader : readers()) {
      String sentence = refusal(() -> reader.apply(body)).sentence();
      assertThat(sentence).endsWith(".").doesNotContain("\n");
    }
  }

  @Test
  void refusesMoreWordsThanAUserMaySay() {
    String most = "a".repeat(MemberReader.LONGEST_TEXT);
    String body =
        "{\"id\":\"t1\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"%s\"}]}]}";
    assertThat(UiInput.read(body.formatted(most)).said()).isNotNull();
    assertThat(refusal(() -> UiInput.read(body.formatted(most + "a"))).sentence())
        .isEqualTo("`parts` has more than 100000 characters.");
  }

  @Test
  void refusesNothingOtherwiseThanInASentence() {
    Random random = new Random(13);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder body = new StringBuilder(List.of(AG_UI, AI_SDK, CHAT).get(i % 3));
      for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
        int at = random.nextInt(body.length());
        int to = Math.min(body.length(), at + random.nextInt(12));
        String[] pieces = {"", "null", "[]", "{}", "1e999", "\"", "\\ud83d", "true", ",", "[[[["};
        body.replace(at, to, pieces[random.nextInt(pieces.length)]);
      }
      for (Function<String, ?> reader : readers()) {
        try {
          assertThat(reader.apply(body.toString())).isNotNull();
        } catch (BadRequestException expected) {
          assertThat(expected.sentence()).isNotEmpty();
        }
      }
    }
  }

  private static List<Function<String, ?>> readers() {
    return List.of(AgUiInput::read, UiInput::read, body -> ChatInput.read(body, false));
  }

  private static BadRequestException refusal(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable reading) {
    BadRequestException thrown = catchThrowableOfType(BadRequestException.class, reading);
    assertThat(thrown).isNotNull();
    return thrown;
  }
}
