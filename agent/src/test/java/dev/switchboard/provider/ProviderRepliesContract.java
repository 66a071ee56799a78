package dev.switchboard.provider;

import static dev.switchboard.provider.ProviderPlace.heard;
import static dev.switchboard.provider.ProviderPlace.options;
import static dev.switchboard.provider.ProviderPlace.serving;
import static dev.switchboard.provider.ProviderPlace.sse;
import static dev.switchboard.provider.ProviderPlace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client makes of answers, whole and as they come.
interface ProviderRepliesContract extends ProviderPlace {
  @Test
  default void handsOnTheWordsAsTheyComeAndRepliesWithAll() {
    try (StubWebhook server = serving(sse(events()))) {
      List<String> heard = new ArrayList<>();

      ModelReply reply = at(server).reply(HELLO, new ReplyStream(heard::add));

      assertThat(reply.text()).isEqualTo("Hello there");
      assertThat(heard).containsExactly("Hello", " there");
      assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.STOP);
      assertThat(reply.usage().input()).isEqualTo(9);
      assertThat(reply.usage().output()).isEqualTo(2);
      assertThat(server.requests().getFirst().json().tree().path("stream").asBoolean()).isTrue();
    }
  }

  @Test
  default void takesAWholeAnswerWhereNoOneListens() {
    try (StubWebhook server = serving(StubAnswer.of(200, whole()))) {
      ModelReply reply = at(server).reply(HELLO, ReplyStream.unheard());

      assertThat(reply.text()).isEqualTo("Hello there");
      assertThat(reply.usage().input()).isEqualTo(9);
      assertThat(server.requests().getFirst().json().tree().path("stream").asBoolean(false))
          .isEqualTo(alwaysStreams());
    }
  }

  @Test
  default void takesAWholeAnswerWhereItAskedForAStream() {
    try (StubWebhook server = serving(StubAnswer.of(200, whole()))) {
      List<String> heard = new ArrayList<>();

      assertThat(at(server).reply(HELLO, new ReplyStream(heard::add)).text())
          .isEqualTo("Hello there");
      assertThat(heard).containsExactly("Hello there");
    }
  }

  @Test
  default void readsCommentsCarriageReturnsAndAByteOrderMark() {
    String body =
        "\ufeff: hello\r\nretry: 10\r\n\r\n"
            + text(events()).replace("data: ", "data:").replace("\n", "\r\n")
            + ": bye\r\n";
    try (StubWebhook server = serving(sse(body))) {
      assertThat(heard(at(server)).text()).isEqualTo("Hello there");
    }
  }

  @Test
  default void joinsALetterThatTwoEventsShare() {
    try (StubWebhook server = serving(sse(spoken("a\\ud83d", "\\ude00b")))) {
      List<String> heard = new ArrayList<>();

      assertThat(at(server).reply(HELLO, new ReplyStream(heard::add)).text())
          .isEqualTo("Helloa\ud83d\ude00b there");
      assertThat(heard).containsExactly("Hello", "a", "\ud83d\ude00b", " there");
    }
  }

  @Test
  default void repairsALetterThatLacksItsOtherHalf() {
    try (StubWebhook server = serving(sse(spoken("\\ud83d", "b", "\\ude00", "\\ud83d")))) {
      List<String> heard = new ArrayList<>();

      assertThat(at(server).reply(HELLO, new ReplyStream(heard::add)).text())
          .isEqualTo("Hello\ufffdb\ufffd\ufffd there");
      assertThat(String.join("", heard)).isEqualTo("Hello\ufffdb\ufffd\ufffd there");
    }
    try (StubWebhook server =
        serving(StubAnswer.of(200, whole().replace("Hello there", "Hello\\ud83d")))) {
      assertThat(at(server).reply(HELLO, ReplyStream.unheard()).text()).isEqualTo("Hello\ufffd");
    }
  }

  @Test
  default void isBrokenWhereverTheStreamIsCut() {
    for (int i = 0; i < events().size(); i++) {
      String before = text(events().subList(0, i));
      String event = events().get(i);
      String half = before + "data: " + event.substring(0, event.length() / 2);
      for (String cut : List.of(before, half)) {
        long more = text(events()).length();
        assertThat(failure(sse(cut).contentLength(more), options()).kind())
            .as("cut after %s", cut)
            .isEqualTo(Kind.BROKEN);
        assertThat(failure(sse(cut), options()).kind()).as("ended").isEqualTo(Kind.BROKEN);
      }
    }
  }

  @Test
  default void isBrokenByAChunkThatIsNotJson() {
    List<String> events = new ArrayList<>(events());
    events.add(1, "{\"choices\":[{");

    ModelException failure = failure(sse(events), options());

    assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
    assertThat(failure).hasMessageContaining("not JSON");
  }

  @Test
  default void tellsOfAnErrorInTheMiddleOfAStream() {
    List<String> events = new ArrayList<>(events());
    events.add(2, errorEvent());

    ModelException failure = failure(sse(events), options());

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("Too many people");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"message\":\"Too many people\"}",
        "{\"detail\":\"Too many people\"}",
        "{\"error\":\"Too many people\"}",
        "Too many people"
      })
  default void tellsOfAnEventThatIsNamedError(String data) {
    for (int i = 0; i < 3; i++) {
      String body = text(events().subList(0, i)) + "event: error\ndata: " + data + "\n\n";
      ModelException failure = failure(sse(body), options());

      assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
      assertThat(failure).hasMessageEndingWith("broke off: Too many people.");
    }
  }

  @Test
  default void readsBareCarriageReturns() {
    try (StubWebhook server = serving(sse(text(events()).replace("\n", "\r")))) {
      assertThat(heard(at(server)).text()).isEqualTo("Hello there");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "Hello"})
  default void isBrokenByAnAnswerThatCannotBeRead(String body) {
    assertThat(failure(StubAnswer.of(200, body), options(), false).kind()).isEqualTo(Kind.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{}", "\"Hello\"", "null", "{\"ok\":true}", "<html>Hello</html>"})
  default void namesTheBaseUrlWhereAnotherServiceAnswers(String body) {
    for (boolean wanted : List.of(true, false)) {
      assertMisplaced(failure(StubAnswer.of(200, body), options(), wanted));
    }
  }

  @ParameterizedTest
  @CsvSource({"text/html; charset=utf-8, text/html", "text/plain, text/plain"})
  default void namesTheTypeThatAnotherServiceAnswers(String type, String told) {
    for (boolean wanted : List.of(true, false)) {
      StubAnswer answer = StubAnswer.of(200, "Ollama is running").contentType(type);
      ModelException failure = failure(answer, options(), wanted);

      assertMisplaced(failure);
      assertThat(failure).hasMessageEndingWith("answered " + told + ": check base_url.");
    }
  }

  @Test
  default void namesTheBaseUrlWhereTheEventsAreAnotherServices() {
    assertMisplaced(failure(sse(List.of("{\"event\":\"hello\"}", "{}")), options()));
  }

  private static void assertMisplaced(ModelException failure) {
    assertThat(failure.kind()).isEqualTo(Kind.DENIED);
    assertThat(failure.kind().passing()).isFalse();
    assertThat(failure).hasMessageEndingWith(": check base_url.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"n\":1,,", "[1]", "null", "{\"n\":\"\\ud83d\"}", "{\"n\":1e999}"})
  default void sendsNoArgumentsBackThatNoServerReads(String arguments) {
    try (StubWebhook server = serving(StubAnswer.of(200, whole()))) {
      RequestedCall call = RequestedCall.of("c1", "get_it", arguments);
      ModelRequest request =
          ModelRequest.of(
              new Message.User("Go"),
              new Message.Assistant("", List.of(call)),
              new Message.Result("c1", "get_it", "refused", false));

      assertThat(at(server).reply(request, ReplyStream.unheard()).text()).isEqualTo("Hello there");
      assertThat(arguments(server.requests().getFirst().json().tree()))
          .isEqualTo(Json.EMPTY_OBJECT.tree());
    }
  }

  @Test
  default void letsAListenersExceptionThrough() {
    try (StubWebhook server = serving(sse(events()))) {
      ReplyStream stream =
          new ReplyStream(text -> {
            throw new IllegalStateException("full");
          });
      assertThatThrownBy(() -> at(server).reply(HELLO, stream))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("full");
    }
  }
}
