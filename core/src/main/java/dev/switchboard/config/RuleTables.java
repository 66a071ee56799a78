package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The reading of the rules whose value is a table.
final class RuleTables {
  private RuleTables() {}

  static @Nullable RuleType start(@Nullable Value value) {
    Section table = value == null ? null : value.section(Keys.START_CONSTRAINT);
    if (table == null) {
      return value == null ? new RuleType.StartConstraint(null, true) : null;
    }
    Boolean auto = table.optionalFlag("auto");
    Value stated = table.value("args");
    Json args = stated == null ? null : object(stated, "a table of arguments, or its JSON text");
    return stated != null && args == null
        ? null
        : new RuleType.StartConstraint(args, auto == null || auto);
  }

  static @Nullable RuleType consent(@Nullable Value value) {
    Section table = value == null ? null : value.section(Keys.REQUIRES_CONSENT);
    if (table == null) {
      return value == null ? new RuleType.RequiresConsent(null, null, List.of()) : null;
    }
    String scope = table.filledText("scope");
    Value stated = table.value("when");
    Json when = stated == null ? null : schema(stated);
    List<String> bind = table.texts("bind");
    return stated != null && when == null ? null : new RuleType.RequiresConsent(scope, when, bind);
  }

  private static @Nullable Json schema(Value stated) {
    Json schema = object(stated, "a JSON Schema: a table, or its JSON text");
    if (schema == null) {
      return null;
    }
    ObjectNode around = Codec.object().put("type", "object");
    around.putArray("allOf").add(schema.tree());
    if (schema.tree().has("$defs")) {
      around.set("$defs", schema.tree().get("$defs"));
    }
    List<String> faults = ParameterSchema.faultsOf("", Json.of(around), false);
    faults.forEach(fault -> stated.bad("is no JSON Schema: " + sentence(fault)));
    return faults.isEmpty() ? schema : null;
  }

  private static String sentence(String fault) {
    return fault
        .replace("tool '': ", "")
        .replace("parameters.allOf[0]", "when")
        .replaceAll("\\.$", "");
  }

  private static @Nullable Json object(Value stated, String what) {
    boolean text = stated.node().isString();
    Json json = text ? Json.text(stated.node().stringValue()) : Json.of(stated.node());
    try {
      if (json.tree().isObject()) {
        return json;
      }
      stated.bad("must be " + what);
    } catch (JsonException e) {
      stated.bad("must be " + what + ", but " + e.getMessage());
    }
    return null;
  }
}
