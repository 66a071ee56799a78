package dev.switchboard.cli;

import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.text.PrincipalName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option that names whose conversation or memory a command uses.
final class PrincipalOption {
  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description =
          "Whose it is: the name of a token, 'shop/ann', 'call:ID' or 'tel:NUMBER'; by default that"
              + " of whoever uses this machine.")
  private String name = PrincipalName.LOCAL;

  /// @throws Failure when it cannot be the name of a principal
  String name() {
    return checked(name);
  }

  /// That value of the option.
  ///
  /// @throws Failure when it cannot be the name of a principal
  static String checked(String name) {
    try {
      return PrincipalName.checked(name);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--principal: " + e.getMessage() + ".", e);
    }
  }

  /// The local user, if they act for another principal; null otherwise.
  @Nullable String actor() {
    return name.equals(PrincipalName.LOCAL) ? null : PrincipalName.LOCAL;
  }

  /// These words of a command line, and the option if it was given.
  String[] with(String... words) {
    if (name.equals(PrincipalName.LOCAL)) {
      return words;
    }
    String[] all = Arrays.copyOf(words, words.length + 2);
    all[words.length] = "--principal";
    all[words.length + 1] = name;
    return all;
  }

  /// The failure of a command whose conversation belongs to another principal.
  static Failure others(
      String conversation,
      @Nullable ConversationStore store,
      ConversationNotFoundException notFound) {
    Summary stored = store == null ? null : store.directory().conversation(conversation);
    return Failure.work(
        stored == null
            ? "Conversation '%s' belongs to another principal.".formatted(conversation)
            : "Conversation '%s' belongs to another principal; with %s the command uses it."
                .formatted(
                    conversation, CommandText.of("--principal", stored.header().principal())),
        notFound);
  }
}
