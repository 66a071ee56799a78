package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import tools.jackson.databind.JsonNode;

/// The client of a request.
///
/// @param session in which its calls run
/// @param version the revision of the protocol that it speaks
/// @param capabilities of the client
/// @param principal whose answer to a question counts as a person's consent if it may answer all
record Client(ClientSession session, String version, JsonNode capabilities, Principal principal) {
  /// Whether its revision has no sessions.
  boolean isStateless() {
    return version.equals(Protocol.STATELESS);
  }

  /// Whether a person can be asked for consent through it.
  boolean canBeAsked() {
    JsonNode elicitation = capabilities.path("elicitation");
    boolean forms = elicitation.has("form") || !elicitation.has("url");
    return principal.may(Permission.ANSWER_ALL) && elicitation.isObject() && forms;
  }
}
