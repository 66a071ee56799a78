package dev.switchboard.config;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Jackson;
import dev.switchboard.observe.AuditLog;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The reading of one agent's file: all faults are gathered, and only a file without an error
/// becomes parts.
final class AgentReader {
  private final Path file;
  private final Environment environment;
  private final JavaTools java;
  private final Faults faults = new Faults();

  AgentReader(Path file, Environment environment, JavaTools java) {
    this.file = file;
    this.environment = environment;
    this.java = java;
  }

  AgentFile read() {
    return read(source(), environment.beside(file, faults), Severity.ERROR);
  }

  /// The file where a variable that is not set is a warning.
  AgentFile check() {
    return read(source(), environment.beside(file, faults), Severity.WARNING);
  }

  /// What the file would be with that text.
  AgentFile read(String text) {
    return read(TomlSource.read(file.toString(), text, faults), environment, Severity.ERROR);
  }

  private AgentFile read(@Nullable Source source, Environment variables, Severity unset) {
    Section root = source == null ? null : source.root().section(Keys.FILE);
    AgentFile read = root == null ? null : read(root, variables, unset);
    if (read == null || faults.haveErrors()) {
      throw new ConfigException(faults.inOrder());
    }
    return read;
  }

  private @Nullable Source source() {
    Jackson.check();
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

  private @Nullable AgentFile read(Section root, Environment variables, Severity unset) {
    warnOfEmpty(root);
    AgentSection agent = new AgentSection(root.sectionOrEmpty("agent", Keys.AGENT));
    AgentSettings settings = agent.settings(fileName());
    List<String> allow = allow(root.section("network", Keys.NETWORK));
    String storage = storage(root.section("storage", Keys.STORAGE));
    Path audit = audit(root.section("audit", Keys.AUDIT));
    UrlGuard guard = UrlGuard.of(allow);
    Defaults defaults = agent.defaults();
    Surroundings around = new Surroundings(folder(), variables, unset, guard, defaults, false);
    Value list = root.value("tools");
    List<PlannedTool> planned = list == null ? List.of() : ToolList.read(list, around);
    Set<String> known = names(planned);
    @Nullable Severity unknown =
        java.all() ? Severity.ERROR : known.isEmpty() ? null : Severity.WARNING;
    agent.checkTools(known, unknown);
    List<String> builtIns = agent.builtIns(known);
    Set<String> elsewhere = elsewhere(agent, planned);
    RuleList rules = agent.rules();
    if (faults.haveErrors()) {
      boolean allPlanned = list == null || planned.size() == list.node().size();
      rules.checkTools(allPlanned ? all(known, builtIns, elsewhere) : Set.of(), unknown);
      rules.check(List.of(), Set.of(), null);
      return null;
    }
    List<Tool> tools = chosen(make(planned, guard), settings.toolNames());
    rules.check(definitions(tools, builtIns), elsewhere, unknown);
    Set<String> javaTools = new LinkedHashSet<>(elsewhere);
    if (!java.all()) {
      RuleLint.names(rules.rules()).stream()
          .filter(name -> !known.contains(name) && !builtIns.contains(name))
          .forEach(javaTools::add);
    }
    return new AgentFile(
        settings,
        tools,
        rules.rules(),
        allow,
        storage,
        faults.inOrder(),
        agent.blocks(settings.name()),
        builtIns,
        List.copyOf(javaTools),
        variables,
        defaults.common(),
        audit);
  }

  private static void warnOfEmpty(Section root) {
    if (root.isEmpty()) {
      root.place()
          .warning(
              FaultClass.EMPTY_FILE,
              "the file says nothing: an agent has a table [agent] with its model and its tools");
    }
  }

  /// The tools of the agent that have to be made in Java and are not here.
  private Set<String> elsewhere(AgentSection agent, List<PlannedTool> planned) {
    Set<String> here = new LinkedHashSet<>();
    java.tools().forEach(tool -> here.add(tool.name()));
    planned.forEach(tool -> here.add(tool.name()));
    List<String> named = agent.toolNames();
    Set<String> elsewhere = new LinkedHashSet<>(named == null ? java.names() : named);
    elsewhere.removeIf(name ->
        here.contains(name)
            || (java.all() ? !java.names().contains(name) : BuiltInTools.NAMES.contains(name)));
    return elsewhere;
  }

  private static Set<String> all(Set<String> known, List<String> builtIns, Set<String> elsewhere) {
    Set<String> all = new LinkedHashSet<>(known);
    all.addAll(builtIns);
    all.addAll(elsewhere);
    return all;
  }

  private static List<ToolDefinition> definitions(List<Tool> tools, List<String> builtIns) {
    return Stream.concat(
            tools.stream().map(Tool::definition),
            builtIns.stream().map(name -> BuiltInTools.of(name).definition()))
        .toList();
  }

  private Set<String> names(List<PlannedTool> planned) {
    Set<String> names = java.names();
    for (PlannedTool tool : planned) {
      if (java.names().contains(tool.name())) {
        String sentence = "tool '" + tool.name() + "' is defined twice, here and in Java";
        tool.place().error(FaultClass.DUPLICATE_TOOL, sentence);
      }
      names.add(tool.name());
    }
    return names;
  }

  private List<Tool> make(List<PlannedTool> planned, UrlGuard guard) {
    WebhookTools webhooks = new WebhookTools(guard);
    return Stream.concat(planned.stream().map(webhooks::make), java.tools().stream()).toList();
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

  /// Where the calls leave their lines; a relative path begins in the file's folder.
  private @Nullable Path audit(@Nullable Section audit) {
    if (audit == null) {
      return null;
    }
    Value value = audit.value("file");
    String text = audit.filledText("file");
    if (value == null) {
      audit.place().error(FaultClass.BAD_VALUE, "audit needs a 'file', such as \"audit.jsonl\"");
    }
    if (value == null || text == null) {
      return null;
    }
    try {
      Path log = folder().resolve(text);
      AuditLog.check(log);
      return log;
    } catch (InvalidPathException e) {
      value.bad("is not a path");
    } catch (IOException e) {
      value.bad("cannot be written: " + e.getMessage());
    }
    return null;
  }

  private static @Nullable String storage(@Nullable Section storage) {
    if (storage == null) {
      return null;
    }
    Value value = storage.value("url");
    String url = storage.filledText("url");
    String fault = url == null ? null : Storage.fault(url);
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
