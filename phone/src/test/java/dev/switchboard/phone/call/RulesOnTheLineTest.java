package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Rules and limits of an agent's turns on a call: tools that come first and last, and how many
/// rounds a turn has.
final class RulesOnTheLineTest {
  private static final String NUMBERED =
      "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}";

  private final InProcessConversations store = new InProcessConversations();
  private final List<String> ran = new CopyOnWriteArrayList<>();

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .handler(arguments -> {
          ran.add(name);
          return name + " is done";
        });
  }

  private Tool numbered(String name) {
    return Tool.dynamic(name, NUMBERED)
        .mode(ToolMode.READ)
        .handler(arguments -> {
          ran.add(name);
          return name + " is done";
        });
  }

  private PlayedCall call(Tool tool, ToolRule... rules) {
    Agent agent =
        Agent.builder("Shop").prompt("You sell.").store(store).tools(tool).rules(rules).build();
    return new PlayedCall(agent, PlayedCall.SETTINGS);
  }

  private static long outputs(PlayedCall call) {
    return call.toEngine().stream().filter(one -> one.startsWith("output")).count();
  }

  /// The model asks for a tool in a response without words.
  private static void asks(PlayedCall call, String id, String tool) {
    String response = call.created();
    call.calls(response, id, tool, "{}");
    call.done(response);
  }

  @Test
  void runsStartToolWhileRinging() {
    PlayedCall call = call(tool("look_up_caller"), ToolRule.startWith("look_up_caller"));
    call.session.ring();
    call.drain();
    assertThat(ran).containsExactly("look_up_caller");
    call.carrier(new CarrierEvent.Connected(call.line()));
    call.engine(new EngineEvent.Ready());
    assertThat(call.toEngine())
        .filteredOn(one -> one.startsWith("add") || one.startsWith("call"))
        .containsExactly("call look_up_caller {} -> look_up_caller is done");
  }

  @Test
  void aStartToolWithUnknownArgumentsIsForced() {
    PlayedCall call = call(numbered("identify"), ToolRule.startWith("identify")).talking();
    call.says("i1", "Hello");
    assertThat(ran).isEmpty();
    assertThat(call.toEngine().getLast()).isEqualTo("create answer REQUIRED");
    assertThat(call.responses.getLast().tools())
        .extracting(one -> one.name())
        .containsExactly("identify");
  }

  @Test
  void remindsTwiceThenCallsRequiredTool() {
    PlayedCall call = call(tool("save"), ToolRule.requiredBeforeExit("save")).talking();
    call.says("i1", "Bye");
    for (int i = 1; i <= 2; i++) {
      int before = i;
      asks(call, "call_" + i, "end_call");
      call.until(() -> outputs(call) == before);
      assertThat(call.wire.toString()).contains("'save' has to succeed first.");
      call.until(() -> call.responses.size() == before + 1);
    }
    assertThat(ran).isEmpty();
    asks(call, "call_3", "end_call");
    call.until(() -> call.responses.size() == 4);
    call.speaks("Goodbye.", 100);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    assertThat(ran).containsExactly("save");
  }

  @Test
  void aRuleForAToolOfTheCallHolds() {
    PlayedCall call = call(tool("save"), ToolRule.after("end_call", "save")).talking();
    call.says("i1", "Bye");
    asks(call, "call_1", "end_call");
    call.until(() -> call.responses.size() == 2);
    assertThat(call.wire.toString()).contains("prerequisites ['save'] not met");
    asks(call, "call_2", "save");
    call.until(() -> call.responses.size() == 3);
    asks(call, "call_3", "end_call");
    call.until(() -> call.responses.size() == 4);
    call.speaks("Goodbye.", 100);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    assertThat(ran).containsExactly("save");
  }

  @Test
  void wordsAloneEndATurnWhateverIsRequiredBeforeTheEnd() {
    PlayedCall call = call(tool("save"), ToolRule.requiredBeforeExit("save")).talking();
    call.says("i1", "Hello");
    call.speaks("Good day.", 100);
    assertThat(store.lines("CA1", 100)).extracting(line -> line.key()).contains("turn2/end");
    assertThat(call.responses).hasSize(1);
    assertThat(call.ended).isEmpty();
  }

  @Test
  void callsRequiredToolsWithoutArgumentsAtHangUp() {
    Agent agent =
        Agent.builder("Shop")
            .store(store)
            .tools(tool("save"), numbered("rate"))
            .rules(ToolRule.requiredBeforeExit("save"), ToolRule.requiredBeforeExit("rate"))
            .build();
    PlayedCall call = new PlayedCall(agent, PlayedCall.SETTINGS).talking();
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(ran).containsExactly("save");
    assertThat(call.notes).contains("unmet {\"unmet\":[\"rate\"]}");
  }

  @Test
  void anEndOfOursHasWhatNeedsNoArgumentsCalledToo() {
    PlayedCall call = call(tool("save"), ToolRule.requiredBeforeExit("save")).talking();
    call.session.goodbye("shutdown");
    call.drain();
    call.speaks("Goodbye.", 200);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("shutdown");
    assertThat(ran).containsExactly("save");
  }

  @Test
  void aLimitRemindsTheModelTwiceOfWhatIsRequiredBeforeTheEnd() {
    PlayedCall call = call(numbered("rate"), ToolRule.requiredBeforeExit("rate")).talking();
    call.advance(Duration.ofSeconds(60));
    call.speaks("Are you still there?", 100);
    call.advance(Duration.ofSeconds(60));
    String reminder = "add SYSTEM The call is about to end. 'rate' has to succeed first.";
    assertThat(call.toEngine()).filteredOn(reminder::equals).hasSize(1);
    call.speaks("How was it?", 100);
    call.advance(Duration.ofSeconds(5));
    assertThat(call.toEngine()).filteredOn(reminder::equals).hasSize(2);
    call.speaks("Please rate us.", 100);
    call.advance(Duration.ofSeconds(5));
    assertThat(call.toEngine().getLast()).contains("Goodbye.");
    call.speaks("Goodbye.", 100);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("silence");
    assertThat(call.notes).contains("unmet {\"unmet\":[\"rate\"]}");
  }

  @Test
  void aTurnHasTenRoundsAndThenOneResponseWithoutTools() {
    PlayedCall call = call(tool("look")).talking();
    call.says("i1", "Go on");
    for (int i = 1; i <= 10; i++) {
      int round = i;
      assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
      asks(call, "call_" + i, "look");
      call.until(() -> call.responses.size() == round + 1);
    }
    assertThat(call.toEngine().getLast()).isEqualTo("create answer NONE");
    assertThat(call.notes).contains("budget_exhausted {\"rounds\":10}");
    call.speaks("That is all.", 100);
    assertThat(store.events("CA1", 0, 100))
        .extracting(event -> event.event().text())
        .anyMatch(event -> event.contains("max_iterations"));
  }

  @Test
  void doesNotAskModelAgainAfterItsLastRound() {
    PlayedCall call = call(tool("look")).talking();
    call.says("i1", "Go on");
    for (int i = 1; i <= 11; i++) {
      int round = i;
      asks(call, "call_" + i, "look");
      call.until(() -> outputs(call) == round);
      if (i <= 10) {
        call.until(() -> call.responses.size() == round + 1);
      }
    }
    call.until(() -> store.lines("CA1", 100).stream().anyMatch(l -> l.key().equals("turn2/end")));
    assertThat(call.responses).hasSize(11);
  }

  @Test
  void aTerminalResultsMessageIsSaidWordForWord() {
    Tool order =
        Tool.dynamic("order")
            .mode(ToolMode.READ)
            .handler(arguments ->
                ToolResult.builder(true)
                    .message("Your order is on its way.")
                    .text("ordered")
                    .terminal(true)
                    .build());
    PlayedCall call = call(order).talking();
    call.says("i1", "Order it");
    asks(call, "call_1", "order");
    call.until(() -> call.responses.size() == 2);
    assertThat(call.responses.getLast().words()).isEqualTo("Your order is on its way.");
    assertThat(call.ended).isEmpty();
  }

  @Test
  void exitToolEndsTurnButNotCall() {
    PlayedCall call = call(tool("finish"), ToolRule.exitAfter("finish")).talking();
    call.says("i1", "Finish");
    asks(call, "call_1", "finish");
    call.until(() -> call.responses.size() == 2);
    assertThat(call.toEngine().getLast()).isEqualTo("create answer NONE");
    call.speaks("All done.", 100);
    call.says("i2", "One more thing");
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
  }

  @Test
  void warnsBeforeTimeLimitAndSaysGoodbye() {
    PlayedCall call = call(tool("look")).talking();
    Duration step = Duration.ofSeconds(50);
    for (int i = 0; i < 35; i++) {
      call.advance(step);
      call.carrier(new CarrierEvent.Pressed('#'));
    }
    call.advance(Duration.ofSeconds(20));
    assertThat(call.toEngine().getLast()).contains("This call ends in 30 seconds.");
    call.speaks("This call ends in 30 seconds.", 100);
    call.advance(Duration.ofSeconds(30));
    assertThat(call.toEngine().getLast()).contains("Goodbye.");
    call.speaks("Goodbye.", 100);
    call.until(() -> call.toCarrier().contains("rest hang up"));
    call.carrier(new CarrierEvent.Disconnected());
    assertThat(call.ended).containsExactly("too_long");
  }
}
