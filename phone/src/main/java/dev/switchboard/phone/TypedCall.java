package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.call.CallRecorder;
import dev.switchboard.phone.call.CallSession;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A call on the keyboard: a person types what the caller says, and reads what the agent says. The
/// agent's own model replies; there is no carrier, and words need no time to be spoken. A call
/// whose model fails ends, after the words for that.
///
/// Thread-safe.
public final class TypedCall implements AutoCloseable {
  /// The reason of the end of a call that could not continue.
  public static final String FAILED = "failed";

  private static final Duration SETTLING = Duration.ofSeconds(15);
  private static final String SYSTEM = "system"; // the role of the runtime's lines

  private final Listener listener;
  private final CallSession session;
  private final CompletableFuture<String> ended = new CompletableFuture<>(); // with the reason
  private final CompletableFuture<Boolean> released = new CompletableFuture<>();

  private volatile boolean fails; // the end follows

  /// Receives what the agent says and what happens, in order, on the call's threads; must not
  /// block.
  public interface Listener extends CallRecorder {
    /// The agent says words.
    ///
    /// @param last whether a response ends with them; they may be empty then
    void said(String words, boolean last);
  }

  private TypedCall(
      Carrier.Arrival arrival, Agent agent, CallSettings settings, Time time, Listener listener) {
    this.listener = listener;
    Keyboard keyboard = new Keyboard();
    session =
        CallSession.start(
            arrival,
            new CallSession.Parts(
                agent, ConversationRelay.of(), keyboard, settings, time, keyboard, this::over));
    session.post(new CarrierEvent.Connected(new Screen()));
  }

  /// Begins a call.
  ///
  /// @param arrival who calls which number; its id is that of the conversation
  /// @throws IllegalArgumentException when the agent has no model
  public static TypedCall start(
      Carrier.Arrival arrival, Agent agent, CallSettings settings, Time time, Listener listener) {
    if (!agent.hasModel()) {
      throw new IllegalArgumentException(
          "agent '%s' has no model: AgentBuilder.model(..) sets it".formatted(agent.name()));
    }
    return new TypedCall(arrival, agent, settings, time, listener);
  }

  /// The caller says words.
  public void say(String words) {
    session.post(new CarrierEvent.Prompted(words, null, true));
  }

  /// The caller presses a key.
  ///
  /// @param key a digit, `*` or `#`
  public void press(char key) {
    session.post(new CarrierEvent.Pressed(key));
  }

  /// The caller hangs up.
  public void hangUp() {
    session.post(new CarrierEvent.Disconnected());
  }

  /// Waits until the call goes on with what the caller says or presses next; false if it has ended
  /// instead.
  public boolean awaitCallersTurn() {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    session.whenCallersTurn(() -> turn.complete(true));
    Object unused = CompletableFuture.anyOf(turn, ended).join();
    if (fails) {
      String unusedReason = ended.join();
    }
    return !ended.isDone();
  }

  /// Waits for the end of the call; returns its reason, such as `hung_up` or `end_call`.
  public String awaitEnd() {
    return ended.join();
  }

  /// Hangs up, and waits for the results of tools that still run, at most 15 seconds.
  @Override
  public void close() {
    hangUp();
    try {
      boolean unused = released.get(SETTLING.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // The tools are on their own.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void over(CallSession call) {
    call.whenReleased(() -> released.complete(true));
  }

  /// Shows what the agent says.
  private final class Screen implements TextLine {
    @Override
    public void say(String words, boolean last, boolean interruptible) {
      listener.said(words, last);
      if (last) {
        session.post(new CarrierEvent.Sounding(Side.AGENT, false));
      }
    }

    @Override
    public boolean speaksAtOnce() {
      return true;
    }

    @Override
    public void close(int code, String reason) {}
  }

  /// Shows the orders of the runtime, and what is recorded.
  private final class Keyboard implements Carrier, CallRecorder {
    private volatile boolean transfers;

    @Override
    public String name() {
      return "keyboard";
    }

    @Override
    public List<Mount> routes(String publicUrl, Switch calls) {
      return List.of();
    }

    @Override
    public Answer transfer(String call, String number, String from) {
      transfers = true;
      return Answer.TAKEN;
    }

    @Override
    public Answer hangUp(String call) {
      session.post(new CarrierEvent.Status("completed"));
      return Answer.TAKEN;
    }

    @Override
    public Answer sayAndHangUp(String call, String words) {
      listener.said(words, true);
      return hangUp(call);
    }

    @Override
    public void happened(String type, Json details) {
      listener.happened(type, details);
      if (type.equals("response_failed")) {
        fails = true;
        session.whenCallersTurn(() -> session.post(new CarrierEvent.Status(FAILED)));
      }
    }

    @Override
    public void line(String role, String text) {
      listener.line(role, text);
      // The line of the transfer: the other number has taken the call, and it is over here.
      if (transfers && role.equals(SYSTEM)) {
        session.post(new CarrierEvent.Status("completed"));
      }
    }

    @Override
    public void ended(String reason, ModelReply.Usage usage) {
      listener.ended(reason, usage);
      ended.complete(reason);
    }

    @Override
    public void late(Json details) {
      listener.late(details);
    }
  }
}
