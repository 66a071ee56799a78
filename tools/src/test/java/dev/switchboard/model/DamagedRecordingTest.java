package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DamagedRecordingTest {
  private static final String HEADER = "{\"recording\":1,\"model\":\"m\"}\n";
  private static final String FIRST =
      "{\"from\":0,\"messages\":[{\"role\":\"user\",\"text\":\"a\"}],\"reply\":{\"text\":\"b\"}}\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"model":"m"}   | is not a recording: one begins with {"recording":1,"model":"..."}
          ["recording"]   | is not a recording: one begins with {"recording":1,"model":"..."}
          {"recording":2} | is a recording of version 2; version 1 can be read
          {"recording"    | is not JSON: it ends too early (column 13)
          """)
  void namesWhatIsWrongWithTheFirstLine(String line, String fault) {
    assertThatThrownBy(() -> Talk.replay(line + "\n" + FIRST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("talk.jsonl:1: " + fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"messages":[],"reply":{}}                             | 'from' is missing
          {"from":2,"messages":[],"reply":{}}                    | 'from' is 2, and the request before had only 1
          {"from":1,"messages":{},"reply":{}}                    | 'messages' must be a list
          {"from":1,"messages":[{"text":"x"}],"reply":{}}        | 'messages[0]' has no type
          {"from":1,"messages":[{"role":"x"}],"reply":{}}        | 'x' is not a type that is known here
          {"from":1,"messages":[],"tools":[],"reply":{}}         | 'tools' must be an object
          {"from":1,"messages":[],"choice":"x","reply":{}}       | 'choice' must be one of auto, required, none
          {"from":1,"messages":[],"fragments":[1],"reply":{}}    | 'fragments[0]' must be a text
          {"from":1,"messages":[]}                               | one of 'reply' and 'failure' must be there, an object
          {"from":1,"messages":[],"reply":{},"failure":{"kind":"broken"}} | one of 'reply' and 'failure' must be there, an object
          {"from":1,"messages":[],"failure":{"kind":"x"}}        | 'failure.kind' must be one of rate_limited, unavailable, broken, timeout, refused, too_long, unsupported, not_found, denied, cancelled, empty, filtered
          {"from":1,"mess                                        | is not JSON: it ends too early (column 16)
          """)
  void namesTheLineAndWhatIsWrongThere(String line, String fault) {
    assertThatThrownBy(() -> Talk.replay(HEADER + FIRST + "\n" + line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("talk.jsonl:4: " + fault);
  }

  @Test
  void readsNothingAsNoRecording() {
    assertThatThrownBy(() -> Talk.replay("\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "talk.jsonl:1: is empty: a recording begins with {\"recording\":1,\"model\":\"...\"}");
  }

  @Test
  void ignoresMembersThatItDoesNotKnow() {
    String line = FIRST.replace("{\"from\"", "{\"later\":true,\"from\"");

    assertThat(
            Talk.replay(HEADER + line)
                .reply(ModelRequest.of(new Message.User("a")), ReplyStream.unheard())
                .text())
        .isEqualTo("b");
  }
}
