package dev.switchboard.bench;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.switchboard.bench.Shop.Order;
import dev.switchboard.bench.Shop.Receipt;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolMode;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.util.json.schema.JsonSchemaGenerator;

/// The same shop behind each runtime, set up as its manual says.
final class Contenders {
  static final String NAME = "order";

  private static final Shop SHOP = new Shop();

  private Contenders() {}

  /// An executor of the shop, each handler on a thread of its own.
  static ToolExecutor isolated() {
    return ToolExecutor.of(
        Tool.typed(NAME, Order.class)
            .returns(Receipt.class)
            .mode(ToolMode.READ)
            .handler(SHOP::order));
  }

  /// An executor of the shop, each handler on the caller's thread.
  static ToolExecutor inline() {
    return ToolExecutor.of(
        Tool.typed(NAME, Order.class)
            .returns(Receipt.class)
            .mode(ToolMode.READ)
            .inline()
            .handler(SHOP::order));
  }

  static DefaultToolExecutor langChain4j() {
    return DefaultToolExecutor.builder()
        .object(SHOP)
        .originalMethod(method())
        .methodToInvoke(method())
        .build();
  }

  static ToolExecutionRequest langChain4jRequest() {
    return ToolExecutionRequest.builder().id("1").name(NAME).arguments(Shop.ARGUMENTS).build();
  }

  static ToolCallback springFunction() {
    return FunctionToolCallback.<Order, Receipt>builder(NAME, order -> SHOP.order(order))
        .description(NAME)
        .inputType(Order.class)
        .build();
  }

  static ToolCallback springMethod() {
    return MethodToolCallback.builder()
        .toolDefinition(
            ToolDefinition.builder()
                .name(NAME)
                .description(NAME)
                .inputSchema(JsonSchemaGenerator.generateForMethodInput(method()))
                .build())
        .toolMethod(method())
        .toolObject(SHOP)
        .build();
  }

  private static Method method() {
    return Arrays.stream(Shop.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(NAME) && method.getParameterCount() == 5)
        .findFirst()
        .orElseThrow();
  }
}
