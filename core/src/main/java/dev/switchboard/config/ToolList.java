package dev.switchboard.config;

import dev.switchboard.json.Json;
import dev.switchboard.webhook.UrlGuard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A list of tool definitions, whatever it was written in: the one place that says what is wrong
/// with one.
final class ToolList {
  private ToolList() {}

  /// Everything that is wrong with definitions given as JSON, in the order of the list; a `handler`
  /// of any kind stands for code.
  public static List<ConfigFault> faults(Json tools) {
    Faults faults = new Faults();
    Source source = JsonSource.read("tools", tools.text(), faults);
    Surroundings around =
        new Surroundings(
            Path.of(""),
            Environment.OF_PROCESS,
            Severity.ERROR,
            UrlGuard.STRICT,
            Defaults.NONE,
            true);
    read(new Value(new Place(source, "", "tools"), source.tree()), around);
    return faults.found();
  }

  /// The tools to be made of a list, if nothing was reported.
  static List<PlannedTool> read(Value tools, Surroundings around) {
    if (!tools.node().isArray()) {
      tools.place().error(FaultClass.TOOL_DEFINITION, "tools must be a list");
      return List.of();
    }
    List<ToolEntry> entries = new ArrayList<>();
    for (Value item : tools.items()) {
      Section section = item.section(Keys.TOOL);
      if (section != null) {
        entries.add(new ToolEntry(section, around));
      }
    }
    entries.forEach(ToolEntry::checkName);
    entries.forEach(ToolEntry::checkAnswer);
    reportTwins(entries);
    entries.forEach(ToolEntry::checkWord);
    entries.forEach(ToolEntry::checkSchema);
    return entries.stream().map(ToolEntry::plan).filter(Objects::nonNull).toList();
  }

  private static void reportTwins(List<ToolEntry> entries) {
    Set<String> names = new HashSet<>();
    for (ToolEntry entry : entries) {
      if (entry.name() != null && !names.add(entry.name())) {
        entry.defineTwice();
      }
    }
  }
}
