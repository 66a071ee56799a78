package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;

/// One thing wrong with a configuration file.
///
/// @param file as the caller named it
/// @param line from 1; 0 where the fault is the file as a whole
/// @param column from 1; 0 where the fault is the file as a whole
/// @param kind its class
/// @param message one sentence
public record ConfigFault(
    String file, int line, int column, Severity severity, FaultClass kind, String message) {

  /// The fault as an object: `file`, `line`, `column`, `severity`, `class`, `message`.
  public Json json() {
    return Json.of(
        Codec.object()
            .put("file", file)
            .put("line", line)
            .put("column", column)
            .put("severity", severity.word())
            .put("class", kind.name())
            .put("message", message));
  }

  /// The fault in a line, such as `agent.toml:12:1: error: tools must be a list`.
  @Override
  public String toString() {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    String sentence = message.replaceAll("\\p{Cntrl}+", " ");
    return place + ": " + severity.word() + ": " + sentence;
  }
}
