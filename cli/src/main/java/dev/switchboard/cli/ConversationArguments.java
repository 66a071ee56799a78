package dev.switchboard.cli;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.text.DerivedId;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The conversations and the agent's file of a command.
final class ConversationArguments {
  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description =
          "The conversations' ids, and the agent's file: the argument that ends in .toml, or the"
              + " last one if it is a file. Left out, it is the only *.toml here that has a"
              + " storage.")
  private List<String> words = List.of();

  @Nullable Path file() {
    return RequestArguments.file(words);
  }

  private List<String> named() {
    return words.stream().filter(word -> !RequestArguments.isFile(words, word)).distinct().toList();
  }

  /// @throws Failure when a conversation is named
  void refuseIds() {
    if (!named().isEmpty()) {
      throw Failure.usage("Name conversations, or a principal, not both.", null);
    }
  }

  /// @throws Failure when there is none
  List<String> ids() {
    List<String> ids = named();
    if (ids.isEmpty()) {
      throw Failure.usage(
          "Name a conversation by its id; 'switchboard conversations list' has them.", null);
    }
    return ids;
  }

  /// The only one.
  ///
  /// @throws Failure when there is none, or several
  String id() {
    List<String> ids = ids();
    if (ids.size() > 1) {
      throw Failure.usage("Name one conversation, not " + String.join(" and ", ids) + ".", null);
    }
    return ids.getFirst();
  }

  /// The id that a command states for its conversation, which may be new.
  ///
  /// @throws Failure when it is new and cannot be that of a conversation
  static String stated(String id, @Nullable ConversationStore store) {
    boolean known = store != null && store.directory().conversation(id) != null;
    if (!known && !DerivedId.mayBeChosen(id)) {
      throw Failure.usage(
          "The id of a new conversation has 1 to 128 characters of A-Z, a-z, 0-9 and _.:-, and is"
              + " not . or .., unlike '%s'.".formatted(Plain.cut(id, 60)),
          null);
    }
    return id;
  }

  static Failure missing(String id) {
    return Failure.work("No conversation '" + Plain.line(id) + "' is stored.", null);
  }
}
