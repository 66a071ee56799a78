package dev.switchboard.loop;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.tool.ToolCall;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A line of the transcript: the outcome of one effect of the loop. Together the lines are the
/// journal from which an interrupted turn is replayed, and the history that the model reads.
public sealed interface TranscriptEntry {
  /// Its messages for the model, in order.
  List<Message> messages();

  /// The agent's first message.
  record Greeted(String text) implements TranscriptEntry {
    @Override
    public List<Message> messages() {
      return List.of(new Message.Assistant(text, List.of()));
    }
  }

  /// A message of the user, which begins a turn.
  ///
  /// @param input the id of the [Input]
  /// @param run the client's name for the turn, null for none
  /// @param turn the number of the turn in the executor, which other hosts may share
  /// @param files that the user sent with the text
  /// @param reply the JSON Schema of the reply, null for what the agent states
  /// @param refusal what a guardrail says instead of a reply, null if the message passes
  /// @param by who acts for the principal, null for the principal
  record Said(
      String input,
      String text,
      @Nullable String run,
      int turn,
      List<Message.Attachment> files,
      @Nullable Json reply,
      @Nullable String refusal,
      @Nullable String by)
      implements TranscriptEntry {
    public Said {
      files = List.copyOf(files);
    }

    /// A message without files, whose reply is as the agent states.
    public Said(String input, String text, @Nullable String run, int turn) {
      this(input, text, run, turn, List.of(), null, null, null);
    }

    @Override
    public List<Message> messages() {
      Message words = new Message.User(text, files);
      return refusal == null
          ? List.of(words)
          : List.of(words, new Message.Assistant(refusal, List.of()));
    }
  }

  /// Calls that the runtime made, and their results.
  record Called(List<Message> messages) implements TranscriptEntry {
    public Called {
      messages = List.copyOf(messages);
    }
  }

  /// A boundary: system prompt and tools of the requests that follow, and the messages with which
  /// they begin. Until the next one each request continues the one before it.
  ///
  /// @param reason why what was sent before is not continued, a word
  /// @param system the system prompt
  /// @param head a digest of the prompt without memory, the tools and the form of the reply
  /// @param blocks the digests of the memory blocks in the prompt, by label
  /// @param from the key of the first line whose messages are sent, null for all of them
  /// @param emptied the key of the last line that is sent without its results and files, null for
  ///   none
  /// @param windows how many tokens models read at once, as their services have said, by name
  record Opened(
      String reason,
      String system,
      String head,
      Map<String, String> blocks,
      @Nullable String from,
      @Nullable String emptied,
      Map<String, Integer> windows)
      implements TranscriptEntry {
    public Opened {
      blocks = Map.copyOf(blocks);
      windows = Map.copyOf(windows);
    }

    @Override
    public List<Message> messages() {
      return List.of();
    }
  }

  /// Notes of the runtime to the model, before a request.
  ///
  /// @param memory memory blocks that have changed, null for none; from the next boundary on the
  ///   prompt has them
  /// @param texts other notes
  /// @param blocks the digests of these memory blocks, by label
  record Noticed(@Nullable String memory, List<String> texts, Map<String, String> blocks)
      implements TranscriptEntry {
    public Noticed {
      texts = List.copyOf(texts);
      blocks = Map.copyOf(blocks);
    }

    @Override
    public List<Message> messages() {
      List<Message> rest = messagesWithoutMemory();
      if (memory == null) {
        return rest;
      }
      String more = rest.isEmpty() ? "" : "\n\n" + String.join("\n\n", texts);
      return List.of(new Message.Notice(memory + more));
    }

    /// Its messages once a boundary lies behind it.
    public List<Message> messagesWithoutMemory() {
      return texts.isEmpty() ? List.of() : List.of(new Message.Notice(String.join("\n\n", texts)));
    }
  }

  /// The outcome of asking the model.
  sealed interface ModelOutcome extends TranscriptEntry {
    /// What models have used for it, by name.
    ///
    /// @param first the name of the agent's first model
    Map<String, ModelReply.Usage> used(String first);
  }

