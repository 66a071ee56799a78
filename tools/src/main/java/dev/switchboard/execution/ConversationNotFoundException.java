package dev.switchboard.execution;

import dev.switchboard.text.PrincipalName;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// There is no such conversation for the principal that asks for it: none of that id, or another
/// principal's, which look alike.
public final class ConversationNotFoundException extends NoSuchElementException {
  private static final long serialVersionUID = 1L;

  /// @param conversation its id
  public ConversationNotFoundException(String conversation) {
    super("conversation '" + conversation + "' was not found");
  }

  /// Refuses a conversation of another principal than the asking one.
  ///
  /// @param owner whose it is; null if there is none of that id
  /// @param asking null for the owner
  /// @throws ConversationNotFoundException when it is another's
  public static void refuseOthers(
      String conversation, @Nullable String owner, @Nullable String asking) {
    if (PrincipalName.isOthers(owner, asking)) {
      throw new ConversationNotFoundException(conversation);
    }
  }
}
