package dev.switchboard.memory;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A line of an exported memory. Only the first line names the agent.
sealed interface MemoryLine {
  /// The version of the file that is written and read.
  int VERSION = 1;

  /// The first line.
  record Head(String agent) implements MemoryLine {}

  record OfBlock(Block block) implements MemoryLine {}

  record OfEdit(BlockEdit edit) implements MemoryLine {}

  record OfShare(Share share) implements MemoryLine {}

  record OfEntry(Entry entry) implements MemoryLine {}

  /// The last line, without which the file is not whole.
  ///
  /// @param lines how many stand before it
  record End(long lines) implements MemoryLine {}

  /// The line as JSON.
  default String text() {
    ObjectNode out = Codec.object();
    switch (this) {
      case Head(String agent) ->
          out.put("type", "memory").put("version", VERSION).put("agent", whole(agent));
      case OfBlock(Block block) -> write(out, block);
      case OfEdit(BlockEdit edit) -> write(out, edit);
      case OfShare(Share share) ->
          out.put("type", "share")
              .put("label", share.label())
              .put("with", whole(share.with()))
              .put("permission", share.permission().word());
      case OfEntry(Entry entry) -> write(out, entry);
      case End(long lines) -> out.put("type", "end").put("lines", lines);
    }
    return Json.of(out).text();
  }

  private static void write(ObjectNode out, Block block) {
    out.put("type", "block")
        .put("label", block.label())
        .put("kind", block.kind().word())
        .put("description", whole(block.description()))
        .put("value", whole(block.value()))
        .put("char_limit", block.charLimit())
        .put("permission", block.permission().word())
        .put("pinned", block.pinned())
        .put("version", block.version())
        .put("edits", block.edits());
  }

  private static void write(ObjectNode out, BlockEdit edit) {
    out.put("type", "edit")
        .put("label", edit.label())
        .put("number", edit.number())
        .put("at", edit.at().toString())
        .put("by", whole(edit.by()))
        .put("operation", edit.operation())
        .put("before", whole(edit.before()))
        .put("after", whole(edit.after()));
    if (edit.key() != null) {
      out.put("key", whole(edit.key()));
    }
  }

  private static void write(ObjectNode out, Entry entry) {
    out.put("type", "entry")
        .put("domain", entry.domain())
        .put("id", whole(entry.id()))
        .put("label", whole(entry.label()));
    String role = entry.role();
    if (role != null) {
      out.put("role", role);
    }
    out.put("text", whole(entry.text()));
    entry.tags().forEach(tag -> out.withArray("tags").add(whole(tag)));
    out.put("at", entry.at().toString());
  }

  /// The text without lone surrogates, which UTF-8 cannot represent.
  private static String whole(String text) {
    return text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /// The line of that text, for that agent.
  ///
  /// @throws IllegalArgumentException when it is none, with a clause
  static MemoryLine read(String text, String agent) {
    try {
      return read(new Members(Json.text(text).tree()), agent);
    } catch (JsonException e) {
      throw new IllegalArgumentException("it is not JSON", e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("'at' is not a time", e);
    }
  }

  private static MemoryLine read(Members in, String agent) {
    return switch (in.text("type")) {
      case "memory" -> {
        if (in.number("version") != VERSION) {
          throw new IllegalArgumentException("it is of another version than " + VERSION);
        }
        yield new Head(in.text("agent"));
      }
      case "block" -> new OfBlock(block(in, agent));
      case "edit" ->
          new OfEdit(
              new BlockEdit(
                  agent,
                  in.text("label"),
                  in.small("number"),
                  Instant.parse(in.text("at")),
                  in.text("by"),
                  in.text("operation"),
                  in.text("before"),
                  in.text("after"),
                  in.optional("key")));
      case "share" ->
          new OfShare(
              new Share(
                  agent, in.text("label"), in.text("with"), Permission.of(in.text("permission"))));
      case "entry" -> new OfEntry(entry(in, agent));
      case "end" -> new End(in.number("lines"));
      case String other ->
          throw new IllegalArgumentException("'" + other + "' is not a type of line");
    };
  }

  private static Block block(Members in, String agent) {
    return new Block(
        agent,
        in.text("label"),
        BlockKind.of(in.text("kind")),
        in.text("description"),
        in.text("value"),
        in.small("char_limit"),
        Permission.of(in.text("permission")),
        in.node.path("pinned").asBoolean(false),
        in.number("version"),
        in.small("edits"));
  }

  private static Entry entry(Members in, String agent) {
    return new Entry(
        agent,
        in.text("domain"),
        in.text("id"),
        in.text("label"),
        in.optional("role"),
        in.text("text"),
        in.texts("tags"),
        Instant.parse(in.text("at")));
  }

  /// The members of a line.
  record Members(JsonNode node) {
    String text(String name) {
      String value = optional(name);
      if (value == null) {
        throw new IllegalArgumentException("'" + name + "' is missing or no text");
      }
      return value;
    }

    @Nullable String optional(String name) {
      return node.path(name).isString() ? node.path(name).stringValue() : null;
    }

    long number(String name) {
      if (!node.path(name).canConvertToLong()) {
        throw new IllegalArgumentException("'" + name + "' is missing or no whole number");
      }
      return node.path(name).longValue();
    }

    int small(String name) {
      long value = number(name);
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("'" + name + "' is out of range");
      }
      return (int) value;
    }

    List<String> texts(String name) {
      JsonNode list = node.path(name);
      if (!list.isMissingNode() && !list.isArray()
          || !list.valueStream().allMatch(JsonNode::isString)) {
        throw new IllegalArgumentException("'" + name + "' is not a list of texts");
      }
      return list.valueStream().map(JsonNode::stringValue).toList();
    }
  }
}
