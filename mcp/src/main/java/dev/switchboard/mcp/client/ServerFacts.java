package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.text.Unseen;
import tools.jackson.databind.JsonNode;

/// What a server says of itself. Its word alone: for people to read, not to decide by.
///
/// @param version the revision of the protocol in which it is spoken with
/// @param software its name and version, empty where it does not say
/// @param instructions how its tools are used, empty for nothing
/// @param capabilities what it offers
record ServerFacts(String version, String software, String instructions, JsonNode capabilities) {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_INSTRUCTIONS = 8_000;

  /// Those of a result of `initialize` or `server/discover`.
  static ServerFacts of(String version, JsonNode result) {
    JsonNode told = result.path("_meta").path(Protocol.SERVER_INFO);
    JsonNode info = told.isObject() ? told : result.path("serverInfo");
    String software = info.path("name").asString("") + " " + info.path("version").asString("");
    return new ServerFacts(
        version,
        cut(Unseen.shown(software.strip()), LONGEST_NAME),
        Unseen.shown(cut(result.path("instructions").asString(""), LONGEST_INSTRUCTIONS)),
        result.path("capabilities"));
  }

  /// Whether it tells of changes to its tools.
  boolean tellsOfTools() {
    return capabilities.path("tools").path("listChanged").asBoolean(false);
  }

  /// Whether it has resources.
  boolean hasResources() {
    return capabilities.path("resources").isObject();
  }

  private static String cut(String text, int most) {
    return text.length() > most ? text.substring(0, most) + "..." : text;
  }
}
