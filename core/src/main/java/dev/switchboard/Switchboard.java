package dev.switchboard;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.store.StoreException;
import dev.switchboard.store.Stores;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way in: an agent's file made into parts that work. The only place that wires them.
public final class Switchboard {
  private Switchboard() {}

  /// The executor of the tools in that file, and of these made in Java, which join them.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static ToolExecutor load(Path file, Tool... more) {
    return executor(AgentFile.read(file, List.of(more))).build();
  }

  /// Where the agent of that file keeps its conversations, open; null where the file names no
  /// storage. A relative path begins in the file's folder.
  ///
  /// @throws StoreException when it cannot be opened
  public static @Nullable ConversationStore store(Path file, AgentFile agent) {
    String url = agent.storage();
    if (url == null) {
      return null;
    }
    Path folder = file.getParent();
    return Stores.open(url, folder == null ? Path.of("") : folder, agent.agent().name());
  }

  /// An executor of the agent's tools, to be set up further.
  public static ToolExecutorBuilder executor(AgentFile agent) {
    return ToolExecutor.builder()
        .tools(agent.tools())
        .rules(agent.rules())
        .consentTimeout(agent.agent().limits().consentTimeout())
        .exposeErrors(agent.agent().exposeErrors());
  }
}
