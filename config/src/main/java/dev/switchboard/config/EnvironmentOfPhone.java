package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The environment variables that a file's phone names. Their faults are separate from the file's,
/// so that a chat with the agent does not need the phone's secrets.
final class EnvironmentOfPhone {
  private final Environment environment;
  private final Severity unset;
  private final FaultList faults = new FaultList();

  /// @param unset the severity of a variable that is not set; as a warning it is a fault of the
  ///   file
  EnvironmentOfPhone(Environment environment, Severity unset) {
    this.environment = environment;
    this.unset = unset;
  }

  /// The faults of the variables, if they are separate, in the order of the file.
  List<ConfigException.Fault> faults() {
    return faults.inOrder();
  }

  /// The text with its variables filled in, if it is valid; unchanged if only the environment is at
  /// fault.
  @Nullable String filled(@Nullable Value value, Predicate<String> good, String form) {
    String text = value == null ? null : value.filledText();
    if (value == null || text == null) {
      return null;
    }
    if (!Environment.canBeFilled(text)) {
      value.bad("has a '${' that no variable's name and '}' follow");
      return null;
    }
    String full = environment.fill(text, name -> lacks(value, "names", name));
    if (full == null) {
      return text;
    }
    if (good.test(full.strip())) {
      return full.strip();
    }
    if (full.equals(text)) {
      value.bad("must be " + form + ", not '" + text + "'");
      return null;
    }
    later(value, Severity.ERROR, "must be " + form + ", and what its variables hold is not that");
    return text;
  }

  /// The name of a variable that the file states.
  @Nullable String variable(@Nullable Value value) {
    String name = value == null ? null : value.filledText();
    if (value != null && name != null && isUnset(name)) {
      lacks(value, "names", name);
    }
    return name;
  }

  /// Records that the value needs a variable that it does not name, and checks that variable.
  void needs(Value value, String name, Predicate<String> good, String form) {
    if (isUnset(name)) {
      lacks(value, "needs", name);
    } else if (!good.test(String.valueOf(environment.get(name)))) {
      later(
          value,
          Severity.ERROR,
          "needs %s in the environment variable '%s', which holds something else"
              .formatted(form, name));
    }
  }

  private boolean isUnset(String name) {
    String found = environment.get(name);
    return found == null || found.isBlank();
  }

  private void lacks(Value value, String verb, String name) {
    later(value, unset, verb + " the environment variable '" + name + "', which is not set");
  }

  private void later(Value value, Severity severity, String why) {
    String message = value.path() + " " + why;
    if (unset == Severity.ERROR) {
      faults.add(value.fault(severity, FaultClass.BAD_VALUE, message));
    } else {
      value.report(severity, FaultClass.BAD_VALUE, message);
    }
  }
}
