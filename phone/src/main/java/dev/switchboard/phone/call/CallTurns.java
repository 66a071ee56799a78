package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.json.Codec;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.call.CallJournal.Offered;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ToolRounds.OpenCall;
import dev.switchboard.phone.call.ToolRounds.Round;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The turns and rounds of a call, with their tools: the equivalent of the agent loop.
///
/// For the actor's thread.
final class CallTurns {
  private final CallContext call;
  private final ResponsePlayer player;
  private final EngineRequests engine;
  private final CallJournal journal;
  private final TurnWatcher watcher;
  private final ToolRounds rounds = new ToolRounds();
  private final ToolEvents events;
  private final Transcription transcription;
  private int turn;
  private int inputs;
  private int sessions; // of the engine that have ended
  private int askedAgain = -1; // the turn whose empty reply was requested again
  private int exhausted = -1; // the turn that has had all its rounds
  private boolean spoken; // whether the caller has said anything
  private boolean spokenWithCalls; // whether the latest reply with calls had words too

  CallTurns(
      CallContext call,
      ResponsePlayer player,
      EngineRequests engine,
      CallJournal journal,
      TurnWatcher watcher) {
    this.call = call;
    this.player = player;
    this.engine = engine;
    this.journal = journal;
    this.watcher = watcher;
    events = new ToolEvents(call, player, engine, rounds, watcher);
    transcription = new Transcription(call, player, journal);
  }

  // The beginning of turns.

  /// The call has arrived: start tools run during ringing and the first message.
  void ringing(TurnInput input) {
    player.requests().hold(true);
    journal.begin(
        input,
        begun -> {
          turn = begun.turn();
          addCalls(begun.started());
          engine.offer(begun.offered());
          player.requests().hold(false);
        });
  }

  /// The runtime has called tools itself: the model reads their results as those of its own calls.
  void addCalls(List<Message> messages) {
    messages.forEach(engine::add);
  }

  /// The caller has said something.
  ///
  /// @param words null if they follow
  void committed(String item, @Nullable String words) {
    spoken = true;
    player.figures().asked(turn);
    if (words != null && !words.isBlank()) {
      call.record().line("caller", journal.shown(words));
      begin(TurnInput.speech(item, words), null, false);
    } else {
      begin(TurnInput.speech(item), words == null ? item : null, false);
    }
  }

  /// The number of the latest turn, 0 before the first.
  int turn() {
    return turn;
  }

  /// Whether the caller has said anything.
  boolean callerHasSpoken() {
    return spoken;
  }

  /// Whether the latest reply with tool calls also had words.
  boolean hasSpokenWithCalls() {
    return spokenWithCalls;
  }

  /// The caller has pressed keys.
  void pressed(String keys) {
    spoken = true;
    player.figures().asked(turn);
    inputs++;
    TurnInput input = TurnInput.keys(inputs, keys);
    engine.add(new Message.User(input.words()));
    begin(input, null, false);
  }

  /// Sends the model a note, about which it speaks.
  ///
  /// @param whenIdle whether it waits until the line is idle
  void news(String note, boolean whenIdle) {
    inputs++;
    engine.add(new Message.Notice(note));
    begin(TurnInput.news(inputs, note), null, whenIdle);
  }

  private void begin(TurnInput input, @Nullable String item, boolean whenIdle) {
    rounds.endRound();
    watcher.active();
    journal.begin(
        input,
        begun -> {
          turn = begun.turn();
          call.note("turn", Codec.object().put("turn", turn).put("input", input.id()));
          addCalls(begun.started());
          engine.offer(begun.offered());
          if (item != null) {
            transcription.begun(item, turn);
          }
          if (begun.substitute() != null) {
            journal.endTurn(StopReason.END_TURN, begun.substitute());
            player.requests().say(Kind.NOTICE, begun.substitute(), whenIdle);
            return;
          }
          player.requests().answer(true, whenIdle);
        });
  }

  /// The transcription of the caller's speech.
  Transcription transcription() {
    return transcription;
  }

  // Rounds.

