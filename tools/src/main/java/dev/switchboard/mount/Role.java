package dev.switchboard.mount;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A role of a client. A client may have several; [Permission] states what each may do.
public enum Role {
  /// Talk to agents.
  CHAT,
  /// Call tools directly, over HTTP and MCP.
  TOOLS,
  /// Also answer the requests of other people's conversations.
  APPROVE,
  /// Everything.
  OPERATE;

  /// Its name in files, commands and messages.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The role of that name, null if there is none.
  public static @Nullable Role ofWord(String word) {
    return Arrays.stream(values())
        .filter(role -> role.word().equals(word))
        .findFirst()
        .orElse(null);
  }

  /// Their names, in the order of this type, with that text between them.
  public static String words(Set<Role> roles, String between) {
    return roles.stream().sorted().map(Role::word).collect(Collectors.joining(between));
  }
}
