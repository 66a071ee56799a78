package dev.switchboard.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.JsonNode;

/// A generator that notices what Jackson writes, but may not read again: members of one name, raw
/// text, and numbers and names that are too long. It notifies its [TextWriter].
///
/// It may suspect what is readable, so that it costs nearly nothing: the suspect text is read.
final class InspectingGenerator extends JsonGeneratorDelegate {
  private static final int LONG_NUMBER = 300; // digits
  private static final int LONG_NUMBER_BITS = 1000;
  private static final int LONG_NAME = 10_000;

  private final TextWriter text;
  // The first member of a record that is not one of its components: it distinguishes records.
  private @Nullable String tag;

  private InspectingGenerator(JsonGenerator watched, TextWriter text) {
    super(watched, false);
    this.text = text;
  }

  /// The generator, watched if a [TextWriter] takes what it writes.
  static JsonGenerator decorate(TokenStreamFactory factory, JsonGenerator generator) {
    return generator.streamWriteOutputTarget() instanceof TextWriter text
        ? new InspectingGenerator(generator, text)
        : generator;
  }

  @Override
  public JsonGenerator writeStartObject() {
    text.suspect();
    return super.writeStartObject();
  }

  @Override
  public JsonGenerator writeStartObject(Object value) {
    look(value);
    return super.writeStartObject(value);
  }

  @Override
  public JsonGenerator writeStartObject(Object value, int size) {
    look(value);
    return super.writeStartObject(value, size);
  }

  /// Keys that are not strings may be written alike: `1` and `"1"`.
  private void look(Object value) {
    if (value instanceof Map<?, ?> map) {
      for (Object key : map.keySet()) {
        if (!(key instanceof String)) {
          text.suspect();
          return;
        }
      }
    }
  }

  /// Of an unwrapped member, whose components come among those of the record around it.
  @Override
  @SuppressWarnings("ReferenceEquality") // the same object, as written
  public void assignCurrentValue(Object value) {
    if (value != currentValue()) {
      text.suspect();
    }
    super.assignCurrentValue(value);
  }

  @Override
  public JsonGenerator writeName(String name) {
    Object holder = currentValue();
    if (name.length() > LONG_NAME) {
      text.suspect();
    } else if (!(holder instanceof Map || holder instanceof JsonNode)) {
      lookAtTag(name);
    }
    return super.writeName(name);
  }

  private void lookAtTag(String name) {
    if (streamWriteContext().hasCurrentIndex() || (tag != null && !tag.equals(name))) {
      text.suspect();
    }
    tag = name;
  }

  @Override
  public JsonGenerator writeName(SerializableString name) {
    if (tag != null && tag.equals(name.getValue())) {
      text.suspect();
    }
    return super.writeName(name);
  }

  @Override
  public JsonGenerator writePropertyId(long id) {
    text.suspect();
    return super.writePropertyId(id);
  }

  @Override
  public JsonGenerator writeNumber(BigInteger number) {
    if (number != null && number.bitLength() > LONG_NUMBER_BITS) {
      text.suspect();
    }
    return super.writeNumber(number);
  }

  @Override
  public JsonGenerator writeNumber(BigDecimal number) {
    if (number != null
        && (number.precision() > LONG_NUMBER || Math.abs((long) number.scale()) > LONG_NUMBER)) {
      text.suspect();
    }
    return super.writeNumber(number);
  }

  @Override
  public JsonGenerator writeNumber(String number) {
    text.suspect();
    return super.writeNumber(number);
  }

  @Override
  public JsonGenerator writeNumber(char[] number, int from, int length) {
    text.suspect();
    return super.writeNumber(number, from, length);
  }

  @Override
  public JsonGenerator writeRawUTF8String(byte[] bytes, int from, int length) {
    text.suspect();
    return super.writeRawUTF8String(bytes, from, length);
  }

  @Override
  public JsonGenerator writeRaw(String raw) {
    text.suspect();
    return super.writeRaw(raw);
  }

  @Override
  public JsonGenerator writeRaw(String raw, int from, int length) {
    text.suspect();
    return super.writeRaw(raw, from, length);
  }

  @Override
  public JsonGenerator writeRaw(SerializableString raw) {
    text.suspect();
    return super.writeRaw(raw);
  }

  @Override
  public JsonGenerator writeRaw(char[] raw, int from, int length) {
    text.suspect();
    return super.writeRaw(raw, from, length);
  }

  @Override
  public JsonGenerator writeRaw(char raw) {
    text.suspect();
    return super.writeRaw(raw);
  }

  @Override
  public JsonGenerator writeRawValue(String raw) {
    text.suspect();
    return super.writeRawValue(raw);
  }

  @Override
  public JsonGenerator writeRawValue(SerializableString raw) {
    text.suspect();
    return super.writeRawValue(raw);
  }

  @Override
  public JsonGenerator writeRawValue(String raw, int from, int length) {
    text.suspect();
    return super.writeRawValue(raw, from, length);
  }

  @Override
  public JsonGenerator writeRawValue(char[] raw, int from, int length) {
    text.suspect();
    return super.writeRawValue(raw, from, length);
  }
}
