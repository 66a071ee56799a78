package dev.switchboard.agent;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest.ReplyFormat;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What all requests between two boundaries have in common, apart from memory.
///
/// @param declared the tools that the model knows
/// @param system the system prompt without memory
/// @param format of the reply, null for any
/// @param digest of all these
record RequestHead(
    List<ToolDefinition> declared, String system, @Nullable ReplyFormat format, String digest) {
  private static final int DIGEST_LENGTH = 16;

  static RequestHead of(
      List<ToolDefinition> declared, String system, @Nullable ReplyFormat format) {
    StringBuilder all = new StringBuilder(system);
    for (ToolDefinition tool : declared) {
      all.append('\n').append(tool.name()).append('\n').append(tool.description());
      all.append('\n').append(tool.strict()).append(tool.parameters().digest());
    }
    if (format != null) {
      all.append('\n').append(format.name()).append(format.schema().digest());
    }
    return new RequestHead(declared, system, format, digest(all.toString()));
  }

  /// A short digest of a text.
  static String digest(String text) {
    return Json.of(text).digest().substring(0, DIGEST_LENGTH);
  }

  /// Whether it is that of these parts.
  boolean isOf(List<ToolDefinition> tools, String prompt, @Nullable ReplyFormat other) {
    return declared.equals(tools) && system.equals(prompt) && Objects.equals(format, other);
  }
}
