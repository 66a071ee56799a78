package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Schemas that others made, at random: their tools exist, valid arguments pass, and what can be
/// checked is checked.
class ForeignPropertyTest {
  private static final int SCHEMAS = PropertySize.WHOLE ? 400 : 50;
  private static final int VALUES = 30;

  /// Keywords that every value meets, and that cannot be checked.
  private static final List<BiFunction<ObjectNode, SplittableRandom, ObjectNode>> UNCHECKED =
      List.of(
          (schema, random) -> schema.put("pattern", "(?=)"),
          (schema, random) -> schema.put("pattern", "^(?!.*never-so-written)"),
          (schema, random) -> schema.put("$ref", "https://schemas.example.com/any.json"),
          (schema, random) -> schema.put("format", 7),
          (schema, random) -> schema.put("maxLength", "many"),
          (schema, random) -> schema.put("minimum", "-1e9"),
          (schema, random) -> schema.put("required", true),
          (schema, random) -> schema.put("x-order", random.nextInt(9)));

  @Test
  void acceptsWhatIsValidWhateverIsLeftToTheServer() {
    RandomSchemas schemas = new RandomSchemas(new SplittableRandom(11));
    int refused = 0;
    for (int i = 0; i < SCHEMAS; i++) {
      JsonNode schema = schemas.next();
      if (ParameterSchema.faultsOf("x", Json.of(schema), false).isEmpty()) {
        SplittableRandom random = new SplittableRandom(i);
        Oracle oracle = new Oracle(schema);
        JsonNode poisoned = poisoned(schema, random, 1 + random.nextInt(3));
        ParameterSchema foreign = ParameterSchema.foreign("x", Json.of(poisoned));
        assertThat(ParameterSchema.faultsOf("x", read(foreign), false))
            .as("what a model reads of " + poisoned)
            .allMatch(
                fault -> fault.contains("['pattern']") || fault.contains("['required']` names"));
        for (JsonNode value : values(schema, i)) {
          boolean accepted = accepts(foreign, value);
          refused += accepted ? 0 : 1;
          assertThat(accepted || !oracle.accepts(value))
              .as("refuses the valid " + value + " by " + poisoned)
              .isTrue();
        }
      }
    }
    assertThat(refused).as("what is left is checked").isGreaterThan(SCHEMAS * VALUES / 5);
  }

  private static Json read(ParameterSchema schema) {
    ToolDefinition tool =
        new ToolDefinition(
            "x", "", schema.json(), false, ToolMode.READ, null, null, List.of(), null);
    return schema.offered(tool).parameters();
  }

