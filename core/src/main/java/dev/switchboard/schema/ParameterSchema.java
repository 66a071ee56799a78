package dev.switchboard.schema;

import dev.switchboard.json.Json;
import java.util.List;

public final class ParameterSchema {
  public static ParameterSchema of(String tool, Class<?> type, boolean strict) {
    return new ParameterSchema();
  }

  public static ParameterSchema parse(String tool, Json parameters, boolean strict) {
    return new ParameterSchema();
  }

  public static List<String> faultsOf(String tool, Json parameters, boolean strict) {
    return List.of();
  }

  public Json json() {
    return Json.EMPTY_OBJECT;
  }

  public Checked check(Json arguments, boolean repair) {
    return new Checked.Accepted(arguments, null, List.of());
  }
}