  /// The model's reply.
  ///
  /// @param ids the ids of its calls here, in order; the calls' own ids are unique in the
  ///   conversation too, and are sent to the provider again
  /// @param held whether its text is shown at the end of the turn, if it is the last
  /// @param model the name of the fallback model that replied, null for the agent's first model
  /// @param used what each model has used, by name, if that is more than the usage of the reply:
  ///   others were asked before, or it was asked more than once
  record Replied(
      ModelReply reply,
      List<String> ids,
      boolean held,
      @Nullable String model,
      Map<String, ModelReply.Usage> used)
      implements ModelOutcome {
    /// A reply of the agent's first model, whose text is streamed.
    public Replied(ModelReply reply, List<String> ids) {
      this(reply, ids, false, null, Map.of());
    }

    public Replied {
      ids = List.copyOf(ids);
      used = Map.copyOf(used);
      if (ids.size() != reply.calls().size()) {
        throw new IllegalArgumentException("every call of a reply has an id");
      }
    }

    @Override
    public Map<String, ModelReply.Usage> used(String first) {
      return used.isEmpty() ? Map.of(model == null ? first : model, reply.usage()) : used;
    }

    /// The calls with their ids in the executor.
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
          : List.of(new Message.Assistant(reply.text(), reply.calls(), reply.items()));
    }
  }

  /// A failed request to the model.
  ///
  /// @param text a sentence for the user
  /// @param cause why, null if it was cut off
  /// @param used what models have used all the same, by name
  record Failed(
      StopReason reason, String text, @Nullable Kind cause, Map<String, ModelReply.Usage> used)
      implements ModelOutcome {
    public Failed {
      used = Map.copyOf(used);
    }

    /// A failure without usage.
    public Failed(StopReason reason, String text, @Nullable Kind cause) {
      this(reason, text, cause, Map.of());
    }

    @Override
    public Map<String, ModelReply.Usage> used(String first) {
      return used;
    }

    @Override
    public List<Message> messages() {
      return List.of();
    }
  }

  /// The end of a round: the results of its calls, further messages to the model, and the loop's
  /// decision.
  record Ended(@JsonProperty("messages") List<Message> results, LoopDecision decision)
      implements TranscriptEntry {
    public Ended {
      results = List.copyOf(results);
    }

    @Override
    public List<Message> messages() {
      String notice =
          switch (decision) {
            case LoopDecision.Remind remind -> remind.text();
            case LoopDecision.Correct correct -> correct.text();
            case LoopDecision.Continue more -> null;
            case LoopDecision.Force force -> null;
            case LoopDecision.Reject reject -> null;
            case LoopDecision.Exit exit -> null;
          };
      if (notice == null) {
        return results;
      }
      List<Message> all = new ArrayList<>(results);
      all.add(new Message.Notice(notice));
      return all;
    }
  }

  /// A correction of an earlier line of a live session: the recognized words of a caller, or the
  /// part of a reply that was heard.
  ///
  /// @param line the key of that line
  /// @param text that replaces its text
  record Corrected(String line, String text) implements TranscriptEntry {
    @Override
    public List<Message> messages() {
      return List.of();
    }

    /// The first message of that line with this text.
    public Message of(Message message) {
      return switch (message) {
        case Message.User user -> new Message.User(text, user.files());
        case Message.Assistant said ->
            new Message.Assistant(
                text, said.withoutItems().calls(), ProviderItems.withoutEntries(said.items()));
        case Message.System system -> system;
        case Message.Notice notice -> notice;
        case Message.Result result -> result;
      };
    }
  }

  /// The end of a turn.
  ///
  /// @param text the last text; for a stopped turn, a generated sentence that the model reads as
  ///   its own
  /// @param unmet the required tools that have not succeeded
  /// @param usage the tokens of the turn
  /// @param cause why the model failed, null for another reason
  /// @param faults of a reply that did not have the requested format
  /// @param models what each model has used, by name, if there are several
  /// @param cost of the turn, null if some model has no price
  /// @param exhausted the limit of the budget that has ended the turn, null for none
  record Closed(
      StopReason reason,
      String text,
      List<String> unmet,
      ModelReply.Usage usage,
      @Nullable Kind cause,
      List<Fault> faults,
      Map<String, ModelReply.Usage> models,
      @Nullable BigDecimal cost,
      @Nullable Exhausted exhausted)
      implements TranscriptEntry {
    public Closed {
      unmet = List.copyOf(unmet);
      faults = List.copyOf(faults);
      models = Map.copyOf(models);
    }

    /// An end before the unmet tools and the usage are known.
    public Closed(StopReason reason, String text, @Nullable Kind cause, List<Fault> faults) {
      this(reason, text, List.of(), ModelReply.Usage.NONE, cause, faults, Map.of(), null, null);
    }

    /// This end with what is known then.
    ///
    /// @param unmet the required tools that have not succeeded
    /// @param models what each model has used in the turn, by name
    /// @param cost of the turn, null if some model has no price
    public Closed with(
        List<String> unmet, Map<String, ModelReply.Usage> models, @Nullable BigDecimal cost) {
      ModelReply.Usage all =
          models.values().stream().reduce(ModelReply.Usage.NONE, ModelReply.Usage::plus);
      return new Closed(
          reason,
          text,
          unmet,
          all,
          cause,
          faults,
          models.size() > 1 ? models : Map.of(),
          cost,
          exhausted);
    }

    /// This end, because of that limit of the budget.
    Closed exhausted(Exhausted limit) {
      return new Closed(reason, text, unmet, usage, cause, faults, models, cost, limit);
    }

    /// An end for another reason than the model, before the unmet tools and the usage are known.
    public static Closed of(StopReason reason, String text) {
      return new Closed(reason, text, null, List.of());
    }

    @Override
    public List<Message> messages() {
      return switch (reason) {
        case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING, INVALID_REPLY, BUDGET ->
            List.of();
        // A live session may end a turn without a text.
        case MAX_ITERATIONS, MODEL_TIMEOUT, MODEL_ERROR, CANCELLED ->
            text.isEmpty() ? List.of() : List.of(new Message.Assistant(text, List.of()));
      };
    }
  }
}
