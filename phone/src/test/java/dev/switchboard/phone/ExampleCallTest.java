package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.ModelView;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole call over the real wire of both sides: a carrier that signs and streams, an engine that
/// is as strict as the real one.
final class ExampleCallTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String NUMBER = "+15550001234";
  private static final String URL = "https://phone.example.com";

  private final List<String> heard = new CopyOnWriteArrayList<>();

  @TempDir Path folder;

  private Tool orderStatus() {
    return Tool.dynamic(
            "get_order_status",
            "{\"type\":\"object\",\"properties\":{\"order_id\":{\"type\":\"string\"}},\"required\":[\"order_id\"]}")
        .mode(ToolMode.READ)
        .reassurance(new Reassurance("One moment, I am looking.", Duration.ofMillis(300)))
        .handler((arguments, context) -> {
          awaitHeard("One moment");
          return "{\"status\":\"shipped\"}";
        });
  }

  /// What the model of the example says and does.
  private static Reply reply(ModelView view) {
    if (view.output("call_2") != null || view.lines().getLast().role().equals("call")) {
      return Reply.say("Goodbye, and thank you for calling.");
    }
    if (view.last("user").contains("all")) {
      return Reply.call("call_2", "end_call", "{\"reason\":\"all done\"}");
    }
    if (view.output("call_1") != null) {
      return Reply.say("Your order has been shipped.");
    }
    return Reply.call("call_1", "get_order_status", "{\"order_id\":\"ORD-7\"}");
  }

  @Test
  void anOrderIsLookedUpAndTheGoodbyeIsHeardToItsEnd() throws Exception {
    InProcessConversations store = new InProcessConversations();
    Agent shop =
        Agent.builder("Shop")
            .prompt("You are a customer service agent.")
            .firstMessage("Hi! I'm here to help with your order.")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .store(store)
            .tools(orderStatus())
            .build();
    try (RealtimeSimulator model =
            RealtimeSimulator.builder()
                .script(ExampleCallTest::reply)
                .transcripts("Where is order seven?", "That is all, thank you.")
                .start();
        TwilioSimulator twilio = TwilioSimulator.start()) {
      Phone phone =
          Phone.builder()
              .carrier(twilio.carrier())
              .number(NUMBER)
              .publicUrl(URL)
              .engine(OpenAiRealtime.of("sk-test").withBaseUrl(model.url()))
              .log(folder.resolve("calls"))
              .onCallStart(call -> heard.add("start " + call.from()))
              .onTranscript(line -> heard.add(line.role() + ": " + line.text()))
              .onCallEnd((call, reason) -> heard.add("end " + reason))
              .build();
      try (ServedPhone served = ServedPhone.of(phone, shop, folder)) {
        twilio.tunnel(URL, served.address());
        SimulatedCall call = twilio.call(URL, "+14155550100", NUMBER);
        call.awaitStreams(1, PATIENCE);
        awaitHeard("Hi! I'm here");
        ask(call);
        awaitHeard("Your order has been shipped.");
        ask(call);
        call.awaitOver(PATIENCE);
        assertThat(call.faults()).isEmpty();
        assertThat(call.status()).isEqualTo("completed");
        await().until(() -> served.calls().count() == 0);
        assertThat(model.session().lines())
            .extracting(ModelView.Line::role)
            .contains("user", "call", "output", "assistant");
        awaitHeard("end end_call");
        awaitFile("Call ended: end_call");
        assertThat(transcript()).contains("Goodbye, and thank you", "Call ended: all done");
        int farewell = MuLaw.samples(Speech.lengthOf("Goodbye, and thank you for calling."));
        assertThat(farewell).isPositive();
        assertThat(store.event(call.id(), "phone/ended")).isNotNull();
        assertThat(heard)
            .startsWith("start +14155550100", "agent: Hi! I'm here to help with your order.")
            .contains("caller: Where is order seven?", "agent: Your order has been shipped.")
            .endsWith("end end_call");
      }
    }
  }

  private static void ask(SimulatedCall call) {
    call.say(Speech.of("Where is my order, please"));
    call.say(MuLaw.silence(Duration.ofSeconds(1)));
    call.awaitSaid(PATIENCE);
  }

  private void awaitHeard(String words) {
    await().untilAsserted(() -> assertThat(heard).anyMatch(line -> line.contains(words)));
  }

  private void awaitFile(String words) {
    await().until(() -> transcript().contains(words));
  }

  private String transcript() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("calls"))) {
      List<Path> found = files.filter(file -> file.endsWith("transcript.md")).toList();
      assertThat(found).hasSize(1);
      return Files.readString(found.getFirst());
    }
  }
}
