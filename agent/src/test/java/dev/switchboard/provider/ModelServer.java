package dev.switchboard.provider;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Something that answers as a provider does, for one conversation.
interface ModelServer extends AutoCloseable {
  /// Where it listens.
  String url();

  /// The bodies of all requests so far, as the server understood them.
  List<JsonNode> requests();

  /// Ends the conversation.
  ///
  /// @throws AssertionError where it did not go as it should have
  @Override
  void close();

  /// Where servers come from.
  interface Source {
    /// The server for the conversation of that name.
    ModelServer open(String conversation);
  }
}
