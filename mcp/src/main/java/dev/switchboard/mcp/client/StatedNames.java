package dev.switchboard.mcp.client;

import dev.switchboard.check.Closest;
import dev.switchboard.text.InvisibleCharacters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The names of a server's tools that its settings state, beside those that it has. For one thread
/// at a time.
final class StatedNames {
  private static final int MOST_COMPARED = 1_000;

  private final McpSettings settings;
  private final Set<String> reported = new HashSet<>(); // each fault is reported once

  StatedNames(McpSettings settings) {
    this.settings = settings;
  }

  /// What the settings name that the server does not have, each once.
  ///
  /// @param described the descriptions of all its tools
  List<String> unmatched(List<JsonNode> described) {
    List<String> names =
        described.stream()
            .map(tool -> tool.path("name").asString(""))
            .filter(name -> !name.isEmpty())
            .toList();
    List<String> faults = new ArrayList<>();
    settings.include().forEach(pattern -> addPattern("include", pattern, names, faults));
    settings.exclude().forEach(pattern -> addPattern("exclude", pattern, names, faults));
    for (String tool : settings.policies().keySet()) {
      if (!names.contains(tool)) {
        String sentence = "it has no tool '%s', which the file states a policy for".formatted(tool);
        add(sentence, tool, names, faults);
      } else if (!ToolName.isTaken(settings, tool)) {
        String sentence =
            "the file states a policy for tool '%s', which it leaves out".formatted(tool);
        add(sentence, null, names, faults);
      }
    }
    return faults;
  }

  private void addPattern(String key, String pattern, List<String> names, List<String> faults) {
    if (names.stream().noneMatch(name -> ToolName.matches(pattern, name))) {
      String what = pattern.indexOf('*') < 0 ? "it has no tool '%s'" : "it has no tool like '%s'";
      add((what + ", which `%s` names").formatted(pattern, key), pattern, names, faults);
    }
  }

  private void add(
      String sentence, @Nullable String stated, Collection<String> names, List<String> faults) {
    if (reported.add(sentence)) {
      String hint = stated == null ? "" : hint(ToolName.ofServer(settings, stated), names);
      faults.add(sentence + hint);
    }
  }

  /// The closest name as a question, or nothing.
  static String hint(String name, Collection<String> names) {
    List<String> closest = Closest.to(name, names.stream().limit(MOST_COMPARED).toList());
    return closest.isEmpty()
        ? ""
        : " (did you mean '" + InvisibleCharacters.shown(closest.getFirst()) + "'?)";
  }
}
