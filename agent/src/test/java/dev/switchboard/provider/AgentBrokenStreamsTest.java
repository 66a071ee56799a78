package dev.switchboard.provider;

import static dev.switchboard.provider.AgentTalk.ANSWER;
import static dev.switchboard.provider.AgentTalk.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.provider.ConversationsContract.Way;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An agent whose model asks for two tools in a stream, as it was recorded, that breaks at every
/// possible place, as no server does on demand.
class AgentBrokenStreamsTest {
  private static final String MALFORMED = "data: {\"choices\":[{\n\n";

  static Stream<Way> streamedWays() {
    return ConversationsContract.streamedWays();
  }

  @ParameterizedTest
  @MethodSource("streamedWays")
  void runsNoToolOfAStreamThatIsCutAnywhere(Way way) {
    List<StubAnswer> broken = new ArrayList<>();
    List<String> events = events(way);
    for (int i = 0; i < events.size(); i++) {
      String event = events.get(i);
      String before = String.join("", events.subList(0, i));
      broken.add(stream(before).contentLength(before.length() + 1000L));
      broken.add(stream(before + event.substring(0, event.length() / 2)).contentLength(99_999));
    }
    assertBreaks(way, broken);
  }

  @ParameterizedTest
  @MethodSource("streamedWays")
  void runsNoToolOfAStreamWithAChunkAnywhereThatIsNotJson(Way way) {
    List<StubAnswer> broken = new ArrayList<>();
    for (int i = 0; i < events(way).size(); i++) {
      List<String> events = new ArrayList<>(events(way));
      events.add(i, MALFORMED);
      broken.add(stream(String.join("", events)));
    }
    assertBreaks(way, broken);
  }

  /// Each of these answers ends a turn, in one conversation that goes on well after all of them.
  private static void assertBreaks(Way way, List<StubAnswer> broken) {
    try (StubWebhook server = StubWebhook.start()) {
      AgentTalk talk =
          new AgentTalk(way, AgentTalk.options(way, server.url(), "x", Duration.ofSeconds(20)));
      // A turn asks three times, since nobody has heard a word.
      broken.forEach(answer -> server.answer(answer).answer(answer).answer(answer));
      Iterator<Exchange> good = List.of(recorded(way, 1), recorded(way, 2)).iterator();
      server.answer(request -> good.next().stub());
      for (int i = 0; i < broken.size(); i++) {
        assertThat(talk.say(QUESTION))
            .as("answer %d", i)
            .isEqualTo(AgentConversationsContract.unreachable(Kind.BROKEN));
      }
      assertThat(talk.ran()).isEmpty();
      assertThat(talk.conversation().history()).noneMatch(Message.Result.class::isInstance);

      assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);

      assertThat(talk.ran()).containsExactly("check_table", "get_weather");
      assertThat(server.requests()).hasSize(3 * broken.size() + 2);
      Answered.assertEveryCall(
          server.requests().stream().map(StubRequest::json).map(json -> json.tree()).toList());
    }
  }

  /// The events of the recorded answer that asks for two tools.
  private static List<String> events(Way way) {
    return List.of(recorded(way, 1).answer().split("(?<=\n\n)"));
  }

  private static Exchange recorded(Way way, int number) {
    return Exchange.read(Places.exchanges().resolve("agent/" + way + "/two-tools"), number);
  }

  private static StubAnswer stream(String body) {
    return StubAnswer.of(200, body).contentType("text/event-stream");
  }
}
