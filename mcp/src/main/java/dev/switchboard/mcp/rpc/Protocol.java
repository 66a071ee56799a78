package dev.switchboard.mcp.rpc;

import java.util.List;

/// The constants of the Model Context Protocol that client and server share.
public final class Protocol {
  /// The revision without sessions: each request is self-contained.
  public static final String STATELESS = "2026-07-28";

  /// The revisions in which a session begins with `initialize`, the newest first.
  public static final List<String> WITH_SESSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  /// In `_meta`: the revision of a request.
  public static final String VERSION = "io.modelcontextprotocol/protocolVersion";

  /// In `_meta`: the client's capabilities.
  public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

  /// In `_meta`: the client's name and version.
  public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

  /// In `_meta`: the server's name and version.
  public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

  /// In `_meta`: the request that a notification belongs to.
  public static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  /// In `_meta`: identifies a request's progress.
  public static final String PROGRESS_TOKEN = "progressToken";

  /// The header of the revision.
  public static final String VERSION_HEADER = "MCP-Protocol-Version";

  /// The header of the session, in the revisions with sessions.
  public static final String SESSION_HEADER = "Mcp-Session-Id";

  /// The header that repeats the method.
  public static final String METHOD_HEADER = "Mcp-Method";

  /// The header that repeats the method's target: a tool's name, a resource's URI.
  public static final String NAME_HEADER = "Mcp-Name";

  /// The prefix of headers that repeat arguments.
  public static final String PARAMETER_HEADER = "Mcp-Param-";

  /// The name of this library in the protocol.
  public static final String OURSELVES = "switchboard";

  private Protocol() {}
}
