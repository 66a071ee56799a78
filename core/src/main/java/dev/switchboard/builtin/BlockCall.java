package dev.switchboard.builtin;

import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission.Access;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The arguments of a call of the tool `block`, which its schema has found good.
record BlockCall(JsonNode arguments) {
  static BlockCall of(Json arguments) {
    return new BlockCall(arguments.tree());
  }

  String operation() {
    return arguments.path("operation").asString();
  }

  /// What the operation does with the block that it changes most.
  Access access() {
    return switch (operation()) {
      case "append" -> Access.APPEND;
      case "replace", "archive", "swap" -> Access.OVERWRITE;
      default -> Access.READ;
    };
  }

  /// Whether it moves blocks into the prompt or out of it.
  boolean moves() {
    return switch (operation()) {
      case "archive", "load", "swap", "pin", "unpin" -> true;
      default -> false;
    };
  }

  /// The blocks that are there already and that it is about.
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

  /// @throws ToolException where the operation needs a member that is missing
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
