package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.Message.Attachment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Files in the user's sentence, as each dialect has them.
class PartsTest {
  private static final String URL = "data:image/gif;base64,R0lGODlh";
  private static final Attachment DOT = new Attachment("image/gif", "R0lGODlh", null);

  private static JsonNode json(String text) {
    return Json.text(text).tree();
  }

  @Test
  void ofChatCompletions() {
    assertThat(
            Parts.ofChat(
                json(
                    """
                    [{"type":"text","text":"Look: "},
                     {"type":"image_url","image_url":{"url":"%s","detail":"low"}},
                     {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0x"}}]
                    """
                        .formatted(URL))))
        .isEqualTo(
            new Message.User(
                "Look: ", DOT, new Attachment("application/pdf", "JVBERi0x", "a.pdf")));
  }

  @Test
  void ofAgUi() {
    assertThat(
            Parts.ofAgUi(
                json(
                    """
                    [{"type":"image","source":{"type":"data","value":"R0lGODlh","mimeType":"image/gif"}},
                     {"type":"document","source":{"type":"url","value":"%1$s"},"metadata":{"filename":"b"}},
                     {"type":"binary","mimeType":"image/gif","data":"R0lGODlh","filename":"c"},
                     {"type":"binary","mimeType":"image/gif","url":"%1$s"}]
                    """
                        .formatted(URL))))
        .isEqualTo(new Message.User("", DOT, DOT.named("b"), DOT.named("c"), DOT));
  }

  @Test
  void ofTheAiSdk() {
    JsonNode parts =
        json(
            """
            [{"type":"file","mediaType":"image/gif","filename":"a.gif","url":"%s"},
             {"type":"step-start"},{"type":"text","text":"What is it?"}]
            """
                .formatted(URL));

    assertThat(Parts.ofUi(parts.valueStream().toList()))
        .isEqualTo(new Message.User("What is it?", DOT.named("a.gif")));
  }

  @Test
  void ofOurOwn() {
    JsonNode body =
        json(
            "{\"files\":[{\"type\":\"image/gif\",\"data\":\"R0lGODlh\"},{\"url\":\"%s\",\"name\":\"x\"}]}"
                .formatted(URL));

    assertThat(Parts.own("Hi", body)).isEqualTo(new Message.User("Hi", DOT, DOT.named("x")));
    assertThatThrownBy(() -> Parts.own(" ", json("{\"files\":[]}")))
        .isInstanceOf(BadRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/a.png",
        "http://127.0.0.1/a.png",
        "file:///etc/passwd",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/png;base64,R0lGODlh",
        "data:image/gif;base64,R0lGODl",
        ""
      })
  void noOtherUrlIsTakenByAnyDialect(String url) {
    String quoted = Json.of(url).text();
    assertRefused(() ->
        Parts.ofChat(
            json("[{\"type\":\"image_url\",\"image_url\":{\"url\":%s}}]".formatted(quoted))));
    assertRefused(() ->
        Parts.ofAgUi(
            json(
                "[{\"type\":\"image\",\"source\":{\"type\":\"url\",\"value\":%s}}]"
                    .formatted(quoted))));
    assertRefused(() -> Parts.ofAgUi(json("[{\"type\":\"binary\",\"url\":%s}]".formatted(quoted))));
    assertRefused(() ->
        Parts.ofUi(
            json("[{\"type\":\"file\",\"url\":%s}]".formatted(quoted)).valueStream().toList()));
    assertRefused(() -> Parts.own("Hi", json("{\"files\":[{\"url\":%s}]}".formatted(quoted))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"type\":\"input_audio\"}]",
        "[{\"type\":\"video\",\"source\":{}}]",
        "[{\"type\":\"image\"}]",
        "[{\"type\":\"image_url\",\"image_url\":\"x\"}]",
        "[{\"type\":\"file\",\"file\":{\"file_id\":\"f\"}}]",
        "[{\"type\":\"text\"}]",
        "[7]",
        "[]"
      })
  void otherPartsAreRefusedInASentence(String content) {
    assertRefused(() -> Parts.ofChat(json(content)));
    assertRefused(() -> Parts.ofAgUi(json(content)));
  }

  @Test
  void aSentenceHasAtMostTenFiles() {
    String part = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"" + URL + "\"}}";
    String ten = part + ("," + part).repeat(9);

    assertThat(Parts.ofChat(json("[" + ten + "]")).files()).hasSize(10);
    assertThatThrownBy(() -> Parts.ofChat(json("[" + ten + "," + part + "]")))
        .isInstanceOfSatisfying(
            BadRequestException.class,
            e -> assertThat(e.sentence()).isEqualTo("A sentence has at most 10 files."));
  }

  @Test
  void whatIsToldIsSaidInWords() {
    assertThat(
            Parts.shown(
                json(
                    """
                    {"id":"m","text":"Look","files":[{"type":"image/gif","size":6,"name":"a"},{"type":"text/plain","size":2000}]}
                    """)))
        .isEqualTo("Look\n[image/gif, 6 bytes, a]\n[text/plain, 2 kB]");
    assertThat(Parts.shown(json("{\"text\":\"Hi\"}"))).isEqualTo("Hi");
  }

  private static void assertRefused(ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            BadRequestException.class,
            e -> assertThat(e.sentence()).endsWith(".").doesNotContain("\n"));
  }
}
