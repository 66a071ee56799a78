package dev.switchboard.command;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.process.ChildProcess;
import dev.switchboard.text.Placeholders;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A handler that runs a local program, without a shell; an argument cannot leave its place.
/// Standard output is the answer; an exit code other than 0 is a failure with the end of standard
/// error.
///
/// ```java
/// Tool.dynamic("recent_commits", schema).answeredBy(LocalCommand.of("git", "log", "-n", "{count}"))
/// ```
///
/// Such a tool has the mode `local` by default, so it needs a person's consent. Immutable and
/// thread-safe.
public final class LocalCommand implements ToolHandler {
  /// The default limit of the output: 1 MiB.
  public static final long DEFAULT_OUTPUT_LIMIT = 1024 * 1024;

  private static final int ERROR_SHOWN = 500;
  private static final long ERROR_LIMIT = 64 * 1024;
  private static final int LONGEST_WORD = 100_000; // characters; Linux takes 131,072 bytes
  private static final Duration REST = Duration.ofMillis(500);
  private static final String END_OF_OPTIONS = "--";

  private final List<String> words;
  private final @Nullable Path folder;
  private final Map<String, String> environment;
  private final boolean jsonInput;
  private final long outputLimit;

  private LocalCommand(
      List<String> words,
      @Nullable Path folder,
      Map<String, String> environment,
      boolean jsonInput,
      long outputLimit) {
    this.words = List.copyOf(words);
    this.folder = folder;
    this.environment = Map.copyOf(environment);
    this.jsonInput = jsonInput;
    this.outputLimit = outputLimit;
  }

  /// A program and its arguments, in which `{name}` is replaced by an argument of the call. A word
  /// whose argument is missing is omitted; a word that is only a list becomes a word for each item.
  ///
  /// @throws IllegalArgumentException when there is no program, or it has a placeholder
  public static LocalCommand of(String... words) {
    return of(List.of(words));
  }

  /// A program and its arguments, as [#of(String...)] describes them.
  ///
  /// @throws IllegalArgumentException when there is no program, or it has a placeholder
  public static LocalCommand of(List<String> words) {
    if (words.isEmpty() || words.getFirst().isBlank()) {
      throw new IllegalArgumentException("a command begins with the name of a program");
    }
    if (!Placeholders.in(words.getFirst()).isEmpty()) {
      throw new IllegalArgumentException("the program of a command cannot be an argument");
    }
    return new LocalCommand(words, null, Map.of(), false, DEFAULT_OUTPUT_LIMIT);
  }

  /// This command in that folder; by default the working directory of this process.
  public LocalCommand in(Path other) {
    return new LocalCommand(words, other, environment, jsonInput, outputLimit);
  }

  /// This command with further environment variables, beside `HOME`, `PATH` and the mark
  /// `SWITCHBOARD_PROCESS`.
  public LocalCommand environment(Map<String, String> variables) {
    return new LocalCommand(words, folder, variables, jsonInput, outputLimit);
  }

  /// This command, with all arguments as a JSON object on its standard input.
  public LocalCommand jsonInput() {
    return new LocalCommand(words, folder, environment, true, outputLimit);
  }

  /// This command with a limit of its output in bytes: 1 MiB by default.
  public LocalCommand outputLimit(long bytes) {
    return new LocalCommand(words, folder, environment, jsonInput, bytes);
  }

  @Override
  public ToolMode mode() {
    return ToolMode.LOCAL;
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public void check(ToolHandler.Arguments arguments) {
    List<String> unused = filled(arguments.json().tree());
  }

  @Override
  public Object handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    List<String> filled = filled(arguments.json().tree());
    try (ChildProcess child = started(filled)) {
      context.onCancel(child::close);
      Process process = child.process();
      CommandOutput out = new CommandOutput(process.getInputStream(), outputLimit, child::close);
      CommandOutput err = new CommandOutput(process.getErrorStream(), ERROR_LIMIT, () -> {});
      give(process, arguments.json());
      int exit = process.waitFor();
      out.await(REST);
      err.await(REST);
      if (out.tooMuch()) {
        throw ToolException.ofRequest(new ResponseTooLargeException(outputLimit));
      }
      if (exit != 0) {
        throw failure(exit, err.end(ERROR_SHOWN).strip());
      }
      return answer(out.text().strip());
    }
  }

  private ChildProcess started(List<String> filled) {
    try {
      return ChildProcess.start(filled, folder, environment);
    } catch (IOException e) {
      throw ToolException.permanent(
          "the program '%s' cannot be started".formatted(words.getFirst()));
    }
  }

  /// Writes the program's input while its output is read: it may fill a pipe before it reads.
  private void give(Process process, Json arguments) {
    byte[] bytes = jsonInput ? arguments.text().getBytes(StandardCharsets.UTF_8) : new byte[0];
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .name("command input")
            .start(() -> {
              try (OutputStream in = process.getOutputStream()) {
                in.write(bytes);
              } catch (IOException e) {
                // It has ended, or does not read.
              }
            });
  }

  private static ToolException failure(int exit, String error) {
    return ToolException.last(
        ResultCode.FAILED, "exit code " + exit + (error.isEmpty() ? "" : ": " + error));
  }

  /// A JSON object is parsed, other output is text.
  private static Object answer(String output) {
    if (!output.startsWith("{")) {
      return output;
    }
    Json json = Json.text(output);
    try {
      json.check();
      return json;
    } catch (JsonException e) {
      return output;
    }
  }

  /// The words with their placeholders filled.
  ///
  /// @throws ToolException for a value that no word may have
  private List<String> filled(JsonNode arguments) {
    List<String> filled = new ArrayList<>();
    boolean optionsMayFollow = true;
    for (String word : words) {
      boolean guarded = optionsMayFollow && word.startsWith("{");
      filled.addAll(filled(word, arguments, guarded));
      optionsMayFollow &= !word.equals(END_OF_OPTIONS);
    }
    return filled;
  }

  /// @param guarded whether it must not become an option
  private static List<String> filled(String word, JsonNode arguments, boolean guarded) {
    Set<String> names = Placeholders.in(word);
    if (names.stream().anyMatch(name -> !arguments.hasNonNull(name))) {
      return List.of();
    }
    String only = names.size() == 1 ? names.iterator().next() : "";
    if (word.equals("{" + only + "}") && arguments.path(only).isArray()) {
      List<String> items = new ArrayList<>();
      for (JsonNode item : arguments.path(only)) {
        items.add(checked(text(item), only, guarded));
      }
      return items;
    }
    String made =
        Placeholders.fill(word, name -> arguments.has(name) ? text(arguments.path(name)) : null);
    return List.of(names.isEmpty() ? made : checked(made, names.iterator().next(), guarded));
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asString("") : value.toString();
  }

  /// The word, unless it may be read as an option, such as one that names an output file, or no
  /// program can get it. Numbers are not options.
  private static String checked(String word, String argument, boolean guarded) {
    boolean number = word.matches("-[0-9]+([.][0-9]+)?");
    if (guarded && word.startsWith("-") && !number) {
      throw ToolException.invalidArgument(
          argument,
          "'%s' must not begin with '-': it would be read as an option of the program"
              .formatted(argument));
    }
    if (word.indexOf('\0') >= 0) {
      throw ToolException.invalidArgument(argument, "an argument must not hold the character NUL");
    }
    if (word.length() > LONGEST_WORD) {
      throw ToolException.invalidArgument(
          argument, "an argument must not have more than %,d characters".formatted(LONGEST_WORD));
    }
    return word;
  }
}