  @Test
  void checksASchemaThatHasNothingUncheckedAsOurOwn() {
    RandomSchemas schemas = new RandomSchemas(new SplittableRandom(12));
    for (int i = 0; i < SCHEMAS; i++) {
      JsonNode schema = schemas.next();
      if (ParameterSchema.faultsOf("x", Json.of(schema), false).isEmpty()) {
        ParameterSchema own = ParameterSchema.parse("x", Json.of(schema), false);
        ParameterSchema foreign = ParameterSchema.foreign("x", Json.of(schema));
        assertThat(foreign.warnings()).as(schema.toString()).isEmpty();
        assertThat(foreign.json()).isEqualTo(own.json());
        assertSame(own, foreign, schema, schema, i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAFT_4", "DRAFT_6", "DRAFT_7", "DRAFT_2019"})
  void readsASchemaInTheDialectThatItDeclares(Dialect dialect) {
    RandomSchemas schemas = new RandomSchemas(new SplittableRandom(13));
    int built = 0;
    for (int i = 0; i < SCHEMAS; i++) {
      OldSchemas old = new OldSchemas(dialect);
      JsonNode schema = old.plain(schemas.next());
      if (ParameterSchema.faultsOf("x", Json.of(schema), false).isEmpty()) {
        built++;
        ObjectNode older = (ObjectNode) old.of(schema);
        older.put("$schema", OldSchemas.uri(dialect));
        ParameterSchema now = ParameterSchema.parse("x", Json.of(schema), false);
        assertThat(ParameterSchema.faultsOf("x", Json.of(older), false)).as("" + older).isEmpty();
        assertSame(now, ParameterSchema.parse("x", Json.of(older), false), schema, older, i);
        ParameterSchema foreign = ParameterSchema.foreign("x", Json.of(older));
        assertThat(foreign.warnings()).as(older.toString()).isEmpty();
        assertSame(now, foreign, schema, older, i);
      }
    }
    assertThat(built).isGreaterThan(SCHEMAS / 2);
  }

  @Test
  void makesParametersOfWhateverIsStated() {
    RandomSchemas schemas = new RandomSchemas(new SplittableRandom(14));
    for (int i = 0; i < 4 * SCHEMAS; i++) {
      Samples samples = new Samples(Codec.object(), new SplittableRandom(i));
      JsonNode stated = schemas.next();
      for (int j = 0; j <= i % 5; j++) {
        stated = samples.mutated(stated);
      }
      ParameterSchema foreign = ParameterSchema.foreign("x", Json.of(stated));
      assertThat(foreign.json().tree().path("type").asString("")).isEqualTo("object");
      for (Map.Entry<String, JsonNode> keyword : stated.properties()) {
        if (!keyword.getKey().equals("type")) {
          assertThat(foreign.json().tree().get(keyword.getKey())).isEqualTo(keyword.getValue());
        }
      }
      assertThat(accepts(foreign, Codec.object().arrayNode())).isFalse();
      for (JsonNode value : values(Codec.object(), i)) {
        boolean unused = accepts(foreign, value);
      }
    }
  }

  private static void assertSame(
      ParameterSchema one, ParameterSchema other, JsonNode schema, JsonNode shown, int seed) {
    for (JsonNode value : values(schema, seed)) {
      assertThat(accepts(other, value)).as(value + " by " + shown).isEqualTo(accepts(one, value));
    }
  }

  private static List<JsonNode> values(JsonNode schema, int seed) {
    Samples samples = new Samples(schema, new SplittableRandom(seed));
    List<JsonNode> values = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      JsonNode value = samples.fitting();
      for (int j = i % 3; j > 0; j--) {
        value = samples.mutated(value);
      }
      values.add(value);
    }
    return values;
  }

  private static boolean accepts(ParameterSchema schema, JsonNode value) {
    return schema.check(Json.of(value)) instanceof Checked.Accepted;
  }

  /// The schema with unchecked keywords at random places.
  private static JsonNode poisoned(JsonNode schema, SplittableRandom random, int times) {
    JsonNode copy = schema.deepCopy();
    for (int i = 0; i < times; i++) {
      List<ObjectNode> parts = new ArrayList<>();
      collect(copy, parts);
      ObjectNode part = parts.get(random.nextInt(parts.size()));
      BiFunction<ObjectNode, SplittableRandom, ObjectNode> poison =
          UNCHECKED.get(random.nextInt(UNCHECKED.size()));
      String added = poison.apply(Codec.object(), random).propertyNames().iterator().next();
      if (!part.has(added)) {
        ObjectNode unused = poison.apply(part, random);
      }
    }
    return copy;
  }

  private static void collect(JsonNode schema, List<ObjectNode> parts) {
    if (schema instanceof ObjectNode part) {
      parts.add(part);
      part.forEachEntry((word, value) -> {
        Keyword keyword = Keyword.of(word);
        if (keyword != null) {
          keyword.schemasIn(value).forEach(each -> collect(each, parts));
        }
      });
    }
  }

  /// Schemas of 2020-12 in an older dialect.
  private record OldSchemas(Dialect dialect) {
    static String uri(Dialect dialect) {
      return dialect == Dialect.DRAFT_2019
          ? "https://json-schema.org/draft/2019-09/schema"
          : "http://json-schema.org/" + dialect.word() + "/schema#";
    }

    /// The schema without what the dialect cannot say.
    JsonNode plain(JsonNode schema) {
      ObjectNode out = Codec.object();
      schema.forEachEntry((word, value) -> {
        Keyword keyword = Keyword.of(word);
        boolean dependent = word.startsWith("dependent") || word.equals("prefixItems");
        boolean constant = word.equals("const");
        if (keyword == null || dialect.has(keyword) || dependent || constant) {
          out.set(word, keyword == null ? value : below(keyword, value, this::plain));
        }
      });
      return schema.isObject() ? out : schema;
    }

    /// The schema in the dialect's keywords.
    JsonNode of(JsonNode schema) {
      if (!schema.isObject()) {
        return dialect != Dialect.DRAFT_4
            ? schema
            : schema.asBoolean() ? Codec.object() : Codec.object().set("not", Codec.object());
      }
      ObjectNode out = Codec.object();
      boolean tuple = schema.has("prefixItems");
      schema.forEachEntry((word, value) -> {
        Keyword keyword = Keyword.of(word);
        JsonNode old = keyword == null ? value : below(keyword, value, this::of);
        switch (word) {
          case "prefixItems" -> out.set("items", old);
          case "items" -> out.set(tuple ? "additionalItems" : "items", old);
          case "dependentRequired", "dependentSchemas" ->
              out.set(dialect == Dialect.DRAFT_2019 ? word : "dependencies", old);
          case "const" -> {
            if (dialect == Dialect.DRAFT_4) {
              out.putArray("allOf").addObject().putArray("enum").add(value);
            } else {
              out.set(word, value);
            }
          }
          case "exclusiveMinimum", "exclusiveMaximum" -> {
            if (dialect == Dialect.DRAFT_4) {
              out.set(word.equals("exclusiveMinimum") ? "minimum" : "maximum", value);
              out.put(word, true);
            } else {
              out.set(word, value);
            }
          }
          default -> out.set(word, old);
        }
      });
      return out;
    }

    private JsonNode below(
        Keyword keyword, JsonNode value, java.util.function.UnaryOperator<JsonNode> each) {
      return switch (keyword.form()) {
        case SCHEMA -> each.apply(value);
        case SCHEMA_LIST -> {
          ArrayNode list = Codec.object().arrayNode();
          value.forEach(part -> list.add(each.apply(part)));
          yield list;
        }
        case SCHEMA_MAP -> {
          ObjectNode map = Codec.object();
          value.forEachEntry((name, part) -> map.set(name, each.apply(part)));
          yield map;
        }
        default -> value;
      };
    }
  }
}
