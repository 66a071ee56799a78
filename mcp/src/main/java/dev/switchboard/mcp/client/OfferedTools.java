package dev.switchboard.mcp.client;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A server's tools in an agent's registry: added, replaced and removed as the server changes them.
/// For one thread at a time.
final class OfferedTools {
  private static final int LONGEST_DESCRIPTION = 4_000;

  private final McpSettings settings;
  private final ToolRegistry registry;
  private final ToolDefaults defaults;
  private final AssignedNames given;
  private final Map<String, RemoteTool> offered = new LinkedHashMap<>(); // by the agent's names
  private final Set<String> conflicts =
      new LinkedHashSet<>(); // names of tools that are not its own
  private final ToolNews news;
  private final StatedNames stated;
  private List<JsonNode> described = List.of();

  OfferedTools(McpSettings settings, ToolRegistry registry, ToolDefaults defaults) {
    this.settings = settings;
    given = new AssignedNames(settings);
    this.registry = registry;
    this.defaults = defaults;
    news = new ToolNews(settings.name());
    stated = new StatedNames(settings);
  }

  /// The agent's names of the offered tools.
  List<String> names() {
    return List.copyOf(offered.keySet());
  }

  /// Accepts the server's current descriptions.
  void accept(RemoteServer server) {
    if (settings.lock() != null) {
      new ToolLock(settings.lock()).accept(settings.name(), read(described));
      news.forget();
      update(server, described);
    }
  }

  /// Offers exactly the tools that the server describes now.
  ///
  /// @throws IllegalArgumentException when one has the name of a tool that is not the server's,
  ///   while the agent is built; later only that tool is refused
  void update(RemoteServer server, List<JsonNode> now) {
    described = now;
    try {
      update(server);
    } finally {
      news.log();
    }
  }

  private void update(RemoteServer server) {
    Map<String, RemoteTool> wanted = named(accepted(read(described)));
    for (String name : List.copyOf(offered.keySet())) {
      if (!wanted.containsKey(name)) {
        offered.remove(name);
        registry.remove(name, "the MCP server '%s' no longer has it".formatted(settings.name()));
        warn("tool '%s' is gone".formatted(name));
      }
    }
    wanted.forEach((name, tool) -> offer(server, name, tool));
    conflicts.retainAll(wanted.keySet());
    if (server.isStarting() && !conflicts.isEmpty()) {
      throw new IllegalArgumentException(
          server.called(
              "tool '%s' is defined twice: %s"
                  .formatted(
                      conflicts.iterator().next(),
                      settings.prefix()
                          ? "exclude it, or rename the other"
                          : "leave out 'prefix = false', or exclude it")));
    }
    stated.unmatched(described).forEach(this::warn);
  }

  /// Warns of what else is wrong with its names.
  void addFault(String what) {
    warn(what);
    news.log();
  }

  private void offer(RemoteServer server, String name, RemoteTool tool) {
    RemoteTool earlier = offered.get(name);
    if (earlier != null && earlier.digest().equals(tool.digest())) {
      return;
    }
    Tool built = build(server, name, tool);
    if (built == null) {
      return;
    }
    if (earlier == null) {
      try {
        registry.register(built, ToolName.others(settings, tool.name(), name));
        conflicts.remove(name);
      } catch (IllegalArgumentException e) {
        if (registry.find(name) != null) {
          conflicts.add(name);
        }
        refuse(tool.name(), String.valueOf(e.getMessage()));
        return;
      }
    } else {
      registry.replace(built);
      warn("the description or the schema of tool '%s' has changed".formatted(name));
    }
    offered.put(name, tool);
  }

