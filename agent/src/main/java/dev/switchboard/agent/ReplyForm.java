package dev.switchboard.agent;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolSchemaException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// The form of a structured reply: its schema, as the model reads it, and the check of a reply,
/// which is that of a tool's arguments. Immutable.
final class ReplyForm {
  /// How often a model is asked for another reply within a turn.
  static final int CORRECTIONS = 2;

  private static final String NAME = "reply";
  private static final int LONGEST = 1_000_000;
  private static final int MOST_FAULTS = 10;
  private static final ClassValue<ReplyForm> TYPED =
      new ClassValue<>() {
        @Override
        protected ReplyForm computeValue(Class<?> type) {
          return made(type);
        }
      };

  private final ParameterSchema schema;
  private final ModelRequest.ReplyFormat format;

  private ReplyForm(ParameterSchema schema, ModelRequest.ReplyFormat format) {
    this.schema = schema;
    this.format = format;
  }

  /// The form of a type, a record or a sealed interface of records.
  ///
  /// @throws ToolSchemaException when something in it has no JSON Schema
  static ReplyForm of(Class<?> type) {
    return TYPED.get(type);
  }

  /// If the schema has a strict variant, in which every member is required, the provider gets that.
  private static ReplyForm made(Class<?> type) {
    ParameterSchema open = ParameterSchema.of(NAME, type, false);
    return new ReplyForm(open, strictly(type, open));
  }

  private static ModelRequest.ReplyFormat strictly(Class<?> type, ParameterSchema open) {
    try {
      Json schema = ParameterSchema.of(NAME, type, true).json();
      return new ModelRequest.ReplyFormat(NAME, schema, true);
    } catch (ToolSchemaException e) {
      return new ModelRequest.ReplyFormat(NAME, open.json(), false);
    }
  }

  /// The form of a JSON Schema.
  ///
  /// @throws ToolSchemaException when it is not the schema of an object
  static ReplyForm of(Json schema) {
    ParameterSchema open = ParameterSchema.parse(NAME, schema, false);
    boolean strict = ParameterSchema.faultsOf(NAME, schema, true).isEmpty();
    return new ReplyForm(open, new ModelRequest.ReplyFormat(NAME, open.json(), strict));
  }

  /// The format for a provider's request.
  ModelRequest.ReplyFormat format() {
    return format;
  }

  /// The schema that a reply is checked against.
  Json schema() {
    return schema.json();
  }

  /// The first ten faults of a reply; none if it has the form.
  List<Fault> faults(ModelReply reply) {
    List<Fault> faults = faults(reply.text());
    boolean cut = reply.finish() == ModelReply.FinishReason.LENGTH;
    return cut && !faults.isEmpty()
        ? List.of(new Fault("", "a whole JSON object", "one that was cut at the limit of tokens"))
        : faults;
  }

  private List<Fault> faults(String text) {
    if (text.length() > LONGEST) {
      String found = text.length() + " characters";
      return List.of(new Fault("", "at most " + LONGEST + " characters", found));
    }
    if (!Json.text(text).isObject()) {
      return List.of(new Fault("", "a JSON object and nothing else", "other words"));
    }
    return switch (schema.check(Json.text(text))) {
      // A member of the runtime's that a call may have, a reply may not.
      case Checked.Accepted(Json taken, var bound, var repairs) ->
          taken.text().equals(text)
              ? List.of()
              : List.of(new Fault("/request_heartbeat", "no such member", "one"));
      case Checked.Refused(List<Fault> faults, boolean undecided) ->
          faults.subList(0, Math.min(faults.size(), MOST_FAULTS));
    };
  }

  /// The message to a model with these faults of its reply.
  static String correction(List<Fault> faults) {
    return """
    Your reply does not have the form that was asked for:
    %s
    Reply again, with one JSON object of that form: no words around it, no code fence.\
    """
        .formatted(inWords(faults));
  }

  private static String inWords(List<Fault> faults) {
    return faults.stream()
        .map(fault ->
            "- %s: expected %s, found %s"
                .formatted(
                    fault.pointer().isEmpty() ? "the whole" : fault.pointer(),
                    fault.expected(),
                    fault.found()))
        .collect(Collectors.joining("\n"));
  }

  /// The value of the turn's reply.
  ///
  /// @throws Turn.NoReplyException when the turn has no reply of this type
  <T> T bound(Turn turn, Class<T> type) {
    return switch (turn) {
      case Turn.Reply(String text) -> {
        List<Fault> faults = faults(text);
        if (!faults.isEmpty()) {
          throw none("the reply is not of type " + type.getSimpleName(), turn, faults);
        }
        Checked.Accepted accepted = (Checked.Accepted) schema.check(Json.text(text));
        yield type.cast(Objects.requireNonNull(accepted.bound()));
      }
      case Turn.Pending(var requests) ->
          throw none(
              "the turn waits for consent to " + requests.size() + " calls", turn, List.of());
      case Turn.Stopped stopped ->
          throw none(
              "the turn ended early (" + stopped.reason().word() + "): " + stopped.text(),
              turn,
              stopped.faults());
    };
  }

  private static Turn.NoReplyException none(String why, Turn turn, List<Fault> faults) {
    String list = faults.isEmpty() ? "" : "\n" + inWords(faults);
    return new Turn.NoReplyException(why + list, turn, faults);
  }
}
