package dev.switchboard.phone.testing;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A session of ConversationRelay: the carrier speaks the agent's words to the caller, and reports
/// the caller's words.
///
/// Its thread owns the voice and the caller.
final class RelaySession implements CarrierSocket.Protocol {
  // Of twilio.com/docs/api/errors.
  private static final int UNREACHABLE = 64_102;
  private static final int DISCONNECTED = 64_105; // by the application, during the call
  private static final int MISMATCH = 64_106;
  private static final int INVALID_MESSAGE = 64_107;
  private static final long LONGEST_WAIT_NANOS = 50_000_000; // until the end is noticed

  private final String id = "VX" + MediaStream.randomHex();
  private final SimulatedCall call;
  private final Map<String, String> parameters;
  private final RelaySettings settings;
  private final RelayReports reports;
  private final RelayVoice voice;
  private final RelayCaller caller;
  private final long begin = System.nanoTime();
  private final LinkedBlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
  private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
  private final AtomicInteger unsaid = new AtomicInteger(); // utterances of the caller
  private volatile int unspoken; // characters of the agent
  private volatile @Nullable CarrierSocket socket;
  private volatile boolean handedOff; // the application has ended the session

  /// How a session has ended.
  ///
  /// @param code of an error, 0 for none
  private record Outcome(String status, int code, @Nullable String handoff) {}

  RelaySession(
      SimulatedCall call, Map<String, String> parameters, RelaySettings settings, double speed) {
    this.call = call;
    this.parameters = parameters;
    this.settings = settings;
    long character = (long) (1e9 / RelayVoice.CHARACTERS_A_SECOND / speed);
    reports = new RelayReports(call, settings);
    voice = new RelayVoice(call, reports, character);
    caller = new RelayCaller(voice, reports, settings, character, this::said);
  }

  private void said() {
    unsaid.decrementAndGet();
    call.signal();
  }

  /// Whether the session can begin; otherwise it has failed.
  ///
  /// @param failure an error of the carrier, 0 for none
  boolean canBegin(int failure) {
    settings.warnings().forEach(call::fault);
    String mismatch = settings.mismatch();
    if (mismatch != null) {
      call.fault(MISMATCH + " " + mismatch);
      fail(MISMATCH);
    } else if (failure != 0) {
      fail(failure);
    }
    return outcome.get() == null;
  }

  private void fail(int code) {
    outcome.compareAndSet(null, new Outcome("failed", code, null));
  }

  /// Ends the session with an error.
  void breakOff(int code) {
    fail(code);
    end();
  }

  private void end() {
    CarrierSocket open = socket;
    if (open != null) {
      open.end();
    }
  }

  /// Says words of the caller, after earlier ones.
  void say(String words) {
    unsaid.incrementAndGet();
    steps.add(() -> caller.say(words));
  }

  /// Says words of the caller as soon as the agent has spoken others.
  void sayAfter(String others, String words) {
    unsaid.incrementAndGet();
    steps.add(() -> voice.after(others, () -> caller.say(words)));
  }

  @Override
  public void press(char key) {
    steps.add(() -> caller.press(key));
  }

  /// Whether the caller has said everything, or cannot say more.
  boolean allSaid() {
    return unsaid.get() == 0 || isEnded();
  }

  @Override
  public long waiting() {
    return unspoken * 1_000L / RelayVoice.CHARACTERS_A_SECOND;
  }

  @Override
  public void greet(CarrierSocket opened) {
    socket = opened;
    reports.setUp(opened, id, parameters);
  }

  private boolean isEnded() {
    CarrierSocket open = socket;
    return open == null || open.isEnded();
  }

  @Override
  public void run() {
    voice.add(settings.greeting(), true, settings.isGreetingInterruptible());
    try {
      while (!isEnded()) {
        long next = Math.min(voice.untilNext(), caller.untilNext());
        Runnable step = steps.poll(Math.min(next, LONGEST_WAIT_NANOS), TimeUnit.NANOSECONDS);
        if (step != null) {
          step.run();
        }
        voice.speak();
        caller.speak();
        unspoken = voice.waiting();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      voice.stop();
      unsaid.set(0);
      call.signal();
    }
  }

  @Override
  public void message(String text) {
    if (isEnded() && !handedOff) {
      return;
    }
    try {
      JsonNode message = Json.text(text).tree();
      String type = message.path("type").stringValue("");
      call.watched(type, text.length());
      // Nothing can follow the message that ends the session.
      String fault = handedOff ? "a message after the end" : RelayFields.fault(message);
      if (fault == null) {
        handedOff = type.equals("end");
        steps.add(() -> take(type, message));
      } else {
        refuse(fault, text);
      }
    } catch (JsonException e) {
      refuse("the message is not JSON", text);
    }
  }

  /// Refuses a message: it has no effect, and the session goes on.
  private void refuse(String fault, String text) {
    call.fault(INVALID_MESSAGE + " " + fault);
    reports.invalid(text);
  }

  private void take(String type, JsonNode message) {
    if (type.equals("text")) {
      voice.add(
          message.path("token").stringValue(""),
          message.path("last").booleanValue(false),
          message.path("interruptible").booleanValue(true));
    } else if (type.equals("end")) {
      String handoff = message.path("handoffData").stringValue("");
      outcome.compareAndSet(null, new Outcome("ended", 0, handoff));
      end();
    }
  }

  @Override
  public void stopping() {
    outcome.compareAndSet(null, new Outcome("completed", 0, null));
  }

  @Override
  public void lost(int status) {
    if (socket == null && outcome.get() == null) {
      call.fault(UNREACHABLE + " the socket was not opened: status " + status);
    }
    fail(socket == null ? UNREACHABLE : DISCONNECTED);
  }

  @Override
  public Map<String, String> report() {
    Map<String, String> report = new HashMap<>();
    report.put("SessionId", id);
    report.put("SessionDuration", "" + (System.nanoTime() - begin) / 1_000_000_000);
    Outcome end = outcome.get();
    if (end != null) {
      report.put("SessionStatus", end.status);
    }
    if (end != null && end.code != 0) {
      report.put("ErrorCode", "" + end.code);
      report.put("ErrorMessage", "ConversationRelay failed");
    }
    if (end != null && end.handoff != null) {
      report.put("HandoffData", end.handoff);
    }
    return report;
  }
}
