package dev.switchboard.config;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Jackson;
import dev.switchboard.store.Stores;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.webhook.UrlGuard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The reading of one agent's file: all faults are gathered, and only a file without an error
/// becomes parts.
final class AgentReader {
  private final Path file;
  private final Function<String, @Nullable String> environment;
  private final List<Tool> more;
  private final Faults faults = new Faults();

  AgentReader(Path file, Function<String, @Nullable String> environment, Collection<Tool> more) {
    this.file = file;
    this.environment = environment;
    this.more = List.copyOf(more);
  }

  AgentFile read() {
    Jackson.check();
    return read(source());
  }

  /// What the file would be with that text.
  AgentFile read(String text) {
    return read(TomlSource.read(file.toString(), text, faults));
  }

  private AgentFile read(@Nullable Source source) {
    Section root = source == null ? null : source.root().section(Keys.FILE);
    AgentFile read = root == null ? null : read(root);
    if (read == null || faults.haveErrors()) {
      throw new ConfigException(faults.inOrder());
    }
    return read;
  }

  private @Nullable Source source() {
    try {
      return TomlSource.read(file.toString(), TextFile.read(file), faults);
    } catch (UnreadableFile e) {
      FaultClass kind = e.line() == 0 ? FaultClass.UNREADABLE : FaultClass.SYNTAX;
      String message = "the file " + e.reason();
      faults.add(
          new ConfigFault(file.toString(), e.line(), e.column(), Severity.ERROR, kind, message));
      return null;
    }
  }

  private @Nullable AgentFile read(Section root) {
    AgentSection agent = new AgentSection(root.sectionOrEmpty("agent", Keys.AGENT));
    AgentSettings settings = agent.settings(fileName());
    List<String> allow = allow(root.section("network", Keys.NETWORK));
    String storage = storage(root.section("storage", Keys.STORAGE));
    UrlGuard guard = UrlGuard.of(allow);
    Surroundings around = new Surroundings(folder(), environment, guard, agent.defaults(), false);
    Value list = root.value("tools");
    List<PlannedTool> planned = list == null ? List.of() : ToolList.read(list, around);
    Set<String> known = names(planned);
    agent.checkTools(known);
    RuleList rules = agent.rules();
    if (faults.haveErrors()) {
      rules.check(List.of(), false);
      return null;
    }
    List<Tool> tools = chosen(make(planned, guard), settings.toolNames());
    List<String> builtIns = agent.builtIns(known);
    rules.check(definitions(tools, builtIns), !known.isEmpty());
    return new AgentFile(
        settings,
        tools,
        rules.rules(),
        allow,
        storage,
        faults.inOrder(),
        agent.blocks(settings.name()),
        builtIns);
  }

  private static List<ToolDefinition> definitions(List<Tool> tools, List<String> builtIns) {
    return Stream.concat(
            tools.stream().map(Tool::definition),
            builtIns.stream().map(name -> BuiltInTools.of(name).definition()))
        .toList();
  }

  private Set<String> names(List<PlannedTool> planned) {
    Set<String> names = new LinkedHashSet<>();
    more.forEach(tool -> names.add(tool.name()));
    for (PlannedTool tool : planned) {
      if (more.stream().anyMatch(other -> other.name().equals(tool.name()))) {
        String sentence = "tool '" + tool.name() + "' is defined twice, here and in Java";
        tool.place().error(FaultClass.DUPLICATE_TOOL, sentence);
      }
      names.add(tool.name());
    }
    return names;
  }

  private List<Tool> make(List<PlannedTool> planned, UrlGuard guard) {
    WebhookTools webhooks = new WebhookTools(guard);
    return Stream.concat(planned.stream().map(webhooks::make), more.stream()).toList();
  }

  private static List<Tool> chosen(List<Tool> all, @Nullable List<String> names) {
    if (names == null) {
      return all;
    }
    Map<String, Tool> byName = all.stream().collect(Collectors.toMap(Tool::name, tool -> tool));
    return names.stream().map(byName::get).filter(Objects::nonNull).toList();
  }

  private Path folder() {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private String fileName() {
    Path name = file.getFileName();
    return name == null ? "agent" : name.toString().replaceFirst("\\.toml$", "");
  }

  private static List<String> allow(@Nullable Section network) {
    Value list = network == null ? null : network.value("allow");
    List<String> allow = new ArrayList<>();
    for (Value entry : list == null ? List.<Value>of() : list.items()) {
      String text = entry.text();
      if (text != null && isHostAndPort(text)) {
        allow.add(text);
      } else if (text != null) {
        entry.bad("must be host:port, such as \"127.0.0.1:9001\", not '" + text + "'");
      }
    }
    return allow;
  }

  private static boolean isHostAndPort(String entry) {
    try {
      UrlGuard.of(List.of(entry));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static @Nullable String storage(@Nullable Section storage) {
    if (storage == null) {
      return null;
    }
    Value value = storage.value("url");
    String url = storage.filledText("url");
    String fault = url == null ? null : Stores.fault(url);
    if (value == null) {
      storage
          .place()
          .error(FaultClass.BAD_VALUE, "storage needs a 'url', such as \"sqlite:agent.db\"");
    } else if (fault != null) {
      value.bad(fault);
    }
    return url;
  }
}
