package dev.switchboard.ruling;

import dev.switchboard.tool.ToolDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The argument of a tool that names its operation.
///
/// @param members that may be it: the stated one, or the usual ones
/// @param defaults the operations that a call without a member requests, by the member
public record OperationArgument(List<String> members, Map<String, Set<String>> defaults) {
  /// Of a tool that states neither a member nor a default.
  static final OperationArgument USUAL =
      new OperationArgument(List.of("operation", "op"), Map.of());

  public OperationArgument {
    members = List.copyOf(members);
    defaults = Map.copyOf(defaults);
  }

  /// By tool, the arguments of those that differ from the usual one.
  public static Map<String, OperationArgument> of(List<ToolDefinition> tools) {
    Map<String, OperationArgument> arguments = new HashMap<>();
    for (ToolDefinition tool : tools) {
      OperationArgument own = of(tool);
      if (!own.equals(USUAL)) {
        arguments.put(tool.name(), own);
      }
    }
    return arguments;
  }

  private static OperationArgument of(ToolDefinition tool) {
    String stated = tool.operationKey();
    List<String> members = stated == null ? USUAL.members : List.of(stated);
    boolean mayState = tool.parameters().text().contains("\"default\"");
    return new OperationArgument(
        members, mayState ? OperationSchema.defaults(tool.parameters().tree(), members) : Map.of());
  }
}