  /// A response in the conversation has ended.
  void replied(SpokenResponse reply, EngineEvent.Status status, ModelReply.Usage usage) {
    LiveSession.Request from = engine.take(reply.wanted.id());
    List<RequestedCall> asked =
        reply.isGuarded()
            ? List.of()
            : reply.calls.stream()
                // A model that the agent asks may number the calls of each reply alike.
                .filter(call -> from != null || rounds.isNew(call.id()))
                .toList();
    if (asked.isEmpty() && reply.transcriptText().isEmpty()) {
      if (isToBeAskedAgain(reply, status)) {
        askedAgain = turn;
        ObjectNode retry = Codec.object().put("attempt", 2).put("of", 2).put("reason", "empty");
        call.note("model_retry", retry);
        player.requests().answer(reply.wanted.mayCall(), false);
      } else if (from != null && status == EngineEvent.Status.FAILED) {
        journal.failed(from);
        endTurn(reply, status);
      } else if (status != EngineEvent.Status.CANCELLED) {
        endTurn(reply, status);
      }
      return;
    }
    ModelReply.FinishReason finish =
        asked.isEmpty() ? ModelReply.FinishReason.STOP : ModelReply.FinishReason.TOOL_CALLS;
    ModelReply own = reply.reply;
    ModelReply said =
        own == null ? new ModelReply(reply.transcriptText(), asked, finish, usage) : own;
    if (!asked.isEmpty()) {
      spokenWithCalls = reply.hasAudio();
    }
    int session = sessions;
    // A model that was given up has not answered its request.
    journal.replied(
        said,
        reply.timedOut ? null : from,
        stored -> {
          reply.written = new SpokenResponse.Place(stored.turn(), stored.round());
          heard(reply);
          if (asked.isEmpty()) {
            endTurn(reply, status);
          } else {
            Round round = rounds.begin(stored.turn(), stored.round(), asked, stored.calls());
            if (session != sessions) {
              round.calls.forEach(OpenCall::lose);
            }
            run(round);
          }
        });
  }

  /// Whether the model has said nothing in answer to the latest input, for the first time in this
  /// turn.
  private boolean isToBeAskedAgain(SpokenResponse reply, EngineEvent.Status status) {
    boolean ended =
        status == EngineEvent.Status.COMPLETED || status == EngineEvent.Status.INCOMPLETE;
    boolean empty = reply.calls.isEmpty() && !reply.hasAudio() && !reply.isGuarded();
    boolean latest = reply.turn == turn && rounds.open() == null;
    return ended
        && empty
        && latest
        && reply.wanted.kind() == Kind.ANSWER
        && !reply.silenced
        && askedAgain != turn;
  }

  /// The last reply of a turn ends it, unless the reply began before the turn.
  private void endTurn(SpokenResponse reply, EngineEvent.Status status) {
    if (reply.turn == turn && rounds.open() == null) {
      StopReason failure = reply.timedOut ? StopReason.MODEL_TIMEOUT : StopReason.MODEL_ERROR;
      boolean failed = status == EngineEvent.Status.FAILED;
      // The words of a stored reply are in the history.
      String words = failed && reply.written != null ? "" : reply.heardText();
      journal.endTurn(failed ? failure : end(), words);
    }
  }

  private StopReason end() {
    return exhausted == turn ? StopReason.MAX_ITERATIONS : StopReason.END_TURN;
  }

  /// The engine does not answer: the turn ends without a reply.
  void refused(String code) {
    if (rounds.open() == null) {
      boolean late = code.equals(StopReason.MODEL_TIMEOUT.word());
      journal.endTurn(late ? StopReason.MODEL_TIMEOUT : StopReason.MODEL_ERROR, "");
    }
  }

  /// A reply has been heard as far as it will be.
  void heard(SpokenResponse reply) {
    SpokenResponse.Place place = reply.written;
    if (place != null && reply.isCut()) {
      journal.storeHeard(place, reply.heardText());
    }
  }

  private void run(Round round) {
    round.calls.forEach(open -> call.record().called(open.call));
    player.figures().toolsBegin();
    journal.run(round.inRunningOrder(), steps -> steps.forEach(this::stepped));
  }

