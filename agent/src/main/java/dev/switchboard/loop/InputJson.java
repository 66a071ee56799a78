package dev.switchboard.loop;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.json.Records.UnreadableException;

/// Inputs to and from JSON, distinguished by their `type`, as they wait for a worker; each has the
/// version of its format.
public final class InputJson {
  private static final int VERSION = 1;

  private InputJson() {}

  /// The input as JSON.
  public static Json write(Input input) {
    return Records.write(VERSION, input);
  }

  /// The waiting input, under its id.
  public static Line line(Input input) {
    return new Line(input.id(), write(input));
  }

  /// Reads an input.
  ///
  /// @throws UnreadableException when it was written by a newer version, or is damaged
  public static Input read(Json json) {
    return Records.read(json, VERSION, Input.class);
  }
}
