package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Whatever dies, and however the turn is ended then: each call in the log has one result, before
/// or at the end of its turn, and the model reads of each call with its result.
class SettledLogTest {
  private static final Duration ASKED = Duration.ofMinutes(10);

  /// How a turn ends after its process died.
  enum Ending {
    RESUMED,
    CANCELLED,
    DENIED,
    CANCELLED_WHILE_IT_WAITS,
    HUNG_UP,
    EXPIRED,
    OVERTAKEN;

    void end(Conversation talk, ManualTime time) {
      switch (this) {
        case RESUMED -> talk.resume();
        case CANCELLED ->
            talk.claimed((turns, session) -> {
              session.cancelTurn();
              Turn unused = turns.resume();
            });
        case DENIED -> {
          Turn turn = talk.resume();
          while (turn instanceof Turn.Pending(var requests)) {
            turn = talk.answer(requests.getFirst().id(), Answer.deny("no"));
          }
        }
        case CANCELLED_WHILE_IT_WAITS -> {
          talk.resume();
          talk.cancelWaiting("zoe", event -> {});
        }
        case HUNG_UP -> talk.hangUp();
        case EXPIRED -> {
          talk.resume();
          time.advance(ASKED);
          talk.resume();
        }
        case OVERTAKEN -> talk.say("Never mind.");
      }
    }
  }

  /// A process that dies behind its n-th write.
  private static final class Life {
    final ManualTime time;
    final DyingStore store;

    Life(InProcessConversations durable, ManualTime time, int writes) {
      this.time = time;
      store = new DyingStore(durable, writes);
    }

    private Tool tool(String name) {
      return Tool.dynamic(name)
          .parallel(name.startsWith("get"))
          .handler((arguments, context) -> {
            store.alive();
            return name + " done";
          });
    }

    private Tool outer() {
      return Tool.dynamic("outer")
          .handler((arguments, context) ->
              context.tools().call("inner", Json.EMPTY_OBJECT).success() ? "done" : "not done");
    }

    Conversation talk() {
      return Agent.builder("settled")
          .model(ScriptedModel.answering(this::reply))
          .tools(
              tool("get_one"),
              tool("get_two"),
              tool("load_first"),
              tool("delete_it"),
              tool("inner"),
              outer(),
              tool("pay"),
              tool("save_it"))
          .rules(
              ToolRule.startWith("load_first"),
              ToolRule.consent("pay"),
              ToolRule.maxCalls("get_one", 9),
              ToolRule.requiredBeforeExit("save_it"))
          .denyPending(true)
          .consentTimeout(ASKED)
          .store(store)
          .time(time)
          .build()
          .conversation("c", ConversationOptions.NONE.withLog(event -> {}));
    }

    private ModelReply reply(ModelRequest request) {
      store.alive();
      isWhole(request.messages());
      return switch (request.messages().getLast()) {
        case Message.User(String text, var files) when text.equals("Go") ->
            ModelReply.calls(
                RequestedCall.of("", "get_one", "{}"),
                RequestedCall.of("", "get_two", "{}"),
                RequestedCall.of("", "delete_it", "{}"),
                RequestedCall.of("", "outer", "{}"),
                RequestedCall.of("", "pay", "{}"));
        case Message.Result result when result.tool().equals("pay") ->
            ModelReply.calls(RequestedCall.of("", "get_two", "{}"));
        default -> ModelReply.text("Done.");
      };
    }
  }

  /// Whether every call is followed by its result.
  private static void isWhole(List<Message> messages) {
    Set<String> open = new HashSet<>();
    for (Message message : messages) {
      if (message instanceof Message.Assistant(String text, var calls, var items)) {
        calls.forEach(call -> open.add(call.id()));
      } else if (message instanceof Message.Result result) {
        open.remove(result.callId());
      }
    }
    assertThat(open).as("calls without a result in %s", messages).isEmpty();
  }

