package dev.switchboard.json;

import dev.switchboard.text.Surrogates;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A piece of JSON: its text, unchanged, and a tree and a digest that are computed on demand.
///
/// The text may come from a model or a server and may not be JSON; then [#tree()] throws. Immutable
/// and thread-safe. Two values are equal if their texts are.
public final class Json {
  /// The empty object.
  public static final Json EMPTY_OBJECT = new Json("{}", null, true, true, true);

  private static final int MOST_FLAT = 4; // members

  private final String text;
  private final boolean written; // by this library
  private final boolean certain; // known to be valid, since it was written from what can be read
  private final boolean plain; // known to have no surrogate
  // All are computed from the immutable text, so a race only computes an equal value twice. The
  // tree is not an immutable object, and has to be volatile.
  private volatile @Nullable JsonNode tree;
  private @Nullable String digest;
  private @Nullable Boolean readable;
  private boolean sound; // known to be valid; an object then is readable

  private Json(
      String text, @Nullable JsonNode tree, boolean written, boolean certain, boolean plain) {
    this.text = text;
    this.tree = tree;
    this.written = written;
    this.certain = certain;
    this.plain = plain;
  }

  private static Json plain(String text, @Nullable JsonNode tree) {
    return new Json(text, tree, true, true, true);
  }

  private static Json written(@Nullable Object value, @Nullable JsonNode tree, boolean foreign) {
    TextWriter out = Codec.write(value, foreign);
    String text = out.text();
    boolean certain = out.readable() && (out.plain() || Surrogates.paired(text));
    return new Json(text, tree, true, certain, out.plain());
  }

  static Json written(String text, boolean plain) {
    return new Json(text, null, true, plain, plain);
  }

  /// Throws, at every call, if Jackson is missing or too old.
  ///
  /// @throws IllegalStateException with a sentence that names the remedy
  public static void checkJackson() {
    Jackson.check();
  }

  /// The text, unchanged and not parsed.
  public static Json text(String text) {
    return new Json(text, null, false, false, false);
  }

  /// The tree of a piece of a larger text: a string in it may contain half a surrogate pair, whose
  /// other half is in another piece.
  ///
  /// @throws JsonException as [#tree()], except for such halves
  public static JsonNode piece(String text) {
    return Codec.readPiece(text);
  }

  /// A value written as JSON: a tree, a record, a map, a list, a string, a number, or another
  /// [Json].
  ///
  /// @throws JsonException when the value cannot be written
  public static Json of(@Nullable Object value) {
    return of(value, false);
  }

  /// A value from outside the library, written as JSON. It may be endless: writing stops after 64
  /// million characters, or when this thread is interrupted.
  ///
  /// @throws JsonException when the value cannot be written, or is too long
  public static Json ofForeign(@Nullable Object value) {
    return of(value, true);
  }

  private static Json of(@Nullable Object value, boolean foreign) {
    // Not a switch on types: it is linked at run time, which costs a command milliseconds at its
    // start.
    if (value instanceof Json json) {
      return json;
    }
    if (value == null) {
      return plain("null", null);
    }
    if (value instanceof String text && isPlain(text)) {
      return plain('"' + text + '"', null);
    }
    String flat = value instanceof ObjectNode object ? flat(object) : null;
    return flat == null
        ? written(value, value instanceof JsonNode node ? node : null, foreign)
        : plain(flat, (JsonNode) value);
  }

