package dev.switchboard.mcp.server;

import dev.switchboard.mount.Permission;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request that clients may send, and the permission that it needs.
enum Method {
  INITIALIZE("initialize", null),
  PING("ping", null),
  DISCOVER("server/discover", null),
  LISTEN("subscriptions/listen", null),
  LIST_TOOLS("tools/list", null),
  CALL_TOOL("tools/call", null),
  LIST_RESOURCES("resources/list", "memory"),
  LIST_TEMPLATES("resources/templates/list", "memory"),
  READ_RESOURCE("resources/read", "memory"),
  SUBSCRIBE("resources/subscribe", "memory"),
  UNSUBSCRIBE("resources/unsubscribe", "memory"),
  LIST_PROMPTS("prompts/list", "prompt"),
  GET_PROMPT("prompts/get", "prompt");

  private final String word;
  private final @Nullable String part;

  Method(String word, @Nullable String part) {
    this.word = word;
    this.part = part;
  }

  /// Its name in messages.
  String word() {
    return word;
  }

  /// The request of that name, null if there is none.
  static @Nullable Method of(String word) {
    return Arrays.stream(values())
        .filter(method -> method.word.equals(word))
        .findFirst()
        .orElse(null);
  }

  /// Whether it exists only in the revisions with sessions.
  boolean isOfSessions() {
    return switch (this) {
      case PING, SUBSCRIBE, UNSUBSCRIBE -> true;
      case INITIALIZE,
          DISCOVER,
          LISTEN,
          LIST_TOOLS,
          CALL_TOOL,
          LIST_RESOURCES,
          LIST_TEMPLATES,
          READ_RESOURCE,
          LIST_PROMPTS,
          GET_PROMPT ->
          false;
    };
  }

  /// The permission that it needs.
  ///
  /// @param shared what the agent offers to everyone who may call its tools: `memory`, `prompt`
  Permission needed(Set<String> shared) {
    return part == null || shared.contains(part) ? Permission.CALL_TOOLS : Permission.OPERATE;
  }
}
