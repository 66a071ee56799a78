package dev.switchboard.model;

/// What a request has cost.
///
/// @param input tokens read
/// @param output tokens written
public record Usage(long input, long output) {
  /// Nothing, or nothing known.
  public static final Usage NONE = new Usage(0, 0);

  /// Both together.
  public Usage plus(Usage other) {
    return new Usage(input + other.input, output + other.output);
  }
}
