package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.text.PrincipalName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the host of a session states about it.
///
/// @param principal the owner of the conversation
/// @param caller the caller's number, null if it is not a phone call
/// @param callee the called number, null if it is not a phone call
/// @param attributes for handlers and listeners
/// @param tools of this conversation alone
/// @param approver for questions of handlers, null for the executor's
record SessionDetails(
    String principal,
    @Nullable String caller,
    @Nullable String callee,
    Map<String, String> attributes,
    ConversationTools tools,
    @Nullable Approver approver) {
  /// The details of a single call.
  static final SessionDetails NONE =
      new SessionDetails(PrincipalName.LOCAL, null, null, Map.of(), ConversationTools.NONE, null);
}
