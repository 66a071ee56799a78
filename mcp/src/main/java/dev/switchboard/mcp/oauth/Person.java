package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.net.URI;
import java.util.function.Predicate;

/// A person who can log in with a browser.
@FunctionalInterface
public interface Person {
  /// Shows the page on which the person logs in, without waiting for the login.
  ///
  /// @param server the name of the MCP server that requires it
  /// @param page of the authorization server: `https`, or on this machine; contains only letters,
  ///   digits and `-._~:/?[]@&=+,%`
  /// @param pasted accepts the final URL of a browser on another machine; returns whether it was
  ///   the expected one
  /// @throws IOException when it cannot be shown
  void show(String server, URI page, Predicate<String> pasted) throws IOException;
}
