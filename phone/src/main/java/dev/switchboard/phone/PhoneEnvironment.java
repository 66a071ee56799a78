package dev.switchboard.phone;

import static java.util.Comparator.comparingInt;

import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The environment variables that a file's phone names. Their faults are separate from the file's,
/// so that a chat with the agent does not need the phone's secrets.
final class PhoneEnvironment {
  private final FileTable.Context file;
  private final Set<ConfigException.Fault> faults = new LinkedHashSet<>();

  PhoneEnvironment(FileTable.Context file) {
    this.file = file;
  }

  /// The faults of the variables, if they are separate, in the order of the file.
  List<ConfigException.Fault> faults() {
    return faults.stream()
        .sorted(
            comparingInt(ConfigException.Fault::line)
                .thenComparingInt(ConfigException.Fault::column))
        .toList();
  }

  /// The text with its variables filled in, if it is valid; unchanged if only the environment is at
  /// fault.
  @Nullable String filled(@Nullable StatedValue value, Predicate<String> good, String form) {
    String text = value == null ? null : value.filledText();
    if (value == null || text == null) {
      return null;
    }
    if (!file.canBeFilled(text)) {
      value.bad("has a '${' that no variable's name and '}' follow");
      return null;
    }
    String full = file.filled(text, name -> lacks(value, "names", name));
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
  @Nullable String variable(@Nullable StatedValue value) {
    String name = value == null ? null : value.filledText();
    if (value != null && name != null && isUnset(name)) {
      lacks(value, "names", name);
    }
    return name;
  }

  /// Records that the value needs a variable that it does not name, and checks that variable.
  void needs(StatedValue value, String name, Predicate<String> good, String form) {
    if (isUnset(name)) {
      lacks(value, "needs", name);
    } else if (!good.test(String.valueOf(file.variable(name)))) {
      later(
          value,
          Severity.ERROR,
          "needs %s in the environment variable '%s', which holds something else"
              .formatted(form, name));
    }
  }

  private boolean isUnset(String name) {
    String found = file.variable(name);
    return found == null || found.isBlank();
  }

  private void lacks(StatedValue value, String verb, String name) {
    later(value, file.unset(), verb + " the environment variable '" + name + "', which is not set");
  }

  private void later(StatedValue value, Severity severity, String why) {
    String message = value.path() + " " + why;
    if (file.unset() == Severity.ERROR) {
      faults.add(value.fault(severity, FaultClass.BAD_VALUE, message));
    } else {
      value.report(severity, FaultClass.BAD_VALUE, message);
    }
  }
}
