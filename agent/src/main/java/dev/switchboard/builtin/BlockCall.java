package dev.switchboard.builtin;

import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.MemoryException;
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
      throw ToolException.invalidArgument(
          member, "Operation '%s' needs '%s'.".formatted(operation(), member));
    }
    return value.stringValue();
  }

  /// Requires the members that the operation needs.
  ///
  /// @throws ToolException when one of them is missing or empty
  void requireMembers() {
    switch (operation()) {
      case "append" -> requireText("label", "content");
      case "replace" -> {
        requireText("label", "old");
        String unused = with();
      }
      case "swap" -> {
        requireText("archive_label", "load_label");
        if (text("archive_label").equals(text("load_label"))) {
          throw ToolException.invalidArgument(
              "load_label", "A block cannot be swapped for itself.");
        }
      }
      default -> {
        String unused = label();
      }
    }
  }

  private void requireText(String... members) {
    for (String member : members) {
      if (text(member).isEmpty()) {
        throw ToolException.invalidArgument(
            member, "The %s text must not be empty.".formatted(member));
      }
    }
  }

  /// What memory has refused: a fault of the arguments where another value would do, otherwise the
  /// refusal itself.
  RuntimeException refused(MemoryException e) {
    String member =
        switch (e.kind()) {
          case NOT_FOUND, EXISTS -> named(e.getMessage());
          case NO_MATCH, NOT_UNIQUE -> "old";
          case LIMIT_EXCEEDED -> operation().equals("replace") ? "new" : "content";
          case INVALID -> invalid();
          case PERMISSION_DENIED, CONFLICT -> "";
        };
    return member.isEmpty() ? e : ToolException.invalidArgument(member, e.getMessage());
  }

  /// The member with the label that a message is about.
  private String named(String message) {
    if (!operation().equals("swap")) {
      return "label";
    }
    return message.contains("'" + text("archive_label") + "'") ? "archive_label" : "load_label";
  }

  private String invalid() {
    return switch (operation()) {
      case "append" -> "content";
      case "replace" -> "old";
      case "swap" -> "load_label";
      default -> "label";
    };
  }

  String optional(String member, String otherwise) {
    return arguments.path(member).asString(otherwise);
  }
}
