package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.text.InvisibleCharacters;
import tools.jackson.databind.JsonNode;

/// A server's description of itself, for people, not for decisions.
///
/// @param version the revision of the protocol in use
/// @param software its name and version, empty if it states none
/// @param instructions how to use its tools, empty for none
/// @param capabilities of the server
record ServerFacts(String version, String software, String instructions, JsonNode capabilities) {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_INSTRUCTIONS = 8_000;

  /// The facts in a result of `initialize` or `server/discover`.
  static ServerFacts of(String version, JsonNode result) {
    JsonNode stated = result.path("_meta").path(Protocol.SERVER_INFO);
    JsonNode info = stated.isObject() ? stated : result.path("serverInfo");
    String software = info.path("name").asString("") + " " + info.path("version").asString("");
    return new ServerFacts(
        version,
        cut(InvisibleCharacters.shown(software.strip()), LONGEST_NAME),
        InvisibleCharacters.shown(
            cut(result.path("instructions").asString(""), LONGEST_INSTRUCTIONS)),
        result.path("capabilities"));
  }

  /// Whether it reports changes of its tools.
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
