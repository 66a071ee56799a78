package dev.switchboard.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The requests to answer, and the agent's file.
final class RequestArguments {
  @Parameters(
      arity = "1..*",
      paramLabel = "ID",
      description =
          "The requests' ids, or CONVERSATION/ID each, and the agent's file: the argument that"
              + " ends in .toml, or the last one if it is a file. Left out, it is the only *.toml"
              + " here that has a storage.")
  private List<String> words;

  @Option(
      names = "--conversation",
      paramLabel = "ID",
      description = "Only requests of this conversation.")
  private @Nullable String conversation;

  @Option(names = "--json", description = "Print the whole result of each call, one a line.")
  private boolean json;

  boolean json() {
    return json;
  }

  /// The agent's file, or null.
  ///
  /// @throws Failure when several are named
  @Nullable Path file() {
    return file(words);
  }

  /// The agent's file among those words, or null.
  ///
  /// @throws Failure when several are named
  static @Nullable Path file(List<String> words) {
    List<String> files = words.stream().filter(word -> isFile(words, word)).toList();
    if (files.size() > 1) {
      throw Failure.usage("Name one agent's file, not " + String.join(" and ", files) + ".", null);
    }
    return files.isEmpty() ? null : Path.of(files.getFirst());
  }

  /// The names of the requests.
  ///
  /// @throws Failure when there is none
  List<OpenRequests.Name> names() {
    return ids(words, "Name a request by its id; 'switchboard approvals list' has them.").stream()
        .map(id -> new OpenRequests.Name(id, conversation))
        .toList();
  }

  /// The ids among those words, each once.
  ///
  /// @throws Failure with that sentence when there is none
  static List<String> ids(List<String> words, String missing) {
    List<String> ids = words.stream().filter(word -> !isFile(words, word)).distinct().toList();
    if (ids.isEmpty()) {
      throw Failure.usage(missing, null);
    }
    return ids;
  }

  /// Whether that word is the agent's file.
  static boolean isFile(List<String> words, String word) {
    return word.endsWith(".toml")
        || (words.size() > 1 && words.lastIndexOf(word) == words.size() - 1 && exists(word));
  }

  private static boolean exists(String word) {
    try {
      return Files.isRegularFile(Path.of(word));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
