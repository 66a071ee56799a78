package dev.switchboard.loop;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.json.Records.UnreadableException;

/// Inputs to and from JSON, told apart by their `type`, as they wait for the process that takes
/// them up; each names the version of the form.
public final class InputJson {
  private static final int VERSION = 1;

  private InputJson() {}

  /// The input as JSON.
  public static Json write(Input input) {
    return Records.write(VERSION, input);
  }

  /// The input as it waits, under its id.
  public static Line line(Input input) {
    return new Line(input.id(), write(input));
  }

  /// What that JSON says.
  ///
  /// @throws UnreadableException when it is of a version to come, or damaged
  public static Input read(Json json) {
    return Records.read(json, VERSION, Input.class);
  }
}
