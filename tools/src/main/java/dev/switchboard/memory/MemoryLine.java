package dev.switchboard.memory;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import dev.switchboard.text.Surrogates;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A line of an exported memory. Only the first line names the agent.
sealed interface MemoryLine {
  /// The version of the format.
  int VERSION = 1;

  /// The first line.
  @JsonTypeName("memory")
  record Head(int version, String agent) implements MemoryLine {}

  @JsonTypeName("block")
  record OfBlock(
      @JsonUnwrapped @JsonIgnoreProperties(value = "agent", allowSetters = true) Block block)
      implements MemoryLine {}

  @JsonTypeName("edit")
  record OfEdit(
      @JsonUnwrapped @JsonIgnoreProperties(value = "agent", allowSetters = true) Block.Edit edit)
      implements MemoryLine {}

  @JsonTypeName("share")
  record OfShare(
      @JsonUnwrapped @JsonIgnoreProperties(value = "owner", allowSetters = true)
          MemoryStore.Share share)
      implements MemoryLine {}

  @JsonTypeName("entry")
  record OfEntry(
      @JsonUnwrapped @JsonIgnoreProperties(value = "agent", allowSetters = true) Entry entry)
      implements MemoryLine {}

  /// The last line; a file without it is incomplete.
  ///
  /// @param lines the number of lines before it
  @JsonTypeName("end")
  record End(long lines) implements MemoryLine {}

  /// The line as JSON, without lone surrogates, which UTF-8 cannot represent.
  default String text() {
    return Surrogates.repaired(Records.write(this).text());
  }

  /// Reads the line of that text, for that agent.
  ///
  /// @throws IllegalArgumentException with a clause, when it is invalid
  static MemoryLine read(String text, String agent) {
    if (!(tree(text) instanceof ObjectNode line)) {
      throw new IllegalArgumentException("it is not an object");
    }
    boolean first = line.path("type").asString("").equals("memory");
    MemoryLine read =
        Records.read(first ? line : line.put("agent", agent).put("owner", agent), MemoryLine.class);
    if (read instanceof Head head && head.version != VERSION) {
      throw new IllegalArgumentException("it is of another version than " + VERSION);
    }
    return read;
  }

  private static JsonNode tree(String text) {
    try {
      return Json.text(text).tree();
    } catch (JsonException e) {
      throw new IllegalArgumentException("it " + e.getMessage(), e);
    }
  }
}
