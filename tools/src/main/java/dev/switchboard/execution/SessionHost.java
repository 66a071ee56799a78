package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.text.PrincipalName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the host of a session states of it.
///
/// @param principal whose conversation it is
/// @param caller the caller's number, null without a phone
/// @param callee the number that was called, null without a phone
/// @param attributes for handlers and listeners
/// @param tools of this conversation
/// @param approver for questions of handlers, null for the executor's
record SessionHost(
    String principal,
    @Nullable String caller,
    @Nullable String callee,
    Map<String, String> attributes,
    ConversationTools tools,
    @Nullable Approver approver) {
  /// Of a single call.
  static final SessionHost NONE =
      new SessionHost(PrincipalName.LOCAL, null, null, Map.of(), ConversationTools.NONE, null);
}
