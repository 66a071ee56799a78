package dev.switchboard.server.dialect;

import dev.switchboard.model.Message;
import dev.switchboard.model.Message.Attachment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The parts of a user's message: text, and files with their bytes. URLs that need a fetch are not
/// accepted.
public final class Parts {
  private final String name;
  private final StringBuilder words = new StringBuilder();
  private final List<Attachment> files = new ArrayList<>();

  private Parts(String name) {
    this.name = name;
  }

  /// The content of a message of OpenAI's chat completions: a text, or parts `text`, `image_url`
  /// and `file`.
  static Message.User ofChat(JsonNode content) {
    return read(content, Parts::chat);
  }

  /// The content of a message of AG-UI: a text, or parts `text`, `image`, `document` and `binary`.
  static Message.User ofAgUi(JsonNode content) {
    return read(content, Parts::agUi);
  }

  /// The parts of a message of the AI SDK: `text` and `file`; others are ignored.
  static Message.User ofUi(List<JsonNode> parts) {
    Parts read = new Parts("parts");
    parts.forEach(read::ui);
    return read.said();
  }

  /// A text, and files of our own form: `type` and `data`, or `url`, and `name`.
  ///
  /// @throws BadRequestException when they are invalid
  public static Message.User own(String text, JsonNode files) {
    Parts read = new Parts("text");
    read.words.append(text);
    for (JsonNode file : MemberReader.list(files, "files")) {
      String name = file.path("name").isString() ? file.path("name").stringValue() : null;
      if (file.has("url")) {
        read.url(file.path("url"), name);
      } else {
        read.bytes(file.path("type"), file.path("data"), name);
      }
    }
    return read.said();
  }

  /// The text of a user's event, with a line for each file.
  public static String shown(JsonNode message) {
    String text = message.path("text").asString("");
    List<String> lines = new ArrayList<>();
    message.path("files").forEach(file -> lines.add(placeholder(file)));
    if (!text.isEmpty() || lines.isEmpty()) {
      lines.addFirst(text);
    }
    return String.join("\n", lines);
  }

  static String placeholder(JsonNode file) {
    return Attachment.placeholder(
        file.path("type").asString("file"), file.path("size").asInt(0), text(file, "name"));
  }

  /// Reads one kind of part.
  private interface Form {
    void take(Parts read, JsonNode part, String type);
  }

  private static Message.User read(JsonNode content, Form form) {
    Parts read = new Parts("content");
    if (content.isString()) {
      read.words.append(content.stringValue());
      return read.said();
    }
    if (!content.isArray()) {
      throw BadRequestException.of("`content` must be a text or a list of parts.");
    }
    content.forEach(part -> form.take(read, part, part.path("type").asString("")));
    return read.said();
  }

  private void chat(JsonNode part, String type) {
    switch (type) {
      case "text" -> text(part);
      case "image_url" -> url(part.path("image_url").path("url"), null);
      case "file" -> {
        JsonNode file = part.path("file");
        url(file.path("file_data"), text(file, "filename"));
      }
      default -> throw unknown();
    }
  }

  private void agUi(JsonNode part, String type) {
    switch (type) {
      case "text" -> text(part);
      case "image", "document" -> {
        JsonNode source = part.path("source");
        String title = text(part.path("metadata"), "filename");
        if (source.path("type").asString("").equals("data")) {
          bytes(source.path("mimeType"), source.path("value"), title);
        } else {
          url(source.path("value"), title);
        }
      }
      case "binary" -> {
        if (part.hasNonNull("data")) {
          bytes(part.path("mimeType"), part.path("data"), text(part, "filename"));
        } else {
          url(part.path("url"), text(part, "filename"));
        }
      }
      default -> throw unknown();
    }
  }

  private void ui(JsonNode part) {
    switch (part.path("type").asString("")) {
      case "text" -> words.append(part.path("text").asString(""));
      case "file" -> url(part.path("url"), text(part, "filename"));
      default -> {}
    }
  }

  private void text(JsonNode part) {
    if (!part.path("text").isString()) {
      throw unknown();
    }
    words.append(part.path("text").stringValue());
  }

  private static @Nullable String text(JsonNode object, String member) {
    return object.path(member).isString() ? object.path(member).stringValue() : null;
  }

  private BadRequestException unknown() {
    return BadRequestException.of(
        "`%s` may have parts of text, images and files only.".formatted(name));
  }

  private void url(JsonNode url, @Nullable String title) {
    take(() -> Attachment.ofDataUrl(url.asString(""), title));
  }

  private void bytes(JsonNode type, JsonNode data, @Nullable String title) {
    take(() -> new Attachment(type.asString(""), data.asString(""), title));
  }

  private void take(Supplier<Attachment> file) {
    if (files.size() == Attachment.MOST) {
      throw BadRequestException.of("A sentence has at most %d files.".formatted(Attachment.MOST));
    }
    try {
      files.add(file.get());
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      throw BadRequestException.of(Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".");
    }
  }

  private Message.User said() {
    String text = words.toString();
    if (files.isEmpty() || !text.isBlank()) {
      text = MemberReader.checked(text, name);
    }
    return new Message.User(text, files);
  }
}
