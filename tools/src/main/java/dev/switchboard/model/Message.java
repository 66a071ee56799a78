package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A message of a conversation, as a model reads it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
public sealed interface Message {
  /// The system prompt, at the beginning.
  @SuppressWarnings("AvoidCommonTypeNames") // it is written Message.System everywhere
  record System(String text) implements Message {}

  /// A message of the user.
  ///
  /// @param text may be blank if there are files
  /// @param files sent with the text, at most [Attachment#MOST]
  record User(String text, List<Attachment> files) implements Message {
    public User {
      files = List.copyOf(files);
      if (files.size() > Attachment.MOST) {
        throw new IllegalArgumentException(
            "a sentence has at most %d files, not %d".formatted(Attachment.MOST, files.size()));
      }
    }

    /// A text and files.
    public User(String text, Attachment... files) {
      this(text, List.of(files));
    }

    /// The text, and the type, size and name of each file.
    @Override
    public String toString() {
      return files.isEmpty()
          ? "User[text=" + text + "]"
          : "User[text=%s, files=%s]".formatted(text, files);
    }

    /// The text, and a line that describes each file.
    public String shown() {
      List<String> lines = new ArrayList<>();
      if (!text.isEmpty() || files.isEmpty()) {
        lines.add(text);
      }
      files.forEach(file -> lines.add(file.placeholder()));
      return String.join("\n", lines);
    }
  }

  /// Text and tool calls of the model.
  ///
  /// @param calls with `{}` for arguments that are not a JSON object, and `_` in names for what
  ///   names of tools cannot have, since servers would reject every later request of the
  ///   conversation
  /// @param items what the provider needs back with it, null for nothing
  record Assistant(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String text,
      List<RequestedCall> calls,
      @Nullable ProviderItems items)
      implements Message {
    public Assistant {
      List<RequestedCall> readable = calls.stream().map(RequestedCall::readable).toList();
      boolean changed = items != null && !readable.equals(calls);
      calls = changed ? readable.stream().map(RequestedCall::withoutExtra).toList() : readable;
      items = changed ? ProviderItems.withoutEntries(items) : items;
    }

    /// A message with which the provider needs nothing back.
    public Assistant(String text, List<RequestedCall> calls) {
      this(text, calls, null);
    }

    @JsonCreator
    static Assistant stored(
        @Nullable String text, List<RequestedCall> calls, @Nullable ProviderItems items) {
      return new Assistant(text == null ? "" : text, calls, items);
    }

    /// The text and the calls.
    @Override
    public String toString() {
      return "Assistant[text=" + text + ", calls=" + calls + "]";
    }

    /// This message without items, and then without what the provider needs back with the calls:
    /// nothing tells any more whose it is.
    public Assistant withoutItems() {
      return items == null
          ? this
          : new Assistant(text, calls.stream().map(RequestedCall::withoutExtra).toList());
    }
  }

  /// The result of a call.
  ///
  /// @param callId that of its [RequestedCall]
  /// @param success whether the tool succeeded
  record Result(@JsonProperty("call") String callId, String tool, String text, boolean success)
      implements Message {
    // Older files do not state a success.
    @JsonCreator
    static Result stored(
        @JsonProperty("call") String callId, String tool, String text, @Nullable Boolean success) {
      return new Result(callId, tool, text, success == null || success);
    }
  }

  /// A note of the runtime to the model within the conversation, such as a reminder.
  record Notice(String text) implements Message {}

  /// A file in a user's message: an image, a PDF document or a text.
  ///
  /// It contains its bytes, at most [#MOST_BYTES]. URLs are not accepted: nothing fetches them. The
  /// first bytes are checked against the stated type.
  ///
  /// @param type its media type, one of [#TYPES]
  /// @param data its bytes in Base64
  /// @param name null if it has none
  record Attachment(String type, String data, @Nullable String name) {
    /// The supported media types.
    public static final List<String> TYPES = MediaTypes.ALL;

    /// The maximum bytes of a file: 5 MiB.
    public static final int MOST_BYTES = 5 << 20;

    /// The maximum number of files of a message.
    public static final int MOST = 10;

    /// The maximum bytes of all files of a conversation: 20 MiB.
    public static final int MOST_BYTES_OF_CONVERSATION = 20 << 20;

    /// @throws IllegalArgumentException when it is empty or too large, its type is not supported,
    ///   or its bytes do not have that type
    public Attachment {
      name = name == null ? null : MediaTypes.plainName(name);
      MediaTypes.check(type, data);
    }

    /// A file of these bytes.
    ///
    /// @throws IllegalArgumentException as the constructor
    public static Attachment of(String type, byte[] bytes) {
      return new Attachment(type, MediaTypes.encoded(bytes), null);
    }

    /// Reads the file of that path and detects its type.
    ///
    /// @throws UncheckedIOException when it cannot be read
    /// @throws IllegalArgumentException when it is empty or too large, or its type is not supported
    public static Attachment read(Path file) {
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(MOST_BYTES + 1);
      } catch (IOException e) {
        throw new UncheckedIOException("the file " + file + " cannot be read", e);
      }
      String data = MediaTypes.encoded(bytes);
      return new Attachment(MediaTypes.of(bytes), data, String.valueOf(file.getFileName()));
    }

    /// The file in a `data:` URL.
    ///
    /// @throws IllegalArgumentException when it is another URL, or as the constructor
    public static Attachment ofDataUrl(String url, @Nullable String name) {
      int comma = url.indexOf(',');
      String head = comma < 0 ? "" : url.substring(0, comma).toLowerCase(Locale.ROOT);
      if (!head.startsWith("data:") || !head.endsWith(";base64")) {
        throw new IllegalArgumentException(
            "a file must be a data: URL with its bytes in Base64; no other URL is fetched");
      }
      String type = head.substring("data:".length(), head.length() - ";base64".length());
      return new Attachment(type.replaceFirst(";.*", ""), url.substring(comma + 1), name);
    }

    /// This file under that name.
    public Attachment named(String other) {
      return new Attachment(type, data, other);
    }

    /// Its size in bytes.
    public int size() {
      return MediaTypes.size(data);
    }

    /// Whether it is an image.
    public boolean isImage() {
      return type.startsWith("image/");
    }

    /// A text file as a model reads it, with its name; null for an image or a document.
    public @Nullable String text() {
      return type.equals(MediaTypes.TEXT)
          ? "File '%s':\n%s".formatted(name == null ? "text" : name, MediaTypes.text(data))
          : null;
    }

    /// The `data:` URL with its bytes.
    public String dataUrl() {
      return "data:" + type + ";base64," + data;
    }

    /// A placeholder for it: its type, size and name.
    public String placeholder() {
      return placeholder(type, size(), name);
    }

    /// Its description in events: its type, its size in bytes, and its name if it has one.
    public Json json() {
      ObjectNode out = Codec.object().put("type", type).put("size", size());
      return Json.of(name == null ? out : out.put("name", name));
    }

    /// The placeholder of a file that [#json] describes.
    public static String placeholder(String type, int size, @Nullable String name) {
      return "[%s, %s%s]"
          .formatted(type, MediaTypes.sizeInWords(size), name == null ? "" : ", " + name);
    }

    /// Its placeholder.
    @Override
    public String toString() {
      return placeholder();
    }
  }
}
