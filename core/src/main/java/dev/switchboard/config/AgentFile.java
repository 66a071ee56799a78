package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.memory.Block;
import dev.switchboard.rule.ToolRule;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent as its file describes it.
///
/// @param tools the agent's, in their order
/// @param rules that their calls are held to, in the order of the file
/// @param allow inner services that webhooks may reach, `host:port` each
/// @param storage the URL of the storage, null for memory
/// @param warnings what is likely not to do what the author thinks
/// @param blocks the blocks of memory that the agent begins with
/// @param builtIns the names of the built-in tools that it has
/// @param defaults what holds for tools that do not state it themselves; those of the file do
/// @param audit where each call leaves a line, null for nowhere
public record AgentFile(
    AgentSettings agent,
    List<Tool> tools,
    List<ToolRule> rules,
    List<String> allow,
    @Nullable String storage,
    List<ConfigFault> warnings,
    List<Block> blocks,
    List<String> builtIns,
    ToolDefaults defaults,
    @Nullable Path audit) {
  public AgentFile {
    tools = List.copyOf(tools);
    rules = List.copyOf(rules);
    allow = List.copyOf(allow);
    warnings = List.copyOf(warnings);
    blocks = List.copyOf(blocks);
    builtIns = List.copyOf(builtIns);
  }

  /// The agent of that file.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file) {
    return read(file, List.of());
  }

  /// The agent of that file, with tools made in Java that join those of the file.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file, Collection<Tool> more) {
    return new AgentReader(file, System::getenv, more).read();
  }

  /// The agent that the file would describe if it held that text. Environment variables need not be
  /// set for it.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile preview(Path file, String text) {
    return new AgentReader(file, name -> "not looked up", List.of()).read(text);
  }
}
