package dev.switchboard.builtin;

import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission.Access;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Valid arguments of the tool `block`.
record BlockCall(JsonNode arguments) {
  static BlockCall of(Json arguments) {
    return new BlockCall(arguments.tree());
  }

  String operation() {
    return arguments.path("operation").asString();
  }

  /// The access to the block that the operation changes.
  Access access() {
    return switch (operation()) {
      case "append" -> Access.APPEND;
      case "replace", "archive", "swap" -> Access.OVERWRITE;
      default -> Access.READ;
    };
  }

  /// Whether it moves blocks into or out of the prompt.
  boolean moves() {
    return switch (operation()) {
      case "archive", "load", "swap", "pin", "unpin" -> true;
      default -> false;
    };
  }

  /// The labels of existing blocks that it concerns.
  List<String> touched() {
    return switch (operation()) {
      case "swap" -> List.of(text("archive_label"), text("load_label"));
      case "create" -> List.of();
      default -> List.of(label());
    };
  }

  String label() {
    return text("label");
  }

  String content() {
    return text("content");
  }

  String old() {
    return text("old");
  }

  String with() {
    return text("new");
  }

  boolean all() {
    return arguments.path("all").asBoolean(false);
  }

  int limit() {
    return arguments.path("char_limit").asInt(Block.DEFAULT_LIMIT);
  }

  /// @throws ToolException when the operation needs this member and it is missing
  String text(String member) {
    JsonNode value = arguments.path(member);
    if (!value.isString()) {
      throw ToolException.permanent("Operation '%s' needs '%s'.".formatted(operation(), member));
    }
    return value.stringValue();
  }

  String optional(String member, String otherwise) {
    return arguments.path(member).asString(otherwise);
  }
}
