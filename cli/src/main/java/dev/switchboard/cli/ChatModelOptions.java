package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.cli.chat.VerboseModel;
import dev.switchboard.cli.chat.View;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.model.RecordingModel;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.text.IoReasons;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a command's model.
final class ChatModelOptions {
  @Option(
      names = "--model",
      paramLabel = "PROVIDER:NAME",
      description = "Talk with this model instead of those of the file.")
  private @Nullable String name;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Record the model's requests and replies in this file, for --replay.")
  private @Nullable Path record;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Take the replies from this recording; no model is asked, but tools run.")
  private @Nullable Path replay;

  /// Whether the model replays or makes a recording, which has one conversation.
  boolean isOfOneConversation() {
    return record != null || replay != null;
  }

  /// Whether a model is named, by the options or by the file.
  boolean isNamed(AgentFile agent) {
    return name != null || isOfOneConversation() || agent.agent().model() != null;
  }

  /// A model to be closed, and its fallbacks.
  record Opened(ChatModel model, List<ChatModel> fallbacks, Runnable onClose)
      implements AutoCloseable {
    Opened(ChatModel model, Runnable onClose) {
      this(model, List.of(), onClose);
    }

    ChatModel[] inItsPlace() {
      return fallbacks.toArray(ChatModel[]::new);
    }

    @Override
    public void close() {
      onClose.run();
    }
  }

  /// The model of the options, or else the file's.
  ///
  /// @param view shows why the model failed; null if the log says so, naming the conversation
  /// @throws Failure when there is none, or a recording cannot be read or written
  Opened open(AgentFile agent, Path file, @Nullable View view) {
    if (replay != null) {
      if (name != null || record != null) {
        throw Failure.usage("--replay goes with neither --model nor --record.", null);
      }
      return new Opened(verbose(recorded(replay), view), () -> {});
    }
    ChatModel model = verbose(model(agent, file), view);
    return record == null
        ? new Opened(model, fallbacks(agent, view), () -> {})
        : recording(model, record);
  }

  /// The fallbacks of the file; a model of the command line and a recording have none.
  private List<ChatModel> fallbacks(AgentFile agent, @Nullable View view) {
    return name != null
        ? List.of()
        : agent.agent().fallbacks().stream()
            .map(settings -> create(() -> Switchboard.model(settings, agent)))
            .map(model -> verbose(model, view))
            .toList();
  }

  private static ChatModel verbose(ChatModel model, @Nullable View view) {
    return view == null ? model : new VerboseModel(model, view);
  }

  private ChatModel model(AgentFile agent, Path file) {
    if (name != null) {
      String stated = name;
      return create(() -> Switchboard.model(ModelSettings.of(stated), agent));
    }
    ModelSettings settings = agent.agent().model();
    if (settings == null) {
      throw Failure.usage(
          file
              + " names no model: use --model %1$s, or add model = \"%1$s\" to its [agent] table."
                  .formatted("openai:" + ModelNames.OPENAI),
          null);
    }
    return create(() -> Switchboard.model(settings, agent));
  }

  /// The model of that name.
  ///
  /// @throws Failure when there is none, or its key is missing
  static ChatModel model(String name) {
    return create(() -> Switchboard.model(name));
  }

  private static ChatModel create(Supplier<ChatModel> model) {
    try {
      return model.get();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(sentence(e), e);
    }
  }

  private static Opened recording(ChatModel model, Path file) {
    try {
      RecordingModel recording = new RecordingModel(model, file);
      return new Opened(recording, recording::close);
    } catch (UncheckedIOException e) {
      throw Failure.usage(sentence(e, reason(e)), e);
    }
  }

  private static ChatModel recorded(Path file) {
    try {
      return RecordedModel.read(file);
    } catch (UncheckedIOException e) {
      throw Failure.usage(sentence(e, reason(e)), e);
    } catch (IllegalArgumentException e) {
      // The message begins with the file's name.
      throw Failure.usage(e.getMessage() + ".", e);
    }
  }

  private static String reason(UncheckedIOException e) {
    return ": " + IoReasons.ofFile(e);
  }

  private static String sentence(RuntimeException e) {
    return sentence(e, "");
  }

  private static String sentence(RuntimeException e, String reason) {
    String clause = e.getMessage() + reason;
    String begun = clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1);
    return begun.endsWith(".") ? begun : begun + ".";
  }
}
