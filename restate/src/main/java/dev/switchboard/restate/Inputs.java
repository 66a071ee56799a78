package dev.switchboard.restate;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.loop.Input;

/// Inputs to and from JSON, told apart by their `type`.
final class Inputs {
  private static final int VERSION = 1;

  private Inputs() {}

  static String write(Input input) {
    return Records.write(VERSION, input).text();
  }

  /// @throws UnreadableException when it is of a version to come, or damaged
  static Input read(String text) {
    return Records.read(Json.text(text), VERSION, Input.class);
  }
}
