package dev.switchboard.loop;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A line of the transcript: what one effect of the loop came to. Together they are the journal
/// that a crashed turn is replayed from, and the history that the model reads.
public sealed interface TranscriptEntry {
  /// What the model reads of it, in order.
  List<Message> messages();

  /// The agent's first words.
  record Greeted(String text) implements TranscriptEntry {
    @Override
    public List<Message> messages() {
      return List.of(new Message.Assistant(text, List.of()));
    }
  }

  /// Words of the user's, with which a turn begins.
  ///
  /// @param input the id of the [Input]
  /// @param run the client's name for the turn, null for none
  /// @param turn the number that the turn has at the door, where other hosts may count too
  /// @param files what the user showed beside the words
  /// @param reply the JSON Schema that the reply has to meet, null for what the agent states
  /// @param refusal what a guardrail says in the place of a reply, null where the words may pass
  record Said(
      String input,
      String text,
      @Nullable String run,
      int turn,
      List<Message.Attachment> files,
      @Nullable Json reply,
      @Nullable String refusal)
      implements TranscriptEntry {
    public Said {
      files = List.copyOf(files);
    }

    /// Words alone, whose reply is as the agent states.
    public Said(String input, String text, @Nullable String run, int turn) {
      this(input, text, run, turn, List.of(), null, null);
    }

    @Override
    public List<Message> messages() {
      Message words = new Message.User(text, files);
      return refusal == null
          ? List.of(words)
          : List.of(words, new Message.Assistant(refusal, List.of()));
    }
  }

  /// Calls that the runtime made by itself, and their results.
  record Called(List<Message> messages) implements TranscriptEntry {
    public Called {
      messages = List.copyOf(messages);
    }
  }

  /// What asking the model came to.
  sealed interface Asked extends TranscriptEntry {}

  /// The model's reply.
  ///
  /// @param ids the ids that its calls have here, in their order; the calls' own are unique in the
  ///   conversation too, and what the provider sees again
  /// @param held whether its words are shown at the end of the turn, if they are the last
  /// @param model the name of the model that replied in the place of the agent's first, null for
  ///   that
  record Replied(ModelReply reply, List<String> ids, boolean held, @Nullable String model)
      implements Asked {
    /// A reply of the agent's first model, whose words are shown as they come.
    public Replied(ModelReply reply, List<String> ids) {
      this(reply, ids, false, null);
    }

    public Replied {
      ids = List.copyOf(ids);
      if (ids.size() != reply.calls().size()) {
        throw new IllegalArgumentException("every call of a reply has an id");
      }
    }

    /// The calls as the door knows them.
    public List<ToolCall> calls() {
      List<ToolCall> calls = new ArrayList<>();
      for (int i = 0; i < ids.size(); i++) {
        RequestedCall call = reply.calls().get(i);
        calls.add(new ToolCall(ids.get(i), call.name(), call.arguments()));
      }
      return calls;
    }

    @Override
    public List<Message> messages() {
      return reply.text().isEmpty() && reply.calls().isEmpty()
          ? List.of()
          : List.of(new Message.Assistant(reply.text(), reply.calls()));
    }
  }

  /// No reply.
  ///
  /// @param text a sentence for the user
  /// @param cause what kept the model from replying, null where it was cut off
  record Failed(StopReason reason, String text, @Nullable Kind cause) implements Asked {
    @Override
    public List<Message> messages() {
      return List.of();
    }
  }

  /// The end of a round: the results of its calls, what else the model is told, and how the loop
  /// goes on.
  record Ended(@JsonProperty("messages") List<Message> results, LoopDecision decision)
      implements TranscriptEntry {
    public Ended {
      results = List.copyOf(results);
    }

    @Override
    public List<Message> messages() {
      String told =
          switch (decision) {
            case LoopDecision.Remind remind -> remind.text();
            case LoopDecision.Correct correct -> correct.text();
            case LoopDecision.Continue more -> null;
            case LoopDecision.Force force -> null;
            case LoopDecision.Reject reject -> null;
            case LoopDecision.Exit exit -> null;
          };
      if (told == null) {
        return results;
      }
      List<Message> all = new ArrayList<>(results);
      all.add(new Message.Notice(told));
      return all;
    }
  }

  /// What an earlier line was in truth, as it turned out on a live line: the words that were
  /// understood of a caller, or the part of a reply that was heard.
  ///
  /// @param line the key of that line
  /// @param text in the place of its words
  record Corrected(String line, String text) implements TranscriptEntry {
    @Override
    public List<Message> messages() {
      return List.of();
    }
  }

  /// The end of a turn.
  ///
  /// @param text the last words; where the turn was cut short, a sentence of ours that the model
  ///   reads as its own
  /// @param unmet the tools that were required and have not succeeded
  /// @param usage what the turn has cost
  /// @param cause what kept the model from replying, null where that is not the reason
  /// @param faults of a reply that is not of the form that was asked for
  record Closed(
      StopReason reason,
      String text,
      List<String> unmet,
      ModelReply.Usage usage,
      @Nullable Kind cause,
      List<Fault> faults)
      implements TranscriptEntry {
    public Closed {
      unmet = List.copyOf(unmet);
      faults = List.copyOf(faults);
    }

    /// An end for no fault of the model's, of which it is still to be said what is unmet and what
    /// it has cost.
    public static Closed of(StopReason reason, String text) {
      return new Closed(reason, text, List.of(), ModelReply.Usage.NONE, null, List.of());
    }

    @Override
    public List<Message> messages() {
      return switch (reason) {
        case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING, INVALID_REPLY -> List.of();
        case MAX_ITERATIONS, MODEL_TIMEOUT, MODEL_ERROR, CANCELLED ->
            List.of(new Message.Assistant(text, List.of()));
      };
    }
  }
}
