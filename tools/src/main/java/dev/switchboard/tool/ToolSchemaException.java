package dev.switchboard.tool;

import java.util.List;

/// Invalid parameters of a tool; the message has one line per fault.
public final class ToolSchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String tool;
  private final transient List<String> faults;

  /// @param tool the tool's name
  /// @param faults the sentences, each naming the tool, in the order of the schema
  public ToolSchemaException(String tool, List<String> faults) {
    super(String.join("\n", faults));
    this.tool = tool;
    this.faults = List.copyOf(faults);
  }

  /// The name of the tool.
  public String tool() {
    return tool;
  }

  /// The sentences, one for each fault.
  public List<String> faults() {
    return faults;
  }
}
