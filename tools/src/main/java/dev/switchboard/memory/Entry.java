package dev.switchboard.memory;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A piece of memory that is found by search.
///
/// @param agent the owner
/// @param domain [#ARCHIVAL] or [#CONVERSATIONS]
/// @param id unique among the agent's of that domain
/// @param label in archival memory a name, not necessarily unique; of a message its conversation
/// @param role the author of a message, such as `user`; null in archival memory
/// @param tags words to filter by
/// @param at when it was written
public record Entry(
    String agent,
    String domain,
    String id,
    String label,
    @Nullable String role,
    String text,
    List<String> tags,
    Instant at) {
  /// Texts that the agent has stored.
  public static final String ARCHIVAL = "archival_memory";

  /// The messages of the agent's conversations.
  public static final String CONVERSATIONS = "conversations";

  public Entry {
    tags = List.copyOf(tags);
  }
}
