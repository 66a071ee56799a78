package acme;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.Tools;
import dev.switchboard.tool.ToolCall;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The tools of a class as a library offers and calls them.
interface Library {
  JsonMapper JSON = new JsonMapper();

  /// What a model is told of the tool's one parameter.
  JsonNode parameter(String tool);

  /// What the model reads of a call.
  ///
  /// @throws RuntimeException the library's own
  String call(String tool, String arguments);

  /// The version of that class's jar.
  static String version(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceAll(".*-(\\d+(\\.\\d+)+)\\.jar", "$1");
  }

  private static JsonNode only(JsonNode schema) {
    return schema.get("properties").iterator().next();
  }

  /// This library.
  record Switchboard(Object tools) implements Library {
    @Override
    public JsonNode parameter(String tool) {
      List<Tool> all = Tools.of(tools);
      Tool found = all.stream().filter(one -> one.name().equals(tool)).findFirst().orElseThrow();
      return only(found.definition().parameters().tree());
    }

    @Override
    public String call(String tool, String arguments) {
      return ToolExecutor.of(Tools.of(tools)).execute(ToolCall.of(tool, arguments)).text();
    }
  }

  /// LangChain4j.
  record LangChain4j(Object tools) implements Library {
    private Method method(String tool) {
      return Arrays.stream(tools.getClass().getMethods())
          .filter(one -> one.getName().equals(tool))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public JsonNode parameter(String tool) {
      ToolSpecification known = ToolSpecifications.toolSpecificationFrom(method(tool));
      return only(JSON.valueToTree(JsonSchemaElementUtils.toMap(known.parameters())));
    }

    @Override
    public String call(String tool, String arguments) {
      ToolExecutionRequest request =
          ToolExecutionRequest.builder().name(tool).arguments(arguments).build();
      return new DefaultToolExecutor(tools, method(tool)).execute(request, "memory");
    }
  }

  /// Spring AI.
  record SpringAi(Object tools) implements Library {
    private ToolCallback callback(String tool) {
      return Arrays.stream(ToolCallbacks.from(tools))
          .filter(one -> one.getToolDefinition().name().equals(tool))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public JsonNode parameter(String tool) {
      return only(JSON.readTree(callback(tool).getToolDefinition().inputSchema()));
    }

    @Override
    public String call(String tool, String arguments) {
      return callback(tool).call(arguments);
    }
  }
}
