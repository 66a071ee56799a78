package dev.switchboard.schema;

import dev.switchboard.json.Json;

public final class OutputSchema {
  public static Json of(Class<?> type) {
    return Json.EMPTY_OBJECT;
  }
}
