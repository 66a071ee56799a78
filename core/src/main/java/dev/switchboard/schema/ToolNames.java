package dev.switchboard.schema;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The names that tools may have.
public final class ToolNames {
  /// Names reserved for tools of hosts, such as the phone.
  public static final List<String> RESERVED = List.of("transfer_call", "end_call");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private ToolNames() {}

  /// Why no tool of an agent can have that name, a sentence; null if it can.
  public static @Nullable String fault(String name) {
    return fault(name, false);
  }

  /// Why no tool can have that name, a sentence; null if it can.
  ///
  /// @param ofHost whether it is a host's tool
  public static @Nullable String fault(String name, boolean ofHost) {
    if (!NAME.matcher(name).matches()) {
      return "tool '%s': the name must be 1 to 64 letters, digits, '_' or '-'".formatted(name);
    }
    return !ofHost && RESERVED.contains(name) ? "'%s' is a reserved name".formatted(name) : null;
  }
}
