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

/// A piece of a conversation, as a model reads it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
public sealed interface Message {
  /// What the model is told to be, at the very beginning.
  @SuppressWarnings("AvoidCommonTypeNames") // it is written Message.System everywhere
  record System(String text) implements Message {}

  /// Words of the user's.
  ///
  /// @param text may be blank where there are files
  /// @param files what the user shows beside the words, at most [Attachment#MOST]
  record User(String text, List<Attachment> files) implements Message {
    public User {
      files = List.copyOf(files);
      if (files.size() > Attachment.MOST) {
        throw new IllegalArgumentException(
            "a sentence has at most %d files, not %d".formatted(Attachment.MOST, files.size()));
      }
    }

    /// Words, and the files beside them.
    public User(String text, Attachment... files) {
      this(text, List.of(files));
    }

    /// The words, and of files what they are.
    @Override
    public String toString() {
      return files.isEmpty()
          ? "User[text=" + text + "]"
          : "User[text=%s, files=%s]".formatted(text, files);
    }

    /// The words, and a line for each file that says what it is.
    public String shown() {
      List<String> lines = new ArrayList<>();
      if (!text.isEmpty() || files.isEmpty()) {
        lines.add(text);
      }
      files.forEach(file -> lines.add(file.placeholder()));
      return String.join("\n", lines);
    }
  }

  /// Words and tool calls of the model's own.
  ///
  /// @param calls with `{}` in place of arguments that are not a JSON object: servers refuse to
  ///   read such again, with all that is said in the conversation
  record Assistant(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String text, List<RequestedCall> calls)
      implements Message {
    public Assistant {
      calls = calls.stream().map(RequestedCall::readable).toList();
    }

    @JsonCreator
    static Assistant stored(@Nullable String text, List<RequestedCall> calls) {
      return new Assistant(text == null ? "" : text, calls);
    }
  }

  /// What a call has come to.
  ///
  /// @param callId that of its [RequestedCall]
  /// @param success whether the tool did what it was asked for
  record Result(@JsonProperty("call") String callId, String tool, String text, boolean success)
      implements Message {
    // A success is not written in older files.
    @JsonCreator
    static Result stored(
        @JsonProperty("call") String callId, String tool, String text, @Nullable Boolean success) {
      return new Result(callId, tool, text, success == null || success);
    }
  }

  /// A word of the runtime's to the model, in the middle of the conversation, such as a reminder.
  record Notice(String text) implements Message {}

  /// A file in a user's sentence: an image, a PDF document or a text.
  ///
  /// Its bytes are in it, at most [#MOST_BYTES]: a URL is not taken, since nobody fetches it. That
  /// they are of the stated type is checked by their beginning.
  ///
  /// @param type its media type, one of [#TYPES]
  /// @param data its bytes in Base64
  /// @param name null where it has none
  record Attachment(String type, String data, @Nullable String name) {
    /// The media types that there are.
    public static final List<String> TYPES = MediaTypes.ALL;

    /// How many bytes one has at most: 5 MiB.
    public static final int MOST_BYTES = 5 << 20;

    /// How many a sentence has at most.
    public static final int MOST = 10;

    /// How many bytes those of a conversation have at most together: 20 MiB.
    public static final int MOST_BYTES_OF_CONVERSATION = 20 << 20;

    /// @throws IllegalArgumentException when it is empty or too large, or its bytes are not of that
    ///   type, which is one of those that there are
    public Attachment {
      name = name == null ? null : MediaTypes.plainName(name);
      MediaTypes.check(type, data);
    }

    /// One of these bytes.
    ///
    /// @throws IllegalArgumentException as the constructor
    public static Attachment of(String type, byte[] bytes) {
      return new Attachment(type, MediaTypes.encoded(bytes), null);
    }

    /// The file of that path, whose type its bytes tell.
    ///
    /// @throws UncheckedIOException when it cannot be read
    /// @throws IllegalArgumentException when it is empty or too large, or not of any of the types
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

    /// The file that a `data:` URL holds.
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

    /// How many bytes it has.
    public int size() {
      return MediaTypes.size(data);
    }

    /// Whether it is an image.
    public boolean isImage() {
      return type.startsWith("image/");
    }

    /// What a model reads of a text: its name and its words; null for an image or a document.
    public @Nullable String text() {
      return type.equals(MediaTypes.TEXT)
          ? "File '%s':\n%s".formatted(name == null ? "text" : name, MediaTypes.text(data))
          : null;
    }

    /// The URL that holds it.
    public String dataUrl() {
      return "data:" + type + ";base64," + data;
    }

    /// What stands for it where there are words only: its type, size and name.
    public String placeholder() {
      return placeholder(type, size(), name);
    }

    /// What is told of it in events: its type, its size in bytes, and its name where it has one.
    public Json json() {
      ObjectNode out = Codec.object().put("type", type).put("size", size());
      return Json.of(name == null ? out : out.put("name", name));
    }

    /// What stands for a file of which [#json] is known.
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
