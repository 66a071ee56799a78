package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A transfer or the end of the call, at the model's request. Both wait until the caller has heard
/// the last words. If the caller speaks meanwhile, they are cancelled, unless the settings say
/// otherwise. Then the carrier is asked, and its answer is the result.
///
/// For the actor's thread.
final class TransferOrHangup {
  private static final Duration DRAIN = Duration.ofSeconds(8);
  private static final Duration CONNECTING = Duration.ofSeconds(6);
  private static final Set<String> OUTCOMES = Set.of("busy", "no-answer", "canceled");
  private static final String FAILED = "failed";
  static final int MOST_REMINDERS = 2;

  private final CallContext call;
  private final CallLifecycle lifecycle;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final CallJournal journal;
  private @Nullable TransferOrHangupRequest open;
  private boolean asking; // whether the carrier is being asked
  private @Nullable ToolResult accepted;
  private Time.Alarm drained = Time.Alarm.NONE;
  private boolean farewellIsOver = true;
  private int reminders;
  private String failed = FAILED; // how the latest transfer did

  TransferOrHangup(
      CallContext call,
      CallLifecycle lifecycle,
      ResponsePlayer player,
      CallTurns turns,
      CallJournal journal) {
    this.call = call;
    this.lifecycle = lifecycle;
    this.player = player;
    this.turns = turns;
    this.journal = journal;
  }

  /// The model requests a transfer or the end.
  void request(TransferOrHangupRequest request) {
    ToolResult before = accepted;
    if (before != null) {
      request.result().complete(before);
    } else if (open != null) {
      request.reject("Another transfer or end of the call is already in progress.", null);
    } else if (call.isOver()) {
      request.reject("The call is over.", null);
    } else if (request.isEnd() && isConnecting()) {
      String why = "The caller has not spoken yet; wait for them.";
      request.reject(why, "caller_still_connecting");
    } else {
      journal.read(LiveSession::unmet, unmet -> leave(request, unmet));
    }
  }

  private boolean isConnecting() {
    return !turns.callerHasSpoken() && call.age().compareTo(CONNECTING) < 0;
  }

  /// Tools that are required before the end delay it twice. The third time the runtime calls those
  /// without arguments, and continues.
  private void leave(TransferOrHangupRequest request, List<String> unmet) {
    if (unmet.isEmpty()) {
      drain(request);
    } else if (reminders < MOST_REMINDERS) {
      reminders++;
      request.reject(reminder(unmet), "required_before_exit");
    } else {
      journal.finish(own -> {
        turns.addCalls(own);
        drain(request);
      });
    }
  }

  /// The message to a model that wants to leave before these tools have succeeded.
  static String reminder(List<String> unmet) {
    String names = "'" + String.join("', '", unmet) + "'";
    return names + (unmet.size() == 1 ? " has" : " have") + " to succeed first.";
  }

  private void drain(TransferOrHangupRequest request) {
    open = request;
    if (player.requests().callerSpeaks()) {
      speechStarted();
    }
    if (open == null) {
      return;
    }
    if (turns.hasSpokenWithCalls()) {
      farewellIsOver = true;
      farewellSent();
    } else {
      farewellIsOver = false;
      player.requests().farewell();
    }
    askIfHeard();
  }

  /// The last words were sent completely; the wait for the caller to hear them is limited.
  void farewellSent() {
    if (open != null && !asking) {
      farewellIsOver = true;
      drained.cancel();
      drained = call.after(DRAIN.plus(player.playout().untilSpoken()), this::ask);
      askIfHeard();
    }
  }

  /// The caller has heard more, or audio was dropped.
  void heard() {
    askIfHeard();
  }

  private void askIfHeard() {
    // A farewell is not cut off by a guess: without an echo it has its eight seconds.
    if (open != null && farewellIsOver && player.playout().isEchoed()) {
      ask();
    }
  }

  private void ask() {
    TransferOrHangupRequest request = open;
    if (request == null || asking || call.isOver()) {
      return;
    }
    asking = true;
    drained.cancel();
    // The line may be closed before the carrier's answer arrives.
    if (request.isEnd()) {
      lifecycle.ending("end_call");
    } else {
      lifecycle.transferring();
    }
    String number = request.number();
    call.order(
        carrier ->
            number == null
                ? carrier.hangUp(call.id())
                : carrier.transfer(call.id(), number, call.settings().number()),
        answer -> answered(request, answer));
  }

  private void answered(TransferOrHangupRequest request, Carrier.Answer answer) {
    if (!request.equals(open)) {
      return;
    }
    asking = false;
    open = null;
    if (answer.taken()) {
      complete(request);
    } else {
      String why = String.valueOf(answer.error());
      request.fail("failed", why);
      call.note("refused_by_carrier", Codec.object());
      lifecycle.staying();
    }
  }

  private void complete(TransferOrHangupRequest request) {
    ToolResult result = taken(request);
    accepted = result;
    call.record()
        .line(
            "system",
            request.isEnd()
                ? "Call ended: " + request.reason()
                : "Call transferred to " + request.number());
    request.result().complete(result);
  }

  private static ToolResult taken(TransferOrHangupRequest request) {
    ObjectNode data = Codec.object();
    if (request.isEnd()) {
      data.put("status", "ending").put("reason", request.reason());
    } else {
      data.put("status", "transferring").put("to", request.number());
    }
    Json json = Json.of(data);
    return ToolResult.builder(true).data(json).text(json.text()).terminal(true).build();
  }

  /// The caller speaks, which cancels the request.
  void speechStarted() {
    TransferOrHangupRequest request = open;
    if (request == null || asking || !call.settings().is(Flag.FAREWELL_INTERRUPTIBLE)) {
      return;
    }
    open = null;
    drained.cancel();
    player.requests().giveUpAnswer();
    String what = request.isEnd() ? "The call was not ended" : "The call was not transferred";
    request.fail("cancelled", what + ": the caller spoke.");
  }

  /// Whether the carrier has accepted a request.
  boolean isAccepted() {
    return accepted != null;
  }

  /// The carrier reports how the number that it dialled for a transfer ended.
  void dialed(String status) {
    if (status.equals("completed")) {
      lifecycle.transferred();
    } else {
      // The model reads it as words of the runtime.
      failed = OUTCOMES.contains(status) ? status : FAILED;
    }
  }

  /// A transfer has failed, and the caller is back; returns how it failed.
  String callerIsBack() {
    accepted = null;
    String status = failed;
    failed = FAILED;
    return status;
  }

  /// The call has ended; open requests get a result. A carrier may end the call before its answer
  /// arrives.
  void over() {
    drained.cancel();
    TransferOrHangupRequest request = open;
    open = null;
    if (request == null) {
      return;
    }
    if (asking && request.isEnd()) {
      complete(request);
    } else {
      request.reject("The call is over.", null);
    }
  }
}
