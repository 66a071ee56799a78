package dev.switchboard.config;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The reading of the values that are tables; null where something is faulty, which is then
/// reported.
final class RuleTables {
  private RuleTables() {}

  static @Nullable Json start(@Nullable Value value) {
    Section table = value == null ? null : value.section(Keys.START_CONSTRAINT);
    if (table == null) {
      return value == null ? RuleType.NOTHING : null;
    }
    Boolean auto = table.optionalFlag("auto");
    ObjectNode out = Codec.object().put("auto", auto == null || auto);
    Value stated = table.value("args");
    Json args = stated == null ? null : object(stated, "a table of arguments, or its JSON text");
    return put(out, "args", stated, args);
  }

  static @Nullable Json consent(@Nullable Value value) {
    Section table = value == null ? null : value.section(Keys.REQUIRES_CONSENT);
    if (table == null) {
      return value == null ? RuleType.NOTHING : null;
    }
    ObjectNode out = Codec.object().put("scope", table.filledText("scope"));
    Value stated = table.value("when");
    Json when = stated == null ? null : schema(stated);
    table.texts("bind").forEach(out.putArray("bind")::add);
    return put(out, "when", stated, when);
  }

  private static @Nullable Json put(
      ObjectNode out, String name, @Nullable Value stated, @Nullable Json read) {
    if (read != null) {
      out.set(name, read.tree());
    }
    return stated != null && read == null ? null : Json.of(out);
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
    faults.forEach(fault -> stated.bad("is not a JSON Schema: " + sentence(fault)));
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
