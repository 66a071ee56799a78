package dev.switchboard.memory;

import java.util.Arrays;
import java.util.Locale;

/// What an agent may do with a block.
public enum Permission {
  /// To read it.
  READ_ONLY,
  /// To read it, and to change it where the partner agrees.
  PARTNER,
  /// To read it, and to change it where a person agrees.
  HUMAN,
  /// To read it and to add at its end.
  APPEND,
  /// To read and to change it.
  READ_WRITE,
  /// Everything, deleting it included.
  ADMIN;

  /// What is done with a block.
  public enum Access {
    READ,
    APPEND,
    OVERWRITE,
    DELETE
  }

  /// Whether something may be done.
  public enum Verdict {
    ALLOW,
    /// Where the person agrees.
    ASK,
    DENY
  }

  /// Whether that may be done.
  public Verdict verdict(Access access) {
    return switch (this) {
      case READ_ONLY -> allowIf(access == Access.READ);
      case PARTNER, HUMAN ->
          switch (access) {
            case READ -> Verdict.ALLOW;
            case APPEND, OVERWRITE -> Verdict.ASK;
            case DELETE -> Verdict.DENY;
          };
      case APPEND -> allowIf(access == Access.READ || access == Access.APPEND);
      case READ_WRITE -> allowIf(access != Access.DELETE);
      case ADMIN -> Verdict.ALLOW;
    };
  }

  /// The least permission that allows that without a person.
  static Permission least(Access access) {
    return switch (access) {
      case READ -> READ_ONLY;
      case APPEND -> APPEND;
      case OVERWRITE -> READ_WRITE;
      case DELETE -> ADMIN;
    };
  }

  /// Whether a holder of this permission may share that one: nothing that is not allowed here, and
  /// what a person is asked for here not without that person.
  boolean covers(Permission other) {
    return this == other
        || Arrays.stream(Access.values())
            .allMatch(access ->
                other.verdict(access) == Verdict.DENY || verdict(access) == Verdict.ALLOW);
  }

  private static Verdict allowIf(boolean allowed) {
    return allowed ? Verdict.ALLOW : Verdict.DENY;
  }

  /// The word in files and on the wire, such as `read_only`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The permission of that word.
  ///
  /// @throws IllegalArgumentException when there is none
  public static Permission of(String word) {
    for (Permission permission : values()) {
      if (permission.word().equals(word)) {
        return permission;
      }
    }
    throw new IllegalArgumentException(
        "must be one of read_only, partner, human, append, read_write, admin, not '" + word + "'");
  }
}
