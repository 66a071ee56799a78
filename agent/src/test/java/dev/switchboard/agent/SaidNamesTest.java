package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names that a model says although no tool has them.
class SaidNamesTest {
  private static final String LONG = "n".repeat(64);

  private final List<String> ran = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .handler(arguments -> {
          ran.add(name);
          return "done";
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete/user",
        "delete.user",
        "delete user",
        " delete_user",
        "s__dots.in.name",
        "delete_üser",
        "",
        " ",
        "functions.delete_user",
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
      })
  void runNoOtherTool(String said) {
    ScriptedModel model = new ScriptedModel().calls(said, "{}").says("Sorry.").says("Hello.");
    Agent agent =
        Agent.builder("test")
            .model(model)
            .tools(
                tool("delete_user"),
                tool("_delete_user"),
                tool("s__dots_in_name"),
                tool("functions_delete_user"),
                tool("unnamed"),
                tool("_"),
                tool(LONG))
            .build();
    Conversation conversation = agent.conversation("c");

    assertThat(conversation.say("Go", events::add)).isEqualTo(new Turn.Reply("Sorry."));
    assertThat(conversation.say("On", events::add)).isEqualTo(new Turn.Reply("Hello."));

    assertThat(ran).isEmpty();
    ToolResult result = settled().result();
    assertThat(result.code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
    assertThat(settled().tool()).isEqualTo(said.isBlank() ? "(no name)" : said);
    List<Message> history = model.lastRequest().messages();
    assertThat(history)
        .anySatisfy(message -> {
          assertThat(message).isInstanceOf(Message.Assistant.class);
          assertThat(((Message.Assistant) message).calls())
              .isNotEmpty()
              .allMatch(call -> call.name().matches("[A-Za-z0-9_-]{1,64}"));
        });
  }

  @Test
  void ofArgumentsAreTheSameInACallAndItsRequestForConsent() {
    ScriptedModel model = new ScriptedModel().calls("delete", "{\"gr_e\":1}");
    Agent agent =
        Agent.builder("test")
            .model(model)
            .tools(
                Tool.dynamic(
                        "delete",
                        "{\"type\":\"object\",\"properties\":{\"größe\":{\"type\":\"integer\"}}}")
                    .mode(ToolMode.LOCAL)
                    .handler(arguments -> "done"))
            .build();

    Turn turn = agent.conversation("c").say("Go", events::add);

    List<Json> shown = new ArrayList<>();
    events.forEach(event -> {
      if (event instanceof Event.ToolCalled called) {
        shown.add(called.call().arguments());
      }
    });
    assertThat(turn).isInstanceOf(Turn.Pending.class);
    ((Turn.Pending) turn).requests().forEach(asked -> shown.add(asked.call().arguments()));
    assertThat(shown).containsExactly(Json.text("{\"größe\":1}"), Json.text("{\"größe\":1}"));
  }

  private Event.ToolSettled settled() {
    return events.stream()
        .filter(Event.ToolSettled.class::isInstance)
        .map(Event.ToolSettled.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
