package dev.switchboard.cli;

import dev.switchboard.mount.Role;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/// The roles of a token.
final class RolesOption {
  @Option(
      names = "--role",
      paramLabel = "ROLE",
      completionCandidates = Roles.class,
      description = "What it may do, may be repeated: ${COMPLETION-CANDIDATES} (default: chat).")
  private List<String> roles = List.of(Role.CHAT.word());

  /// The names of the roles.
  static final class Roles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Role.values()).map(Role::word).iterator();
    }
  }

  /// @throws Failure when there is no such role
  Set<Role> roles() {
    Set<Role> all = EnumSet.noneOf(Role.class);
    roles.forEach(word -> all.add(role(word)));
    return all;
  }

  private static Role role(String word) {
    Role role = Role.ofWord(word);
    if (role == null) {
      throw Failure.usage(
          "There is no role '%s'; the roles are %s."
              .formatted(
                  word,
                  Arrays.stream(Role.values()).map(Role::word).collect(Collectors.joining(", "))),
          null);
    }
    return role;
  }
}
