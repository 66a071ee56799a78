package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Answers that Jackson writes, and that could not be read from the store again.
class UnreadableAnswersTest {
  private static final String HALF = "Great \uD83D\uDE00".substring(0, 7);
  private static final Map<String, String> HALVED = Map.of("note", HALF);

  @TempDir private Path folder;
  private final List<Event> events = new ArrayList<>();

  record Note(String note) {}

  record Raw(@JsonRawValue String raw) {}

  record Open(String name, @JsonAnyGetter Map<String, String> more) {}

  record Outer(String name, @JsonUnwrapped Open inner) {}

  sealed interface Tagged {
    record One(String type) implements Tagged {}
  }

  private ToolResult settledBy(Object answer) {
    ScriptedModel model =
        new ScriptedModel().calls("get_it", "{}").says("Done.").says("And again.");
    try (ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "test")) {
      Agent agent =
          Agent.builder("test")
              .model(model)
              .tools(Tool.dynamic("get_it").handler(arguments -> answer))
              .store(store)
              .build();
      assertThat(agent.conversation("c").say("Go", events::add)).isEqualTo(new Turn.Reply("Done."));
      assertThat(agent.conversation("c").say("On", events::add))
          .isEqualTo(new Turn.Reply("And again."));
    }
    return events.stream()
        .filter(Event.ToolSettled.class::isInstance)
        .map(event -> ((Event.ToolSettled) event).result())
        .reduce((one, other) -> {
          throw new AssertionError("two results");
        })
        .orElseThrow();
  }

  static List<Object> halved() {
    return List.of(
        HALVED,
        new Note(HALF),
        Json.of(HALVED),
        Codec.object().put("note", HALF),
        ToolResult.ok(Json.of(HALVED)),
        ToolResult.builder(true).data(Json.of(HALVED)).build());
  }

  @ParameterizedTest
  @MethodSource("halved")
  void halfACharacterIsReplaced(Object answer) {
    ToolResult result = settledBy(answer);

    assertThat(String.valueOf(result.data())).isEqualTo("{\"note\":\"Great \uFFFD\"}");
    assertThat(Json.text(result.toString()).tree().path("success").asBoolean()).isTrue();
  }

  @Test
  void halfACharacterIsReplacedInEachMemberOfAResult() {
    ToolResult own =
        ToolResult.builder(false)
            .error(HALF)
            .message(HALF)
            .nextAction(HALF)
            .needsFollowup(true)
            .more(Map.of("rows", Json.of(HALVED)))
            .build();

    ToolResult result = settledBy(own);

    assertThat(List.of(String.valueOf(result.error()), String.valueOf(result.message())))
        .containsOnly("Great \uFFFD");
    assertThat(result.nextAction()).isEqualTo("Great \uFFFD");
    assertThat(result.more()).containsEntry("rows", Json.text("{\"note\":\"Great \uFFFD\"}"));
    Json.text(result.toString()).check();
  }

  static List<Object> unreadable() {
    BigInteger huge = BigInteger.TEN.pow(2000);
    return List.of(
        Map.of(1, "a", "1", "b"),
        Map.of("\uD83D", 1, "\uDE00", 2),
        Map.of("n", huge),
        Codec.object().put("n", huge),
        Map.of("n".repeat(60_000), 1),
        new Raw("{broken"),
        new Raw("\"\\ud83d\""),
        new Open("a", Map.of("name", "b")),
        new Outer("a", new Open("b", Map.of())),
        new Tagged.One("other"),
        ToolResult.builder(true).data(Json.of(Map.of("n", huge))).text("x").build(),
        ToolResult.builder(true).more(Map.of("n", Json.of(new Raw("x")))).text("x").build());
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void whatCannotBeReadHasFailedOnce(Object answer) {
    ToolResult result = settledBy(answer);

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).startsWith("Tool failed after 1 attempt: ");
    Json.text(result.toString()).check();
  }
}
