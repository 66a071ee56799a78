package dev.switchboard.config;

import dev.switchboard.check.Checked;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The check of the tools that a file names as probes of others.
final class ProbeCheck {
  private static final Json ARGUMENTS = Json.text("{\"key\":\"0\"}");

  private ProbeCheck() {}

  /// Reports errors in the tools that the file names as probes.
  ///
  /// @param file the whole file
  /// @param tools those of the file, and the known ones made in Java
  /// @param others whether a tool of that name may be elsewhere
  /// @param unknown the severity of an unknown name, null if any may be made in Java
  static void check(
      Value file, List<Tool> tools, Predicate<String> others, @Nullable Severity unknown) {
    Map<String, Tool> byName =
        tools.stream().collect(Collectors.toMap(Tool::name, Function.identity()));
    tables(file)
        .filter(table -> table.has("probe"))
        .forEach(table -> {
          Value at = table.member("probe");
          String name = at.filledText();
          Tool probe = name == null ? null : byName.get(name);
          if (probe != null) {
            checkProbe(at, probe);
          } else if (name != null && unknown != null && !others.test(name)) {
            at.report(
                unknown,
                FaultClass.UNKNOWN_TOOL,
                "%s names '%s', which is not a tool of the agent%s"
                    .formatted(at.path(), name, at.closest(name, byName.keySet())));
          }
        });
  }

  /// The tables with options of tools: those of the file's own tools, and of the tools of servers
  /// and documents.
  private static Stream<Value> tables(Value file) {
    Stream<Value> elsewhere =
        members(file.member("agent"))
            .flatMap(ProbeCheck::items)
            .flatMap(table -> members(table.member("tools")));
    return Stream.concat(items(file.member("tools")), elsewhere);
  }

  private static Stream<Value> items(Value value) {
    return value.node().isArray() ? value.items().stream() : Stream.empty();
  }

  private static Stream<Value> members(Value value) {
    return value.node().isObject() ? value.members().values().stream() : Stream.empty();
  }

  private static void checkProbe(Value at, Tool probe) {
    if (probe.definition().mode() != ToolMode.READ) {
      at.bad(
          "names '%s', whose mode is %s: a probe only reads, state mode = \"read\" if it does"
              .formatted(probe.name(), probe.definition().mode().word()));
    } else if (probe.check(ARGUMENTS) instanceof Checked.Refused) {
      at.bad(
          "names '%s', whose parameters do not take {\"key\": \"..\"}, which a probe is called with"
              .formatted(probe.name()));
    }
  }
}
