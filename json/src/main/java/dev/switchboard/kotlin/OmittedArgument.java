package dev.switchboard.kotlin;

/// Stands for the value of a parameter whose own default applies.
public enum OmittedArgument {
  /// The only one.
  VALUE
}