  private List<RemoteTool> read(List<JsonNode> described) {
    List<RemoteTool> tools = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode description : described) {
      try {
        RemoteTool tool = RemoteTool.read(description);
        if (!names.add(tool.name())) {
          warn("tool '%s' is listed twice".formatted(InvisibleCharacters.shown(tool.name())));
        } else if (ToolName.isTaken(settings, tool.name())) {
          tools.add(tool);
        }
      } catch (RemoteTool.UnusableException e) {
        refuse(description.path("name").asString(""), String.valueOf(e.getMessage()));
      }
    }
    return tools;
  }

  /// The tools that equal what a person accepted, if they are pinned.
  private List<RemoteTool> accepted(List<RemoteTool> tools) {
    if (settings.lock() == null) {
      return tools;
    }
    ToolLock lock = new ToolLock(settings.lock());
    JsonNode digests = lock.accepted(settings.name());
    if (digests == null) {
      lock.accept(settings.name(), tools);
      return tools;
    }
    List<RemoteTool> accepted = new ArrayList<>();
    for (RemoteTool tool : tools) {
      if (digests.path(tool.name()).asString("").equals(tool.digest())) {
        accepted.add(tool);
      } else {
        refuse(
            tool.name(),
            "it is new or has changed since it was accepted: `switchboard mcp list --accept`"
                + " accepts it");
      }
    }
    return accepted;
  }

  /// The tools by names.
  private Map<String, RemoteTool> named(List<RemoteTool> tools) {
    given.give(tools.stream().map(RemoteTool::name).toList());
    Map<String, RemoteTool> named = new LinkedHashMap<>();
    for (RemoteTool tool : tools) {
      String name = given.of(tool.name());
      if (name == null) {
        refuse(tool.name(), "another has its name");
      } else {
        named.put(name, tool);
      }
    }
    return named;
  }

  private @Nullable Tool build(RemoteServer server, String name, RemoteTool tool) {
    List<String> unchecked = new ArrayList<>();
    try {
      McpHandler handler = new McpHandler(server, tool, output(tool, unchecked), settings.trust());
      Tool.DynamicBuilder builder =
          Tool.dynamic(name, tool.parameters())
              .foreign(unchecked::add)
              .description(description(tool, name));
      if (tool.output() != null) {
        builder.returns(ParameterSchema.valid(tool.output()));
      }
      ToolMode mode = McpHandler.mode(tool);
      Tool.Policy policy = settings.policies().get(tool.name());
      Tool.DynamicBuilder stated =
          policy == null ? builder.mode(mode) : policy.applied(builder, handler, mode);
      Tool built = stated.answeredBy(handler).withDefaults(defaults);
      unchecked.forEach(news::addUnchecked);
      return built;
    } catch (IllegalArgumentException e) {
      refuse(tool.name(), String.valueOf(e.getMessage()));
    }
    return null;
  }

  private static @Nullable ParameterSchema output(RemoteTool tool, List<String> unchecked) {
    if (tool.output() == null) {
      return null;
    }
    ParameterSchema output =
        ParameterSchema.foreign(tool.name(), CallResult.checking(tool.output().tree()));
    output.warnings().stream()
        .map(sentence -> sentence.replace("`parameters", "`outputSchema"))
        .forEach(unchecked::add);
    return output;
  }

  /// The description without invisible characters, with the server's name of a tool that has
  /// another one here.
  private static String description(RemoteTool tool, String name) {
    String description = description(tool);
    String title = description.equals(tool.title()) ? "" : tool.title();
    return name.endsWith(tool.name())
        ? description
        : ToolNames.withOriginalName(description, tool.name(), title);
  }

  private static String description(RemoteTool tool) {
    String text = tool.description();
    String cut = text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION));
    StringBuilder shown = new StringBuilder();
    for (String line : cut.split("\n", -1)) {
      shown
          .append(shown.isEmpty() ? "" : "\n")
          .append(InvisibleCharacters.shown(line.stripTrailing()));
    }
    return shown.toString();
  }

  private void refuse(String tool, String why) {
    String name = tool.substring(0, Math.min(tool.length(), 64));
    warn("tool '%s' is not offered: %s".formatted(InvisibleCharacters.shown(name), why));
  }

  private void warn(String what) {
    news.add(what);
  }
}
