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
/// @param javaTools the names of tools that it speaks of and that are not here: they have to be
///   made in Java
/// @param environment where the variables that it names are looked up
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
    List<String> javaTools,
    Environment environment,
    ToolDefaults defaults,
    @Nullable Path audit) {
  public AgentFile {
    tools = List.copyOf(tools);
    rules = List.copyOf(rules);
    allow = List.copyOf(allow);
    warnings = List.copyOf(warnings);
    blocks = List.copyOf(blocks);
    builtIns = List.copyOf(builtIns);
    javaTools = List.copyOf(javaTools);
  }

  /// The agent of that file. Tools made in Java may join it later: a name that no tool of the file
  /// has is taken for that of one, which is a warning where the file has tools of its own.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).read();
  }

  /// The agent of that file, with these tools made in Java that join those of the file, and no
  /// others.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile read(Path file, Collection<Tool> more) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.of(more)).read();
  }

  /// The agent of that file, to be looked at and not to be run: an environment variable that is not
  /// set is a warning.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile check(Path file) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.UNKNOWN).check();
  }

  /// The agent of that file, to be looked at and not to be run, with tools made in Java of these
  /// names and no others. An environment variable that is not set is a warning.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile check(Path file, Collection<String> javaTools) {
    return new AgentReader(file, Environment.OF_PROCESS, JavaTools.named(javaTools)).check();
  }

  /// The agent that the file would describe if it held that text. Environment variables need not be
  /// set for it.
  ///
  /// @throws ConfigException with every fault, when there is an error among them
  public static AgentFile preview(Path file, String text) {
    return new AgentReader(file, Environment.of(name -> "not looked up"), JavaTools.UNKNOWN)
        .read(text);
  }
}