  /// The text of a small object of plain strings, as most events are, which needs no generator;
  /// null for any other.
  private static @Nullable String flat(ObjectNode object) {
    if (object.isEmpty() || object.size() > MOST_FLAT) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String value = member.getValue().isString() ? member.getValue().stringValue() : null;
      if (value == null || !isPlain(value) || !isPlain(member.getKey())) {
        return null;
      }
      text.append(text.isEmpty() ? '{' : ',').append('"').append(member.getKey());
      text.append("\":\"").append(value).append('"');
    }
    return text.append('}').toString();
  }

  /// Whether the JSON string of this text is the text in quotes: printable ASCII without escapes.
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  /// The text, unchanged.
  public String text() {
    return text;
  }

  /// An equal value that has no tree yet, for what is kept for long: a tree takes several times the
  /// memory of its text.
  public Json withoutTree() {
    return tree == null ? this : new Json(text, null, written, certain, plain);
  }

  /// The value as a tree, with exact numbers. Every call returns the same object, which must not be
  /// changed.
  ///
  /// @throws JsonException when the text is not one JSON value: invalid syntax, a duplicate member,
  ///   an unpaired surrogate, or more than 200 levels
  public JsonNode tree() {
    JsonNode known = tree;
    if (known == null) {
      known = Codec.read(text);
      tree = known;
    }
    return known;
  }

  /// Checks that the text is one JSON value. Most of what was written here is known to be one.
  ///
  /// @throws JsonException as [#tree()]
  public void check() {
    if (certain) {
      return;
    }
    if (written && tree != null) {
      // The tree may be what the text was written from, such as one with half a surrogate pair.
      Codec.read(text);
    } else {
      tree();
    }
  }

  /// The value with each unpaired surrogate replaced by U+FFFD.
  public Json repaired() {
    return paired() ? this : text(Surrogates.repaired(text));
  }

  /// Whether every surrogate in the text is paired.
  public boolean paired() {
    return plain || certain || Surrogates.paired(text);
  }

  /// Whether the text begins like an object; if it is valid JSON, whether it is one.
  public boolean isObject() {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return c == '{';
      }
    }
    return false;
  }

  /// Whether an object in the text may have a member of that name, by a quick look: false only
  /// where none has.
  ///
  /// @param name letters, digits or underscores
  public boolean mayHaveMember(String name) {
    for (int at = text.indexOf(name); at > 0; at = text.indexOf(name, at + 1)) {
      if (text.charAt(at - 1) == '"' && text.startsWith("\"", at + name.length())) {
        return true;
      }
    }
    return text.contains("\\u");
  }

  /// Whether the value is JSON that nests deeper than [Codec#MAX_PART_DEPTH] levels, the limit of
  /// what events, requests and stored lines contain.
  public boolean nestsTooDeep() {
    return Codec.nestsTooDeep(text);
  }

  /// Whether the text is a JSON object that every parser accepts: valid as for [#tree()], no deeper
  /// than a part may nest, and with each number within the range of a double. Builds no tree.
  public boolean isReadableObject() {
    Boolean known = readable;
    if (known == null) {
      known = isObject() && (sound || Codec.isReadable(text));
      readable = known;
    }
    return known;
  }

  /// Records that the whole text was read and is valid, so that [#isReadableObject()] does not read
  /// it again.
  public void foundSound() {
    sound = true;
  }

  /// The value as an object of this type; unknown members are ignored.
  ///
  /// @throws JsonException when the text is not JSON or does not fit the type
  public <T> T as(Class<T> type) {
    return Codec.convert(tree(), type);
  }

  /// A SHA-256 in hexadecimal of the canonical form (RFC 8785's member order, numbers by value), so
  /// that two texts of the same value have the same digest; of the text itself if it is not JSON.
  public String digest() {
    String known = digest;
    if (known == null) {
      known = Canonical.digest(this);
      digest = known;
    }
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Json json && text.equals(json.text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text);
  }

  /// The text.
  @Override
  public String toString() {
    return text;
  }

  /// A fault in the arguments of a call.
  ///
  /// @param pointer the JSON pointer (RFC 6901) of the faulty value; of a missing member its own
  /// @param expected the expected value in words: `integer between 1 and 20`
  /// @param found the actual value in words: `string "4"`, or `missing`
  public record Fault(String pointer, String expected, String found) {
    private static final String ACCEPTED = "a value that the tool accepts";
    private static final String REFUSED = "one that it refuses: ";

    /// A value that fits the schema, and that the tool itself refuses.
    ///
    /// @param sentence why
    public static Fault refused(String pointer, String sentence) {
      return new Fault(pointer, ACCEPTED, REFUSED + sentence);
    }

    /// Why the tool itself refuses the value; null for one that does not fit the schema.
    public @Nullable String refusal() {
      return expected.equals(ACCEPTED) && found.startsWith(REFUSED)
          ? found.substring(REFUSED.length())
          : null;
    }
  }
}
