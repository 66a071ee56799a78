package dev.switchboard.phone.testing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A simulated model's response.
///
/// @param parts its items in order
/// @param ending how it ends
/// @param code of its failure, null if it does not fail
public record Reply(List<Part> parts, Ending ending, @Nullable String code) {
  public Reply {
    parts = List.copyOf(parts);
  }

  /// An item of a response.
  public sealed interface Part {
    /// Spoken words.
    record Say(String words) implements Part {}

    /// Words spoken before the answer, marked as such by models that think.
    record Preamble(String words) implements Part {}

    /// A tool call.
    ///
    /// @param arguments as text, possibly invalid
    /// @param delivery how it is sent
    record Call(String id, String name, String arguments, Delivery delivery) implements Part {}
  }

  /// How a tool call is sent.
  public enum Delivery {
    /// As by a model.
    USUAL,
    /// With each of its last messages twice.
    TWICE,
    /// Interrupted: its arguments are reported as done, its item as incomplete.
    INCOMPLETE
  }

  /// How a response ends.
  public enum Ending {
    COMPLETED,
    /// Not before it is cancelled.
    HELD,
    INCOMPLETE,
    FAILED
  }

  /// Speaks these words.
  public static Reply say(String words) {
    return nothing().andSay(words);
  }

  /// Speaks these words before it answers or calls tools.
  public static Reply preamble(String words) {
    return nothing().and(new Part.Preamble(words));
  }

  /// Calls that tool.
  public static Reply call(String id, String name, String arguments) {
    return nothing().andCall(id, name, arguments);
  }

  /// Completes without an item.
  public static Reply nothing() {
    return new Reply(List.of(), Ending.COMPLETED, null);
  }

  /// Begins, and sends nothing more unless it is cancelled.
  public static Reply silence() {
    return nothing().held();
  }

  /// Fails.
  ///
  /// @param code such as `inference_rate_limit_exceeded`
  public static Reply fail(String code) {
    return new Reply(List.of(), Ending.FAILED, code);
  }

  /// This reply, followed by an item of these words.
  public Reply andSay(String words) {
    return and(new Part.Say(words));
  }

  /// This reply, followed by that call.
  public Reply andCall(String id, String name, String arguments) {
    return andCall(id, name, arguments, Delivery.USUAL);
  }

  /// This reply, followed by that call.
  public Reply andCall(String id, String name, String arguments, Delivery delivery) {
    return and(new Part.Call(id, name, arguments, delivery));
  }

  private Reply and(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return new Reply(more, ending, code);
  }

  /// This reply, which does not end before it is cancelled.
  public Reply held() {
    return new Reply(parts, Ending.HELD, null);
  }

  /// This reply, whose last item is cut because of its length.
  public Reply incomplete() {
    return new Reply(parts, Ending.INCOMPLETE, null);
  }
}