  private void stepped(CallStep step) {
    switch (step) {
      case CallStep.Settled(ToolResult result) -> settled(result);
      // Its request was an event.
      case CallStep.Pending pending -> {}
    }
  }

  /// An event of tools, rules or consent.
  void event(Event event) {
    events.on(event, this::settled);
  }

  private void settled(ToolResult settled) {
    OpenCall open = rounds.find(String.valueOf(settled.callId()));
    if (open == null) {
      return;
    }
    rounds.close(open);
    ToolResult result =
        ToolNames.RESERVED.contains(open.call.name()) ? SystemTools.withStatus(settled) : settled;
    String text = String.valueOf(result.text());
    call.record().result(open.call, result);
    boolean first = open.output == null;
    if (first) {
      open.output = result;
      output(open, result.success(), text);
    }
    if (call.isEnded()) {
      return;
    }
    if (!first && open.inWords) {
      String words = LiveSession.resultInWords(open.call.name(), text);
      engine.add(new Message.User(words));
      late(words);
      return;
    }
    if (open.left) {
      late(open, result, text);
    } else if (open.round.isSettled()) {
      endRound(open.round);
    }
  }

  /// A result that arrives after its round is sent at once. The model speaks about it when the line
  /// is idle, unless the tool says otherwise.
  private void late(OpenCall open, ToolResult result, String text) {
    if (ToolRounds.asks(result, ToolRounds.SILENT)) {
      journal.storeNote(open.call.name(), text);
    } else {
      late(LiveSession.resultInWords(open.call.name(), text));
    }
  }

  private void late(String words) {
    inputs++;
    begin(TurnInput.news(inputs, words), null, true);
  }

  /// A call waits for a person: it counts as settled for its round.
  void waits(String id) {
    OpenCall open = rounds.find(id);
    if (open == null || open.output != null) {
      return;
    }
    open.inWords = true;
    open.output = ToolExecutor.pending(open.call);
    watcher.unhurried(id);
    output(open, open.output.success(), String.valueOf(open.output.text()));
    if (!open.left && open.round.isSettled()) {
      endRound(open.round);
    }
  }

  private void output(OpenCall open, boolean success, String text) {
    engine.output(new Message.Result(open.asked.id(), open.call.name(), text, success));
  }

  private void endRound(Round round) {
    List<ToolResult> results = round.results();
    rounds.endRound();
    watcher.roundEnded();
    player.figures().toolsEnd();
    journal.endRound(
        round.turn, round.number, results, ended -> follow(round, ended.exit(), ended.offered()));
  }

  private void follow(Round round, RoundEnd.@Nullable Exit exit, Offered offered) {
    engine.offer(offered);
    if (round.turn != turn || call.isOver()) {
      return;
    }
    if (exit != null && exit.message() != null && !exit.message().isBlank()) {
      journal.endTurn(exit.reason(), exit.message());
      player.requests().say(Kind.ANSWER, exit.message(), false);
      engine.add(new Message.Assistant(exit.message(), List.of()));
    } else if (exit != null) {
      player.requests().answer(false, false);
    } else if (round.number == journal.limits().iterations()) {
      exhausted = turn;
      call.note("budget_exhausted", Codec.object().put("rounds", round.number));
      player.requests().answer(false, false);
    } else if (round.number > journal.limits().iterations()) {
      // It was offered no tools, and called some.
      journal.endTurn(StopReason.MAX_ITERATIONS, "");
    } else if (round.isSilent()) {
      journal.endTurn(StopReason.END_TURN, "");
    } else {
      player.requests().answer(true, round.waitsForIdle());
    }
  }

  /// The waiting call of that id, null if it has ended.
  @Nullable ToolCall waiting(String id) {
    OpenCall open = rounds.find(id);
    return open == null ? null : open.call;
  }

  /// Whether tools run.
  boolean isAtWork() {
    return rounds.areAtWork();
  }

  /// The engine's session ends: the next one does not know its open calls, whose results are sent
  /// as text.
  void sessionEnds() {
    sessions++;
    rounds.loseAll();
  }
}
