package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The digests of tool descriptions that a person accepted, in a file beside the agent's: changed
/// tools are withheld until they are accepted again.
final class ToolLock {
  private final Path file;

  ToolLock(Path file) {
    this.file = file;
  }

  /// The digests of a server's tools by their names; null if none were accepted yet.
  ///
  /// @throws UncheckedIOException when the file cannot be read
  synchronized @Nullable JsonNode accepted(String server) {
    JsonNode tools = read().path(server);
    return tools.isObject() ? tools : null;
  }

  /// Accepts the server's current tool descriptions.
  ///
  /// @throws UncheckedIOException when the file cannot be written
  synchronized void accept(String server, Collection<RemoteTool> tools) {
    ObjectNode all = read();
    ObjectNode digests = all.putObject(server);
    tools.forEach(tool -> digests.put(tool.name(), tool.digest()));
    try {
      Path written = Files.createTempFile(file.toAbsolutePath().getParent(), ".mcp", ".lock");
      Files.writeString(written, all.toPrettyString() + "\n");
      Files.move(
          written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode read() {
    try {
      if (Json.text(Files.readString(file)).tree() instanceof ObjectNode all) {
        return all.deepCopy();
      }
      throw new IOException(file + " is not a JSON object");
    } catch (NoSuchFileException e) {
      return Codec.object();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JsonException e) {
      throw new UncheckedIOException(new IOException(file + " is not JSON"));
    }
  }
}
