package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.testing.LineRecording;
import dev.switchboard.phone.testing.ModelView;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.SimulatedCall;
import dev.switchboard.phone.testing.SimulatedSession;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;

/// A call over the real wire of both sides, from the greeting to the farewell, as a recorder on the
/// caller's line has it: a slow tool, an answer, another that the caller interrupts, an end that
/// the model asks for.
final class RecordedCall {
  static final String GREETING = "Hi! I'm here to help with your order.";
  static final String QUESTION = "Where is my order, please?";
  static final String REASSURANCE = "One moment, I am looking that up.";
  static final String ANSWER = "Your order was shipped on Monday.";
  static final String SECOND_QUESTION = "And when will it arrive?";
  static final String CUT_ANSWER =
      "It will arrive at your door on Friday in the morning, if nothing comes in between.";
  static final String INTERRUPTION = "That is all, thank you.";
  static final String FAREWELL = "Goodbye, and thank you for calling.";

  /// What is heard of the answer before the caller interrupts it, in milliseconds.
  static final int BEFORE_CUT_MS = 2_000;

  private static final String NUMBER = "+15550001234";
  private static final String URL = "https://phone.example.com";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final double speed;
  private volatile SimulatedCall call;
  private volatile int cleared = -1;
  private volatile LineRecording beforeEnd;
  private LineRecording whole;
  private List<TwilioSimulator.Order> orders;
  private SimulatedSession session;

  /// @param speed of the line's clock
  private RecordedCall(double speed) {
    this.speed = speed;
  }

  /// Plays it.
  static RecordedCall play(Path folder, double speed) throws IOException {
    RecordedCall played = new RecordedCall(speed);
    played.play(folder);
    return played;
  }

  private Agent shop() {
    return Agent.builder("Shop")
        .prompt("You are a customer service agent.")
        .firstMessage(GREETING)
        .store(new InProcessConversations())
        .tools(
            Tool.dynamic("get_order_status")
                .mode(ToolMode.READ)
                .reassurance(new Reassurance(REASSURANCE, Duration.ofMillis(1_000)))
                .handler((arguments, context) -> {
                  // It ends while the reassurance sounds.
                  context.time().pause(new Time.Signal(), Duration.ofMillis(1_600));
                  return "{\"status\":\"shipped\"}";
                }))
        .build();
  }

  private static Reply reply(ModelView view) {
    String last = view.last("user");
    if (last.equals(INTERRUPTION)) {
      boolean asked = view.lines().stream().anyMatch(line -> line.text().startsWith("end_call"));
      return asked ? Reply.say(FAREWELL) : Reply.call("call_2", "end_call", "{}");
    }
    if (last.equals(SECOND_QUESTION)) {
      return Reply.say(CUT_ANSWER);
    }
    return view.output("call_1") == null
        ? Reply.call("call_1", "get_order_status", "{}")
        : Reply.say(ANSWER);
  }

  private void play(Path folder) throws IOException {
    try (RealtimeSimulator model =
            RealtimeSimulator.builder()
                .script(RecordedCall::reply)
                .transcripts(QUESTION, SECOND_QUESTION, INTERRUPTION)
                .start();
        TwilioSimulator twilio = TwilioSimulator.start(speed);
        Agent shop = shop();
        ServedPhone served =
            ServedPhone.of(
                Phone.builder()
                    .carrier(watched(twilio.carrier()))
                    .number(NUMBER)
                    .publicUrl(URL)
                    .engine(OpenAiRealtime.of("sk-test").withBaseUrl(model.url()))
                    .build(),
                shop,
                folder)) {
      twilio.tunnel(URL, served.address()).watching(this::watch);
      call = twilio.call(URL, "+14155550100", NUMBER);
      talk();
      whole = call.recording();
      orders = twilio.orders();
      session = model.session();
    }
  }

  /// A carrier that looks at the recording before it takes the order to hang up.
  private Carrier watched(Carrier carrier) {
    return new Carrier() {
      @Override
      public String name() {
        return carrier.name();
      }

      @Override
      public List<Mount> routes(String publicUrl, Switch calls) {
        return carrier.routes(publicUrl, calls);
      }

      @Override
      public Answer transfer(String id, String number, String from) {
        return carrier.transfer(id, number, from);
      }

      @Override
      public Answer hangUp(String id) {
        beforeEnd = call.recording();
        return carrier.hangUp(id);
      }

      @Override
      public Answer sayAndHangUp(String id, String words) {
        return carrier.sayAndHangUp(id, words);
      }
    };
  }

  private void watch(SimulatedCall of, String event, int length) {
    if (event.equals("clear") && cleared < 0) {
      cleared = of.recording().agent().length;
    }
  }

  private void talk() {
    int heard = sounds(Speech.of(GREETING)).length;
    awaitHeard(heard);
    say(QUESTION);
    heard += sounds(Speech.of(REASSURANCE)).length + sounds(Speech.of(ANSWER)).length;
    awaitHeard(heard);
    say(SECOND_QUESTION);
    awaitHeard(heard + BEFORE_CUT_MS * MuLaw.SAMPLES_PER_MS);
    say(INTERRUPTION);
    call.awaitOver(PATIENCE);
  }

  private void say(String words) {
    call.say(MuLaw.silence(Duration.ofMillis(300)));
    call.say(Speech.of(words));
    call.say(MuLaw.silence(Duration.ofSeconds(1)));
  }

  private void awaitHeard(int samples) {
    Awaitility.await()
        .until(() -> call.streams() > 0 && sounds(call.recording().agent()).length >= samples);
  }

  /// The audio without silence: neither gaps of ours nor of the line's.
  static byte[] sounds(byte[] audio) {
    byte[] sounds = new byte[audio.length];
    int length = 0;
    for (byte sample : audio) {
      if (sample != MuLaw.SILENCE) {
        sounds[length++] = sample;
      }
    }
    return Arrays.copyOf(sounds, length);
  }

  /// The place of the sample that so many sounding ones are before.
  static int place(byte[] audio, int before) {
    int left = before;
    for (int i = 0; i < audio.length; i++) {
      if (audio[i] != MuLaw.SILENCE && left-- == 0) {
        return i;
      }
    }
    return audio.length;
  }

  SimulatedCall call() {
    return call;
  }

  /// What went over the line in all.
  LineRecording whole() {
    return whole;
  }

  /// What had gone over the line when the carrier was asked to hang up.
  LineRecording beforeEnd() {
    return beforeEnd;
  }

  /// How many samples had gone over the line when what waited there was cleared.
  int cleared() {
    return cleared;
  }

  /// What the carrier was asked.
  List<TwilioSimulator.Order> orders() {
    return orders;
  }

  /// The engine's side.
  SimulatedSession session() {
    return session;
  }
}
