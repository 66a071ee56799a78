package dev.switchboard.openapi;

import dev.switchboard.tool.ToolSchemaException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// The selected operations of a document: each is a tool, or has a reason why it is not.
///
/// @param <T> the type that is made from an operation
/// @param made in the document's order
/// @param leftOut the reasons, each the rest of a sentence, by method and path
/// @param lost what some of the tools do not have of their operations, in the same form
public record OpenApiTools<T>(List<T> made, Map<String, String> leftOut, Map<String, String> lost) {
  public OpenApiTools {
    made = List.copyOf(made);
    leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
    lost = Collections.unmodifiableMap(new LinkedHashMap<>(lost));
  }

  /// Makes tools from that document's operations.
  ///
  /// @param maker makes a tool, or throws an [IllegalArgumentException] with the reason, as a
  ///   tool's builder does
  public static <T> OpenApiTools<T> of(
      OpenApiDocument document, OpenApiSettings settings, Function<OpenApiTool, T> maker) {
    Schemas schemas = new Schemas(document);
    List<T> made = new ArrayList<>();
    Map<String, String> leftOut = new LinkedHashMap<>(document.unread());
    Map<String, String> lost = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (OpenApiDocument.Stated operation : document.operations()) {
      // Named even if it is not selected, so that a name does not depend on the selection.
      String name = NameSanitizer.toolName(settings.prefix(), operation, taken);
      if (isWanted(operation, settings)) {
        try {
          OpenApiTool tool = new OperationReader(document, schemas, settings, operation).tool(name);
          made.add(maker.apply(tool));
          if (tool.lost() != null) {
            lost.put(operation.title(), tool.lost());
          }
        } catch (Unsupported e) {
          leftOut.put(operation.title(), e.why());
        } catch (ToolSchemaException e) {
          String fault = e.faults().getFirst().replace("tool '" + name + "': ", "");
          leftOut.put(operation.title(), "has a schema that cannot be used: " + fault);
        } catch (IllegalArgumentException e) {
          leftOut.put(operation.title(), "cannot be sent: " + e.getMessage());
        }
      }
    }
    return new OpenApiTools<>(made, leftOut, lost);
  }

  private static boolean isWanted(OpenApiDocument.Stated operation, OpenApiSettings settings) {
    return (settings.include().isEmpty()
            || settings.include().stream().anyMatch(operation::matches))
        && (settings.tags().isEmpty() || settings.tags().stream().anyMatch(operation::isTagged))
        && settings.exclude().stream().noneMatch(operation::matches);
  }
}
