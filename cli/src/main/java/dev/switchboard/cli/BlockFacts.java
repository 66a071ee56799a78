package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import java.io.PrintStream;
import tools.jackson.databind.node.ObjectNode;

/// A memory block in a command's output.
final class BlockFacts {
  private BlockFacts() {}

  /// All facts except the text.
  static ObjectNode all(Block block) {
    return Codec.object()
        .put("label", block.label())
        .put("agent", block.agent())
        .put("kind", block.kind().word())
        .put("description", block.description())
        .put("permission", block.permission().word())
        .put("pinned", block.pinned())
        .put("inPrompt", block.inPrompt())
        .put("version", block.version())
        .put("length", block.length())
        .put("limit", block.charLimit());
  }

  /// Prints the result of a change.
  static void changed(Block block, boolean json, PrintStream out) {
    out.println(
        json
            ? Json.of(
                Codec.object()
                    .put("label", block.label())
                    .put("version", block.version())
                    .put("length", block.length())
                    .put("limit", block.charLimit()))
            : "Block '%s' is at version %d now, with %d of %d characters."
                .formatted(block.label(), block.version(), block.length(), block.charLimit()));
  }
}
