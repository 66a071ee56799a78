package dev.switchboard.cli.demo;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.Calls;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.ModelView;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A call to a shop's agent over the real protocols of carrier and engine, both simulated in this
/// process: an order is looked up, the agent is interrupted, a return needs the caller's consent, a
/// transfer fails, and the goodbye is heard completely.
public final class PhoneDemo {
  private static final String NUMBER = "+15550001234";
  private static final String PERSON = "+15550001111";
  private static final String URL = "https://phone.example.com";
  private static final double SPEED = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> SENTENCES =
      List.of(
          "Where is my order seven, please?",
          "Wait, I would rather send it back.",
          "Can I talk to a person, please?",
          "All right. That is all, thank you.");

  private final Consumer<String> out;
  private final List<String> said = new CopyOnWriteArrayList<>();

  /// @param out receives the lines of the call as they arrive
  public PhoneDemo(Consumer<String> out) {
    this.out = out;
  }

  private static Agent shop() {
    return Agent.builder("Shop")
        .prompt("You are a customer service agent of a shop.")
        .firstMessage("Hi! I'm here to help with your order.")
        .store(new InProcessConversations())
        .tools(
            Tool.dynamic("get_order_status")
                .description("Looks an order up.")
                .mode(ToolMode.READ)
                .reassurance("One moment, I am looking that up.")
                .handler((arguments, context) -> {
                  context.time().pause(new Time.Signal(), Duration.ofMillis(2_500));
                  context.progress("I have found it.");
                  context.time().pause(new Time.Signal(), Duration.ofMillis(1_500));
                  return "{\"status\":\"shipped\",\"arrives\":\"Friday\"}";
                }),
            Tool.dynamic("start_return")
                .description("Starts the return of an order.")
                .mode(ToolMode.LOCAL)
                .handler(arguments -> "{\"return\":\"R7\"}"))
        .build();
  }

  /// The model's reply to its input.
  private static Reply reply(ModelView view) {
    String news = view.last("system");
    if (view.output("c4") != null || asked(view, "end_call")) {
      return Reply.say("Goodbye, and thank you for calling.");
    }
    if (view.last("user").contains("That is all")) {
      return Reply.call("c4", "end_call", "{\"reason\":\"all done\"}");
    }
    if (news.contains("The transfer failed")) {
      return Reply.say("I am sorry, nobody is free just now. Can I do anything else?");
    }
    if (view.last("user").contains("a person")) {
      return Reply.say("One moment, I will put you through.")
          .andCall("c3", "transfer_call", "{\"destination\":\"support\"}");
    }
    if (view.output("c2") != null) {
      return Reply.say("The return is under way. Its number is R seven.");
    }
    if (view.last("user").contains("send it back")) {
      return Reply.call("c2", "start_return", "{}");
    }
    if (view.output("c1") != null) {
      return Reply.say(
          "Your order was shipped on Monday, and it will arrive at your door on Friday in the"
              + " morning, if nothing comes in between.");
    }
    return Reply.call("c1", "get_order_status", "{}");
  }

  private static boolean asked(ModelView view, String tool) {
    return view.lines().stream()
        .anyMatch(line -> line.role().equals("call") && line.text().contains(tool));
  }

  /// Plays the call.
  ///
  /// @throws IOException when no server can be started on loopback
  /// @throws IllegalStateException when the call does not go as expected
  public void play() throws IOException {
    Path folder = Files.createTempDirectory("switchboard-phone");
    try (RealtimeSimulator model =
            RealtimeSimulator.builder()
                .script(PhoneDemo::reply)
                .transcripts(SENTENCES.toArray(String[]::new))
                .start();
        TwilioSimulator twilio = TwilioSimulator.start(SPEED).dialEnds(PERSON, "busy");
        Agent shop = shop();
        Calls calls = phone(model, twilio).answeredBy(shop);
        Server server =
            Server.builder(Tokens.open(folder.resolve("tokens")))
                .agents(shop)
                .port(0)
                .mount(calls.routes().toArray(Mount[]::new))
                .start()) {
      twilio.tunnel(URL, "http://127.0.0.1:" + server.port());
      play(twilio.call(URL, "+14155550100", NUMBER));
    } finally {
      delete(folder);
    }
  }

  private Phone phone(RealtimeSimulator model, TwilioSimulator twilio) {
    return Phone.builder()
        .carrier(twilio.carrier())
        .number(NUMBER)
        .publicUrl(URL)
        .engine(OpenAiRealtime.of("offline").withBaseUrl(model.url()))
        .transfer(new Transfer(Map.of("support", PERSON), List.of(), false))
        .consent(ConsentMode.CALLER)
        .onCallStart(call -> out.accept("-- a call from " + call.from()))
        .onTranscript(line -> {
          out.accept(line.role() + ": " + line.text());
          said.add(line.text());
        })
        .onCallEnd((call, reason) -> {
          out.accept("-- the call is over: " + reason);
          said.add("over");
        })
        .build();
  }

  private void play(SimulatedCall call) {
    until(() -> hasHeard("Hi! I'm here"));
    say(call, SENTENCES.get(0));
    until(() -> hasHeard("I have found it"));
    // The agent is interrupted during its answer.
    until(() -> call.waiting() > 3_000);
    pause(1_000);
    say(call, SENTENCES.get(1));
    until(() -> hasHeard("Should I go ahead"));
    quiet(call);
    call.press("1");
    until(() -> hasHeard("The return is under way"));
    quiet(call);
    say(call, SENTENCES.get(2));
    until(() -> hasHeard("nobody is free"));
    quiet(call);
    say(call, SENTENCES.get(3));
    call.awaitOver(PATIENCE);
    until(() -> said.contains("over"));
  }

  private static void say(SimulatedCall call, String sentence) {
    call.say(Speech.of(sentence));
    call.say(MuLaw.silence(Duration.ofSeconds(1)));
    call.awaitSaid(PATIENCE);
  }

  private boolean hasHeard(String words) {
    return said.stream().anyMatch(line -> line.contains(words));
  }

  private static void quiet(SimulatedCall call) {
    pause(400);
    until(() -> call.waiting() == 0);
  }

  private static void pause(int milliseconds) {
    Time.SYSTEM.pause(new Time.Signal(), Duration.ofMillis(milliseconds));
  }

  private static void until(BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "the demonstration of a call went otherwise than it should");
      }
      pause(20);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
