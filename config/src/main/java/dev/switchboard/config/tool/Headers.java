package dev.switchboard.config.tool;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.text.Placeholders;
import dev.switchboard.webhook.Webhook;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// Reads headers of requests, whose values may name environment variables. Values of variables
/// never appear in a message.
public final class Headers {
  private final FileTable.Context file;

  /// Reads those of that file.
  public Headers(FileTable.Context file) {
    this.file = file;
  }

  /// The valid headers, filled in.
  public Map<String, String> read(Map<String, StatedValue> table) {
    return read(table, HttpRequest::checkHeader);
  }

  /// The valid headers of a service, filled in, with places for arguments.
  Map<String, String> ofService(Map<String, StatedValue> table) {
    return read(
        table,
        (name, value) -> HttpRequest.checkHeader(name, Placeholders.fill(value, place -> "x")));
  }

  /// The valid headers of a webhook, filled in.
  Map<String, String> ofWebhook(Map<String, StatedValue> table) {
    return read(table, Webhook::checkHeader);
  }

  private Map<String, String> read(
      Map<String, StatedValue> table, BiConsumer<String, String> requirement) {
    Map<String, String> headers = new LinkedHashMap<>();
    table.forEach((name, value) -> {
      String filled = file.filled(value);
      if (filled != null && canBeSent(value, name, filled, requirement)) {
        headers.put(name, filled);
      }
    });
    return headers;
  }

  private static boolean canBeSent(
      StatedValue value, String name, String filled, BiConsumer<String, String> requirement) {
    try {
      requirement.accept(name, filled);
      return true;
    } catch (IllegalArgumentException e) {
      value.bad("cannot be sent: " + e.getMessage());
      return false;
    }
  }
}
