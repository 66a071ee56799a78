package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import dev.switchboard.phone.testing.HeardWords;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole call whose carrier hears and speaks, over the real wire: a tool with progress, an
/// interruption, consent by a key, and a goodbye that is heard to its end.
final class RelayedExampleTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String NUMBER = "+15550001234";
  private static final String URL = "https://phone.example.com";

  private final List<String> transcript = new CopyOnWriteArrayList<>();
  private final ScriptedModel model = ScriptedModel.answering(RelayedExampleTest::reply);

  @TempDir Path folder;

  /// What the model of the example says and does: it answers the latest thing that it has read.
  private static ModelReply reply(ModelRequest request) {
    Message last = request.messages().getLast();
    return switch (last) {
      case Message.User user when user.text().contains("order") ->
          call("c1", "get_order_status", "{\"order_id\":\"ORD-7\"}");
      case Message.User user when user.text().contains("back") ->
          call("c2", "initiate_return", "{\"order_id\":\"ORD-7\"}");
      case Message.User user when user.text().contains("all") ->
          call("c3", "end_call", "{\"reason\":\"all done\"}");
      case Message.Result result when result.tool().equals("get_order_status") ->
          ModelReply.text("Your order was shipped on Monday and arrives on Thursday or Friday.");
      case Message.Result result when result.tool().equals("initiate_return") ->
          ModelReply.text("The return has begun.");
      default -> ModelReply.text("Goodbye, and thank you for calling.");
    };
  }

  private static ModelReply call(String id, String tool, String arguments) {
    return ModelReply.calls(RequestedCall.of(id, tool, arguments));
  }

  private Agent shop() {
    Tool status =
        Tool.dynamic("get_order_status", "{\"type\":\"object\",\"properties\":{\"order_id\":{}}}")
            .mode(ToolMode.READ)
            .reassurance(new Reassurance("One moment, I am looking.", Duration.ofMillis(100)))
            .handler((arguments, context) -> {
              await().until(() -> transcript.toString().contains("One moment"));
              return "{\"status\":\"shipped\"}";
            });
    Tool returns =
        Tool.dynamic("initiate_return", "{\"type\":\"object\",\"properties\":{\"order_id\":{}}}")
            .mode(ToolMode.LOCAL)
            .confirm("Shall I start the return of {order_id}?")
            .handler(arguments -> "{\"return\":\"RET-7\"}");
    return Agent.builder("Shop")
        .prompt("You are a customer service agent.")
        .firstMessage("Hi! I'm here to help.")
        .model(model)
        .store(new InProcessConversations())
        .tools(status, returns)
        .build();
  }

  @Test
  void anOrderIsLookedUpAndReturnedAndTheGoodbyeIsHeardToItsEnd() throws Exception {
    Agent shop = shop();
    try (TwilioSimulator twilio = TwilioSimulator.start()) {
      Phone phone =
          Phone.builder()
              .carrier(twilio.carrier())
              .number(NUMBER)
              .publicUrl(URL)
              .engine(ConversationRelay.of())
              .consent(ConsentMode.CALLER)
              .onTranscript(line -> transcript.add(line.role() + ": " + line.text()))
              .onCallEnd((call, reason) -> transcript.add("end " + reason))
              .build();
      try (ServedPhone served = ServedPhone.of(phone, shop, folder)) {
        twilio.tunnel(URL, served.address());
        SimulatedCall call = twilio.call(URL, "+14155550100", NUMBER);
        play(call);
        call.awaitOver(PATIENCE);
        assertThat(call.faults()).isEmpty();
        await().until(() -> served.calls().count() == 0);
        check(call);
      }
    }
  }

  private void play(SimulatedCall call) {
    call.awaitStreams(1, PATIENCE);
    awaitLine("agent: Hi!");
    call.interrupts("shipped on Monday", "I want to send it back");
    call.says("Where is my order?");
    awaitLine("agent: Shall I start the return of ORD-7?");
    call.press("1");
    awaitLine("agent: The return has begun.");
    call.says("That is all.");
  }

  private void check(SimulatedCall call) {
    assertThat(transcript)
        .containsSubsequence(
            "agent: Hi! I'm here to help.",
            "caller: Where is my order?",
            "agent: One moment, I am looking.",
            "caller: I want to send it back",
            "agent: The return has begun.",
            "caller: That is all.",
            "end end_call");
    assertThat(transcript)
        .contains("agent: Your order was shipped on Monday [the caller interrupted here]");
    HeardWords last = call.heard().getLast();
    assertThat(last.words()).isEqualTo("Goodbye, and thank you for calling.");
    assertThat(last.cut()).isFalse();
    assertThat(model.lastRequest().messages().toString())
        .contains("Your order was shipped on Monday [the caller interrupted here]")
        .doesNotContain("Thursday");
  }

  private void awaitLine(String line) {
    await().untilAsserted(() -> assertThat(transcript).anyMatch(said -> said.startsWith(line)));
  }
}
