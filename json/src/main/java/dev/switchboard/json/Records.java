package dev.switchboard.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.cfg.MutableConfigOverride;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/// Records as stored JSON, written and bound by their components.
///
/// A component becomes a member with its name, a constant of an enum its name in lower case, an
/// instant ISO 8601. Null, and empty lists, sets and maps, are not written; the records of a sealed
/// interface are distinguished as in [SealedTags]. A [Json] becomes its value, or, if the component
/// is a `@JsonFormat(shape = STRING)`, its text, which may be invalid. A missing list is empty, a
/// missing boolean false, and a missing `@Nullable` component null; all others are required.
/// Unknown members are ignored.
public final class Records {
  /// The member that distinguishes the records of a sealed interface.
  public static final String TYPE = SealedTags.MEMBER;

  private static final JsonMapper MAPPER =
      Codec.mapper()
          .annotationIntrospector(new Components())
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .changeDefaultVisibility(value ->
              value
                  .withFieldVisibility(JsonAutoDetect.Visibility.ANY)
                  .withGetterVisibility(JsonAutoDetect.Visibility.NONE)
                  .withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
          .changeDefaultPropertyInclusion(
              value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
          .withConfigOverride(
              boolean.class,
              flag -> flag.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .withConfigOverride(Collection.class, Records::leaveOutEmpty)
          .withConfigOverride(List.class, Records::leaveOutEmpty)
          .withConfigOverride(Set.class, Records::leaveOutEmpty)
          .withConfigOverride(Map.class, Records::leaveOutEmpty)
          .withCoercionConfig(
              LogicalType.Textual,
              texts ->
                  texts
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .addModule(
              new SimpleModule()
                  .addSerializer(Json.class, new JsonWriter(false))
                  .addDeserializer(Json.class, new JsonReader(false)))
          .build();

  private Records() {}

  private static void leaveOutEmpty(MutableConfigOverride type) {
    type.setInclude(JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, null));
    type.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  /// The record as JSON.
  ///
  /// @throws JsonException when it cannot be written
  public static Json write(Object value) {
    return write("", value);
  }

  /// The record as a JSON object whose first member `v` is the version of its format.
  ///
  /// @throws JsonException when it cannot be written
  public static Json write(int version, Object value) {
    return write("\"v\":" + version, value);
  }

  /// The record as a JSON object that begins with the version of its format and a time.
  ///
  /// @throws JsonException when it cannot be written
  public static Json write(int version, Instant at, Object value) {
    return write("\"v\":" + version + ",\"at\":\"" + at + '"', value);
  }

  private static Json write(String head, Object value) {
    TextWriter out = new TextWriter(false);
    try {
      MAPPER.writeValue(out, value);
    } catch (JacksonException e) {
      throw new JsonException("cannot be written as JSON", e);
    }
    String text = out.text();
    String separator = head.isEmpty() || text.equals("{}") ? "" : ",";
    return Json.written(
        head.isEmpty() ? text : '{' + head + separator + text.substring(1), out.plain());
  }

  /// The record of that type in that JSON.
  ///
  /// @throws IllegalArgumentException with a clause, when it does not fit the type
  public static <T> T read(JsonNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(MismatchReason.of(e), e);
    }
  }

  /// The record of that type in that JSON, of which no tree is built where none is needed.
  ///
  /// @throws IllegalArgumentException with a clause, when it does not fit the type
  /// @throws JsonException when it is not JSON
  public static <T> T read(Json json, Class<T> type) {
    // An escape may be half a surrogate pair, which only the tree shows.
    if (!json.text().contains("\\u") && json.paired()) {
      try {
        T value = MAPPER.readValue(json.text(), type);
        if (value != null) {
          return value;
        }
      } catch (JacksonException | NumberFormatException e) {
        // The tree shows what is wrong.
      }
    }
    if (json.tree().isNull()) {
      throw new IllegalArgumentException("it must be an object");
    }
    return read(json.tree(), type);
  }

  /// The record of that type in that JSON, which must have this version of its format.
  ///
  /// @throws UnreadableException when it has another version, or does not fit the type
  public static <T> T read(Json json, int version, Class<T> type) {
    return guarded(json, version, tree -> read(tree, type));
  }

  /// Reads JSON of this version with that function.
  ///
  /// @throws UnreadableException when it has another version, or cannot be read
  public static <T> T guarded(Json json, int wanted, Function<JsonNode, T> reading) {
    int version;
    try {
      JsonNode in = json.tree();
      version = in.path("v").asInt(0);
      if (version == wanted) {
        return reading.apply(in);
      }
    } catch (RuntimeException e) {
      // Without the cause, whose message may contain messages of a conversation.
      throw new UnreadableException("is damaged");
    }
    throw new UnreadableException(
        version == 0
            ? "is damaged"
            : "is of version %d, and only version %d can be read".formatted(version, wanted));
  }

  /// Stored JSON that cannot be read; the message is the rest of a sentence.
  public static final class UnreadableException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private UnreadableException(String message) {
      super(message);
    }
  }

  /// The type of a record of a sealed interface: its Jackson type name, or its simple name in
  /// snake_case.
  public static String typeOf(Class<?> variant) {
    return SealedTags.of(variant);
  }

  /// The name of a member of a typed tool's class: the stated one, or else by the class's naming
  /// strategy.
  ///
  /// @throws IllegalArgumentException when the strategy cannot be used
  public static String memberName(Class<?> type, String component, @Nullable JsonProperty stated) {
    return MemberNames.of(type, component, stated);
  }

  /// Determines which components are required.
  private static final class Components extends SealedTags {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
      if (member instanceof AnnotatedParameter parameter) {
        return isRequired(parameter);
      }
      return super.hasRequiredMarker(config, member);
    }

    private static boolean isRequired(AnnotatedParameter parameter) {
      Class<?> type = parameter.getRawType();
      return type != boolean.class
          && !Collection.class.isAssignableFrom(type)
          && !Map.class.isAssignableFrom(type)
          && !declared(parameter).isAnnotationPresent(Nullable.class);
    }

    /// A compact constructor lacks the annotations of its record's components.
    private static AnnotatedType declared(AnnotatedParameter parameter) {
      int index = parameter.getIndex();
      return parameter.getOwner().getMember() instanceof Constructor<?> constructor
              && constructor.getDeclaringClass().isRecord()
          ? constructor.getDeclaringClass().getRecordComponents()[index].getAnnotatedType()
          : ((Executable) parameter.getOwner().getMember()).getAnnotatedParameterTypes()[index];
    }
  }

  private static boolean asText(@Nullable BeanProperty property, MapperConfig<?> config) {
    return property != null
        && property.findPropertyFormat(config, Json.class).getShape() == JsonFormat.Shape.STRING;
  }

  private static final class JsonWriter extends ValueSerializer<Json> {
    private final boolean asText;

    JsonWriter(boolean asText) {
      this.asText = asText;
    }

    @Override
    public ValueSerializer<?> createContextual(
        SerializationContext context, BeanProperty property) {
      return new JsonWriter(Records.asText(property, context.getConfig()));
    }

    @Override
    public void serialize(Json value, JsonGenerator out, SerializationContext context) {
      if (asText) {
        out.writeString(value.text());
      } else {
        out.writeTree(value.tree());
      }
    }
  }

  private static final class JsonReader extends ValueDeserializer<Json> {
    private final boolean asText;

    JsonReader(boolean asText) {
      this.asText = asText;
    }

    @Override
    public ValueDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      return new JsonReader(Records.asText(property, context.getConfig()));
    }

    @Override
    public Json deserialize(JsonParser in, DeserializationContext context) {
      JsonNode value = in.readValueAsTree();
      if (asText && !value.isString()) {
        return context.reportInputMismatch(Json.class, "no text");
      }
      return asText ? Json.text(value.stringValue()) : Json.of(value);
    }

    @Override
    public Object getNullValue(DeserializationContext context) {
      return Json.of(null);
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }
}