  /// Whether the log has one result of each call, and no call is open when its turn ends.
  private static void isSettled(List<Event.Logged> log) {
    Map<String, Integer> results = new HashMap<>();
    Set<String> open = new HashSet<>();
    for (Event.Logged event : log) {
      JsonNode tree = event.event().tree();
      JsonNode payload = tree.path("payload");
      switch (tree.path("type").asString("")) {
        case "tool_call" -> open.add(payload.path("id").asString(""));
        case "tool_result" -> {
          String id = payload.path("callId").asString("");
          results.merge(id, 1, Integer::sum);
          open.remove(id);
        }
        case "done" -> {
          if (!payload.path("stopReason").asString("").equals("consent_pending")) {
            assertThat(open).as("open at %s of %s", event, texts(log)).isEmpty();
          }
        }
        default -> {}
      }
    }
    assertThat(open).as("never settled in %s", texts(log)).isEmpty();
    assertThat(results.values()).as("results in %s", texts(log)).allMatch(times -> times == 1);
  }

  private static String texts(List<Event.Logged> log) {
    List<String> texts = new ArrayList<>();
    log.forEach(event -> texts.add(event.event().text()));
    return String.join("\n", texts);
  }

  private static boolean dies(Conversation talk) {
    try {
      if (talk.say("Go") instanceof Turn.Pending(var requests)) {
        talk.answer(requests.getFirst().id(), Answer.approveOnce());
      }
      return false;
    } catch (DyingStore.Killed e) {
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachCallHasOneResultWhereverItsProcessDies(Ending ending) {
    boolean dies = true;
    for (int writes = 1; dies && writes < 200; writes++) {
      InProcessConversations durable = new InProcessConversations();
      ManualTime time = new ManualTime();
      dies = dies(new Life(durable, time, writes).talk());
      time.advance(LeaseTerms.LENGTH);
      Conversation talk = new Life(durable, time, -1).talk();
      ending.end(talk, time);
      if (talk.state().waiting()) {
        Turn unused = talk.cancelWaiting("zoe", event -> {});
      }
      Turn unused = talk.state().turn() == 0 || ending == Ending.HUNG_UP ? null : talk.say("And?");
      isSettled(durable.events("c", 0, 10_000));
    }
    assertThat(dies).isFalse();
  }

  @Test
  void aCallByHandWhoseProcessDiesIsAnsweredOnce() {
    boolean dies = true;
    for (int writes = 1; dies && writes < 50; writes++) {
      InProcessConversations durable = new InProcessConversations();
      ManualTime time = new ManualTime();
      Conversation first = new Life(durable, time, writes).talk();
      try {
        first.call(new ToolCall("hand_1", "outer", Json.EMPTY_OBJECT), event -> {});
        dies = false;
      } catch (DyingStore.Killed e) {
        time.advance(LeaseTerms.LENGTH);
      }
      Conversation talk = new Life(durable, time, -1).talk();
      Turn unused = talk.resume();
      talk.say("And?");
      isSettled(durable.events("c", 0, 10_000));
    }
    assertThat(dies).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersCallsOfDeadLiveSessionOnce(boolean byLine) {
    boolean dies = true;
    for (int writes = 1; dies && writes < 50; writes++) {
      InProcessConversations durable = new InProcessConversations();
      ManualTime time = new ManualTime();
      Conversation first = new Life(durable, time, writes).talk();
      try (LiveSession line = first.live(event -> {})) {
        line.said("heard", "Hello");
        line.run(line.replied(ModelReply.calls(RequestedCall.of("", "outer", "{}"))));
        dies = false;
      } catch (DyingStore.Killed e) {
        time.advance(LeaseTerms.LENGTH);
      }
      Conversation talk = new Life(durable, time, -1).talk();
      if (byLine) {
        try (LiveSession line = talk.live(event -> {})) {
          line.said("again", "Hello?");
        }
      } else {
        Turn unused = talk.resume();
      }
      List<Event.Logged> log = durable.events("c", 0, 10_000);
      isSettled(log);
      assertThat(log.stream().map(SettledLogTest::name).filter(Set.of("user", "done")::contains))
          .as(texts(log))
          .isIn(List.of(), List.of("user", "done"), List.of("user", "done", "user", "done"));
    }
    assertThat(dies).isFalse();
  }

  private static String name(Event.Logged one) {
    JsonNode tree = one.event().tree();
    return tree.path("event").asString(tree.path("type").asString(""));
  }
}
