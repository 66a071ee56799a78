package dev.switchboard.config;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedTool;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tools of an agent: those of its file, the built-in ones and those made in Java. If it has
/// the key `tools`, only those that it names.
final class AgentTools {
  private final AgentToml.Agent agent;
  private final boolean named;
  private final Set<String> chosen; // by `tools`, or because a rule needs them
  private final List<StatedTool> entries;
  private final JavaTools java;
  private final Set<String> known;

  /// @param needed the names of those that a rule needs
  /// @param entries those that the file defines
  AgentTools(AgentToml.Agent agent, Set<String> needed, List<StatedTool> entries, JavaTools java) {
    this.agent = agent;
    chosen = new LinkedHashSet<>(agent.tools());
    chosen.addAll(needed);
    this.named = agent.at().has("tools");
    this.entries = entries;
    this.java = java;
    this.known = java.names();
    known.addAll(ofFile());
  }

  /// The severity of an unknown tool name; null if all tools may be made in Java.
  @Nullable Severity unknown() {
    return java.all() ? Severity.ERROR : known.isEmpty() ? null : Severity.WARNING;
  }

  /// Whether each of the names that nothing here has is close to one that is known, so that it is
  /// misspelt: then no tool is made in Java.
  ///
  /// @param ofRules the names in rules
  boolean areMisspelt(Collection<String> ofRules) {
    List<String> all = new ArrayList<>(known);
    all.addAll(BuiltInTools.NAMES);
    return !java.all()
        && Stream.concat(chosen.stream(), ofRules.stream())
            .filter(name ->
                !known.contains(name)
                    && !BuiltInTools.NAMES.contains(name)
                    && !name.equals(ToolRule.ANY)
                    && !ToolNames.RESERVED.contains(name)
                    && !isOfServer(name))
            .limit(FaultList.MOST_SUGGESTIONS)
            .noneMatch(name -> Hints.closest(name, all).isEmpty());
  }

  /// The severity of an unknown name whose sentence has a suggestion or not.
  static Severity severity(Severity unknown, boolean misspelt, String sentence) {
    return misspelt && sentence.endsWith("'?") ? Severity.ERROR : unknown;
  }

  /// The names of those that the file defines.
  List<String> ofFile() {
    return entries.stream().map(StatedTool::name).filter(Objects::nonNull).toList();
  }

  /// Reports names of several tools, and errors in the names in `tools`.
  ///
  /// @param misspelt whether all unknown names are misspelt
  void check(boolean misspelt) {
    Set<String> twins = new HashSet<>();
    for (StatedTool entry : entries) {
      if (entry.name() != null && !twins.add(entry.name())) {
        isTwin(entry, "is defined twice");
      }
      if (entry.name() != null && java.names().contains(entry.name())) {
        isTwin(entry, "is defined twice, here and in Java");
      }
    }
    Set<String> seen = new HashSet<>();
    for (Value item : named ? agent.at().member("tools").items() : List.<Value>of()) {
      String name = item.filledText();
      if (name != null && !seen.add(name)) {
        item.bad("names '" + name + "' a second time");
      } else if (name != null && ToolNames.RESERVED.contains(name)) {
        item.error(
            FaultClass.RESERVED_NAME,
            "agent.tools names '%s', which is a reserved name: a call has that tool"
                .formatted(name));
      } else if (name != null && !BuiltInTools.NAMES.contains(name) && !isOfServer(name)) {
        check(item, name, unknown(), misspelt);
      }
    }
  }

  private static void isTwin(StatedTool entry, String where) {
    String sentence = "tool '" + entry.name() + "' " + where;
    entry.at().report(Severity.ERROR, FaultClass.DUPLICATE_TOOL, sentence);
  }

  private void check(Value item, String name, @Nullable Severity unknown, boolean misspelt) {
    String sentence = "agent.tools names '" + name + "', which ";
    if (unknown == null) {
      String hint = Hints.closest(name, BuiltInTools.NAMES);
      if (!hint.isEmpty()) {
        item.warning(FaultClass.UNKNOWN_TOOL, sentence + "is not a built-in tool" + hint);
      }
    } else if (!known.contains(name)) {
      List<String> all = new ArrayList<>(known);
      all.addAll(BuiltInTools.NAMES);
      String closest = item.closest(name, all);
      Severity severity = severity(unknown, misspelt, closest);
      String why =
          severity == Severity.ERROR
              ? "no tool has"
              : "no tool of the file has: it has to be made in Java";
      item.report(severity, FaultClass.UNKNOWN_TOOL, sentence + why + closest);
    }
  }

  /// Whether the name is unknown here and may be that of an MCP server's tool.
  boolean isOfServer(String name) {
    return !known.contains(name)
        && !BuiltInTools.NAMES.contains(name)
        && !ToolNames.RESERVED.contains(name)
        && java.ofServers().test(name);
  }

  /// The names of the built-in tools that no tool of the agent replaces.
  List<String> builtIns() {
    return chosen.stream()
        .filter(name -> BuiltInTools.NAMES.contains(name) && !known.contains(name))
        .toList();
  }

  /// The names of those that have to be made in Java and are unknown here.
  Set<String> elsewhere() {
    Set<String> here = new HashSet<>(ofFile());
    java.tools().forEach(tool -> here.add(tool.name()));
    Set<String> elsewhere = new LinkedHashSet<>(named ? agent.tools() : java.names());
    chosen.stream().filter(java.names()::contains).forEach(elsewhere::add);
    elsewhere.removeIf(name ->
        here.contains(name)
            || isOfServer(name)
            || (java.all() ? !java.names().contains(name) : BuiltInTools.NAMES.contains(name)));
    return elsewhere;
  }

  /// The names of all.
  Set<String> all() {
    Set<String> all = new LinkedHashSet<>(known);
    all.addAll(builtIns());
    all.addAll(elsewhere());
    return all;
  }

  /// The names of those that have to be made in Java and are unknown here, including those that
  /// only rules mention.
  List<String> ofJava(List<ToolRule> rules) {
    Set<String> names = elsewhere();
    if (!java.all()) {
      RuleLint.names(rules).stream()
          .filter(name ->
              !known.contains(name)
                  && !builtIns().contains(name)
                  && !ToolNames.RESERVED.contains(name)
                  && !isOfServer(name))
          .forEach(names::add);
    }
    return List.copyOf(names);
  }

  /// Those of the file, if no fault was reported, and the known ones made in Java.
  List<Tool> make() {
    List<Tool> all =
        Stream.concat(entries.stream().map(entry -> entry.tool().get()), java.tools().stream())
            .toList();
    if (!named) {
      return all;
    }
    Map<String, Tool> byName = all.stream().collect(Collectors.toMap(Tool::name, tool -> tool));
    return chosen.stream().map(byName::get).filter(Objects::nonNull).toList();
  }

  /// The definitions of these tools and of the built-in ones.
  List<ToolDefinition> definitions(List<Tool> made) {
    return Stream.concat(
            made.stream().map(Tool::definition),
            builtIns().stream().map(name -> BuiltInTools.of(name).definition()))
        .toList();
  }
}
