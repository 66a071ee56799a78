package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.text.Placeholders;
import dev.switchboard.webhook.Webhook;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reads headers of requests, whose values may name environment variables. Values of variables
/// never appear in a message.
///
/// @param unset the severity of a variable that is not set
record Headers(Environment environment, Severity unset) {
  /// The valid headers, filled in.
  Map<String, String> read(Map<String, Value> table) {
    return read(table, HttpRequest::checkHeader);
  }

  /// The valid headers of a service, filled in, with places for arguments.
  Map<String, String> ofService(Map<String, Value> table) {
    return read(
        table,
        (name, value) -> HttpRequest.checkHeader(name, Placeholders.fill(value, place -> "x")));
  }

  /// The valid headers of a webhook, filled in.
  Map<String, String> ofWebhook(Map<String, Value> table) {
    return read(table, Webhook::checkHeader);
  }

  private Map<String, String> read(
      Map<String, Value> table, BiConsumer<String, String> requirement) {
    Map<String, String> headers = new LinkedHashMap<>();
    table.forEach((name, value) -> {
      String filled = filled(value);
      if (filled != null && canBeSent(value, name, filled, requirement)) {
        headers.put(name, filled);
      }
    });
    return headers;
  }

  private static boolean canBeSent(
      Value value, String name, String filled, BiConsumer<String, String> requirement) {
    try {
      requirement.accept(name, filled);
      return true;
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

  /// Whether the text has variables whose values are not known.
  boolean isUnknown(String text) {
    return environment == Environment.NOT_LOOKED_UP && !Environment.names(text).isEmpty();
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
