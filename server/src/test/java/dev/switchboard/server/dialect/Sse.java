package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.text.Surrogates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Reads server-sent events as strictly as any client.
final class Sse {
  private Sse() {}

  /// The data of each frame, one line of JSON each, but for `[DONE]`, which is null and the last.
  static List<JsonNode> data(String stream) {
    assertThat(stream).doesNotContain("\r", "\u2028", "\u2029", "\u0085");
    assertThat(Surrogates.paired(stream)).isTrue();
    List<JsonNode> data = new ArrayList<>();
    for (String frame : frames(stream)) {
      assertThat(data).doesNotContainNull();
      String line = frame.substring(frame.lastIndexOf('\n') + 1);
      assertThat(line).startsWith("data: ");
      data.add(line.equals("data: [DONE]") ? null : object(line.substring(6)));
    }
    return data;
  }

  static List<String> frames(String stream) {
    if (stream.isEmpty()) {
      return List.of();
    }
    assertThat(stream).endsWith("\n\n");
    return List.of(stream.substring(0, stream.length() - 2).split("\n\n"));
  }

  private static JsonNode object(String json) {
    JsonNode tree = Json.text(json).tree();
    assertThat(tree.isObject()).isTrue();
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      assertThat(member.getValue().isNull()).as(member.getKey()).isFalse();
    }
    return tree;
  }
}
