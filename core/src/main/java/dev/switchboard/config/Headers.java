package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a webhook's headers, whose values may name environment variables. Values of variables
/// never appear in a message.
final class Headers {
  private final Environment environment;
  private final Severity unset;

  /// @param unset the severity of a variable that is not set
  Headers(Environment environment, Severity unset) {
    this.environment = environment;
    this.unset = unset;
  }

  /// The valid headers, filled in.
  Map<String, String> read(Map<String, Value> table) {
    Map<String, String> headers = new LinkedHashMap<>();
    table.forEach((name, value) -> {
      String filled = filled(value);
      if (filled != null && canBeSent(value, name, filled)) {
        headers.put(name, filled);
      }
    });
    return headers;
  }

  private static boolean canBeSent(Value value, String name, String filled) {
    try {
      return !HttpRequest.post("", Map.of(name, filled), "", 0).headers().isEmpty();
    } catch (IllegalArgumentException e) {
      value.bad("cannot be sent: " + e.getMessage());
      return false;
    }
  }

  /// A text with its variables filled in, null if there is a fault.
  @Nullable String filled(Value value) {
    String text = value.text();
    if (text == null) {
      return null;
    }
    if (!Environment.canBeFilled(text)) {
      value.bad("has a '${' that no variable's name and '}' follow");
      return null;
    }
    return environment.fill(text, name -> report(value, name));
  }

  /// The value of that variable; a variable that is not set is a fault of the text that names it.
  @Nullable String variable(Value value, String name) {
    String found = environment.get(name);
    if (found != null && !found.isEmpty()) {
      return found;
    }
    report(value, name);
    return null;
  }

  private void report(Value value, String name) {
    String sentence = " names the environment variable '" + name + "', which is not set";
    value.report(unset, FaultClass.BAD_VALUE, value.path() + sentence);
  }
}
