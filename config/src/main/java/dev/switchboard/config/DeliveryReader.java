package dev.switchboard.config;

import dev.switchboard.check.Checked;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions.Delivery;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads a tool's delivery: the keys `delivery` and `probe` of its table.
final class DeliveryReader {
  private DeliveryReader() {}

  /// Applies the table.
  static void apply(AgentToml.Tool tool, Tool.DynamicBuilder builder) {
    String probe = tool.probe();
    switch (tool.delivery()) {
      case null -> {}
      case AT_LEAST_ONCE -> builder.atLeastOnce();
      case AT_MOST_ONCE -> builder.atMostOnce();
      case RECONCILE -> builder.reconcile(new ProbeTool(probe == null ? "" : probe));
    }
  }

  /// Reports keys that exclude each other.
  static void check(AgentToml.Tool tool) {
    boolean reconciles = tool.delivery() == AgentToml.Delivery.RECONCILE;
    if (reconciles && !tool.at().has("probe")) {
      tool.at()
          .member("delivery")
          .bad(
              "is \"reconcile\", which needs 'probe', a tool that finds out what became of a call");
    } else if (!reconciles && tool.at().has("probe")) {
      tool.at().member("probe").bad("is for delivery = \"reconcile\"");
    } else if (reconciles && String.valueOf(tool.probe()).equals(tool.name())) {
      tool.at().member("probe").bad("names the tool itself");
    }
  }

  /// Reports errors in the tools that the file names as probes.
  ///
  /// @param tables of all tools
  /// @param tools those of the file, and the known ones made in Java
  /// @param others whether a tool of that name may be elsewhere
  /// @param unknown the severity of an unknown name, null if any may be made in Java
  static void checkProbes(
      Stream<Value> tables,
      List<Tool> tools,
      Predicate<String> others,
      @Nullable Severity unknown) {
    Map<String, Tool> byName =
        tools.stream().collect(Collectors.toMap(Tool::name, Function.identity()));
    tables
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

  private static void checkProbe(Value at, Tool probe) {
    if (probe.definition().mode() != ToolMode.READ) {
      at.bad(
          "names '%s', whose mode is %s: a probe only reads, state mode = \"read\" if it does"
              .formatted(probe.name(), probe.definition().mode().word()));
    } else if (probe.check(ProbeTool.arguments("0")) instanceof Checked.Refused) {
      at.bad(
          "names '%s', whose parameters do not take {\"key\": \"..\"}, which a probe is called with"
              .formatted(probe.name()));
    }
  }

  /// A tool of the agent as a probe. It is called with the idempotency key of a call, and answers
  /// `{"done": true, "result": ..}` or `{"done": false}`.
  private record ProbeTool(String tool) implements Delivery.Probe {
    static Json arguments(String key) {
      return Json.of(Codec.object().put("key", key));
    }

    @Override
    public Delivery.Found find(ToolHandler.Arguments arguments, ToolContext context) {
      ToolResult answer = context.tools().call(tool, arguments(context.idempotencyKey()));
      Json data = answer.data();
      if (!answer.success() || data == null) {
        return Delivery.Found.UNKNOWN;
      }
      JsonNode done = data.tree().path("done");
      if (!done.isBoolean()) {
        return Delivery.Found.UNKNOWN;
      }
      JsonNode result = data.tree().get("result");
      return done.booleanValue()
          ? Delivery.Found.done(result == null ? data : Json.of(result))
          : Delivery.Found.NOT_DONE;
    }
  }
}
