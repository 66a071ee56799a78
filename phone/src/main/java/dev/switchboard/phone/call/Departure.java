package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.config.PhoneSettings.Flag;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A transfer or the end of the call, at the model's request. Both wait until the caller has heard
/// the last words. If the caller speaks meanwhile, they are cancelled, unless the settings say
/// otherwise. Then the carrier is asked, and its answer is the result.
///
/// For the actor's thread.
final class Departure {
  private static final Duration DRAIN = Duration.ofSeconds(8);
  private static final Duration CONNECTING = Duration.ofSeconds(6);
  private static final Set<String> OUTCOMES = Set.of("busy", "no-answer", "canceled");
  private static final String FAILED = "failed";
  static final int MOST_REMINDERS = 2;

  private final CallContext call;
  private final CallLife life;
  private final Voice voice;
  private final Talk talk;
  private final CallJournal journal;
  private @Nullable Request open;
  private boolean asking; // whether the carrier is being asked
  private @Nullable ToolResult accepted;
  private Time.Alarm drained = Time.Alarm.NONE;
  private boolean farewellIsOver = true;
  private int reminders;
  private String failed = FAILED; // how the latest transfer did

  Departure(CallContext call, CallLife life, Voice voice, Talk talk, CallJournal journal) {
    this.call = call;
    this.life = life;
    this.voice = voice;
    this.talk = talk;
    this.journal = journal;
  }

  /// The request of a host's tool.
  ///
  /// @param number to transfer to, null for the end of the call
  /// @param reason of the end, for the record; null for a transfer
  /// @param result of the tool's call
  record Request(
      @Nullable String number, @Nullable String reason, CompletableFuture<ToolResult> result) {
    boolean isEnd() {
      return number == null;
    }
  }

  /// The model requests a transfer or the end.
  void asked(Request request) {
    ToolResult before = accepted;
    if (before != null) {
      request.result().complete(before);
    } else if (open != null) {
      request
          .result()
          .complete(
              rejected(
                  "rejected", "Another transfer or end of the call is already in progress.", null));
    } else if (call.isOver()) {
      request.result().complete(rejected("rejected", "The call is over.", null));
    } else if (request.isEnd() && isConnecting()) {
      String why = "The caller has not spoken yet; wait for them.";
      request.result().complete(rejected("rejected", why, "caller_still_connecting"));
    } else {
      journal.read(LiveSession::unmet, unmet -> leave(request, unmet));
    }
  }

  private boolean isConnecting() {
    return !talk.callerHasSpoken() && call.age().compareTo(CONNECTING) < 0;
  }

  /// Tools that are required before the end delay it twice. The third time the runtime calls those
  /// without arguments, and continues.
  private void leave(Request request, List<String> unmet) {
    if (unmet.isEmpty()) {
      drain(request);
    } else if (reminders < MOST_REMINDERS) {
      reminders++;
      request.result().complete(rejected("rejected", reminder(unmet), "required_before_exit"));
    } else {
      journal.finish(own -> {
        talk.called(own);
        drain(request);
      });
    }
  }

  /// The message to a model that wants to leave before these tools have succeeded.
  static String reminder(List<String> unmet) {
    String names = "'" + String.join("', '", unmet) + "'";
    return names + (unmet.size() == 1 ? " has" : " have") + " to succeed first.";
  }

  private void drain(Request request) {
    open = request;
    if (voice.requests().callerSpeaks()) {
      speechStarted();
    }
    if (open == null) {
      return;
    }
    if (talk.hasSpokenWithCalls()) {
      farewellIsOver = true;
      farewellSent();
    } else {
      farewellIsOver = false;
      voice.requests().farewell();
    }
    go();
  }

  /// The last words were sent completely; the wait for the caller to hear them is limited.
  void farewellSent() {
    if (open != null && !asking) {
      farewellIsOver = true;
      drained.cancel();
      drained = call.after(DRAIN, this::ask);
      go();
    }
  }

  /// The caller has heard more, or audio was dropped.
  void heard() {
    go();
  }

  private void go() {
    // A farewell is not cut off by a guess: without an echo it has its eight seconds.
    if (open != null && farewellIsOver && voice.playout().isEchoed()) {
      ask();
    }
  }

  private void ask() {
    Request request = open;
    if (request == null || asking || call.isOver()) {
      return;
    }
    asking = true;
    drained.cancel();
    // The line may be closed before the carrier's answer arrives.
    if (request.isEnd()) {
      life.ending("end_call");
    } else {
      life.transferring();
    }
    String number = request.number();
    call.order(
        carrier ->
            number == null
                ? carrier.hangUp(call.id())
                : carrier.transfer(call.id(), number, call.settings().number()),
        answer -> answered(request, answer));
  }

  private void answered(Request request, Carrier.Answer answer) {
    if (!request.equals(open)) {
      return;
    }
    asking = false;
    open = null;
    if (answer.taken()) {
      carriedOut(request);
    } else {
      String why = String.valueOf(answer.error());
      request.result().complete(rejected("failed", why, null));
      call.note("refused_by_carrier", Codec.object());
      life.staying();
    }
  }

  private void carriedOut(Request request) {
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

  private static ToolResult taken(Request request) {
    ObjectNode data = Codec.object();
    if (request.isEnd()) {
      data.put("status", "ending").put("reason", request.reason());
    } else {
      data.put("status", "transferring").put("to", request.number());
    }
    Json told = Json.of(data);
    return ToolResult.builder(true).data(told).text(told.text()).terminal(true).build();
  }

  /// The result of a request that is not executed.
  static ToolResult rejected(String status, String error, @Nullable String reason) {
    ObjectNode text = Codec.object().put("success", false).put("needsFollowup", true);
    text.put("status", status);
    if (reason != null) {
      text.put("reason", reason);
    }
    text.put("error", error);
    return ToolResult.builder(false)
        .needsFollowup(true)
        .error(error)
        .text(Json.of(text).text())
        .build();
  }

  /// The caller speaks, which cancels the request.
  void speechStarted() {
    Request request = open;
    if (request == null || asking || !call.settings().is(Flag.FAREWELL_INTERRUPTIBLE)) {
      return;
    }
    open = null;
    drained.cancel();
    voice.requests().giveUpAnswer();
    String what = request.isEnd() ? "The call was not ended" : "The call was not transferred";
    request.result().complete(rejected("cancelled", what + ": the caller spoke.", null));
  }

  /// Whether the carrier has accepted a request.
  boolean isAccepted() {
    return accepted != null;
  }

  /// The carrier reports how the number that it dialled for a transfer ended.
  void dialed(String status) {
    if (status.equals("completed")) {
      life.transferred();
    } else {
      // The model reads it as words of the runtime.
      failed = OUTCOMES.contains(status) ? status : FAILED;
    }
  }

  /// A transfer has failed, and the caller is back; returns how it failed.
  String back() {
    accepted = null;
    String status = failed;
    failed = FAILED;
    return status;
  }

  /// The call has ended; open requests get a result. A carrier may end the call before its answer
  /// arrives.
  void over() {
    drained.cancel();
    Request request = open;
    open = null;
    if (request == null) {
      return;
    }
    if (asking && request.isEnd()) {
      carriedOut(request);
    } else {
      request.result().complete(rejected("rejected", "The call is over.", null));
    }
  }
}
