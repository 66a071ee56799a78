package dev.switchboard.phone.testing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a simulated model does in one response.
///
/// @param parts its items in their order
/// @param ending how it ends
/// @param code of the failure it ends with, null where it does not fail
public record Reply(List<Part> parts, Ending ending, @Nullable String code) {
  public Reply {
    parts = List.copyOf(parts);
  }

  /// An item of a response.
  public sealed interface Part {
    /// Words, spoken.
    record Say(String words) implements Part {}

    /// A tool call.
    ///
    /// @param arguments as text, which may be anything
    /// @param delivery how it is told
    record Call(String id, String name, String arguments, Delivery delivery) implements Part {}
  }

  /// How a tool call is told.
  public enum Delivery {
    /// As a model does.
    USUAL,
    /// With each of its last messages twice.
    TWICE,
    /// Cut off: its arguments are told as done, its item as incomplete.
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

  /// Calls that tool.
  public static Reply call(String id, String name, String arguments) {
    return nothing().andCall(id, name, arguments);
  }

  /// Completes without an item.
  public static Reply nothing() {
    return new Reply(List.of(), Ending.COMPLETED, null);
  }

  /// Begins, and is never heard of again unless it is cancelled.
  public static Reply silence() {
    return nothing().held();
  }

  /// Fails.
  ///
  /// @param code such as `inference_rate_limit_exceeded`
  public static Reply fail(String code) {
    return new Reply(List.of(), Ending.FAILED, code);
  }

  /// This reply, and an item of these words behind it.
  public Reply andSay(String words) {
    return and(new Part.Say(words));
  }

  /// This reply, and that call behind it.
  public Reply andCall(String id, String name, String arguments) {
    return andCall(id, name, arguments, Delivery.USUAL);
  }

  /// This reply, and that call behind it.
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

  /// This reply, whose last item is cut off for its length.
  public Reply incomplete() {
    return new Reply(parts, Ending.INCOMPLETE, null);
  }
}
