package dev.switchboard.docs;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Budget;
import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;

/// A turn that really ends for that reason, and what is seen of it.
final class Ending {
  private final ScriptedModel model = new ScriptedModel();
  private final List<Event> events = new ArrayList<>();

  /// @param turn the name of its class
  record Seen(String turn, List<Event> events) {
    /// The events by their types, those of an agent by their names.
    List<String> types() {
      return events.stream().map(event -> event.json().tree()).map(Seen::type).toList();
    }

    private static String type(tools.jackson.databind.JsonNode event) {
      String type = event.path("type").asString();
      return type.equals("agent") ? event.path("event").asString() : type;
    }
  }

  static Seen of(StopReason reason) {
    return new Ending().see(reason);
  }

  private Seen see(StopReason reason) {
    Conversation talk =
        switch (reason) {
          case END_TURN -> {
            model.replies(
                new ModelReply(
                    "Bye.",
                    List.of(),
                    ModelReply.FinishReason.STOP,
                    new ModelReply.Usage(812, 64)));
            yield agent();
          }
          case TOOL_RULE -> {
            model.says("Sent.").and().calls("send_it", "{}");
            yield agent(ToolRule.exitAfter("send_it"));
          }
          case TERMINAL_RESULT -> {
            model.calls("get_last", "{}");
            yield agent();
          }
          case CONSENT_PENDING -> {
            model.calls("local_run", "{}");
            yield agent();
          }
          case MAX_ITERATIONS -> {
            for (int i = 0; i < AgentLimits.DEFAULT.iterations(); i++) {
              model.calls("send_it", "{\"n\":" + i + "}");
            }
            yield agent();
          }
          case MODEL_TIMEOUT -> {
            model.fails(ModelException.Kind.TIMEOUT);
            yield agent();
          }
          case MODEL_ERROR -> {
            model.fails(ModelException.Kind.REFUSED);
            yield agent();
          }
          case INVALID_REPLY -> {
            model.says("Two.").says("Three.").says("Four.");
            Json form = Json.text("{\"type\":\"object\"}");
            yield Agent.builder("ending").model(model).reply(form).build().conversation("c");
          }
          case BUDGET ->
              builder().budget(Budget.NONE.withTurn(Limit.ofTokens(1))).build().conversation("c");
          case CANCELLED -> {
            Conversation ended = agent();
            ended.hangUp();
            yield ended;
          }
        };
    Turn turn = talk.say("Go", events::add);
    return new Seen(turn.getClass().getSimpleName(), List.copyOf(events));
  }

  private Conversation agent(ToolRule... rules) {
    return builder().rules(rules).build().conversation("c");
  }

  private AgentBuilder builder() {
    return Agent.builder("ending")
        .model(model)
        .tools(
            Tool.dynamic("send_it").handler(arguments -> "sent"),
            Tool.dynamic("local_run").handler(arguments -> "ran"),
            Tool.dynamic("get_last")
                .handler(arguments ->
                    ToolResult.builder(true).terminal(true).message("It is yours.").build()));
  }
}
