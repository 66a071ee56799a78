package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.Protocol;
import tools.jackson.databind.JsonNode;

/// The client of a request.
///
/// @param session in which its calls run
/// @param version the revision of the protocol that it speaks
/// @param capabilities of the client
/// @param mayApprove whether its answer to a question counts as a person's consent
record Client(ClientSession session, String version, JsonNode capabilities, boolean mayApprove) {
  /// Whether its revision has no sessions.
  boolean isStateless() {
    return version.equals(Protocol.STATELESS);
  }

  /// Whether a person can be asked for consent through it.
  boolean canBeAsked() {
    JsonNode elicitation = capabilities.path("elicitation");
    boolean forms = elicitation.has("form") || !elicitation.has("url");
    return mayApprove && elicitation.isObject() && forms;
  }
}
