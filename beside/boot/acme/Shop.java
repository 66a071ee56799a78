package acme;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// A Spring Boot application with a typed tool.
@SpringBootApplication
class Shop {
  record Order(String item, int count, LocalDate day) {}

  record Receipt(String text, List<String> lines) {}

  @Bean
  ToolExecutor tools() {
    return ToolExecutor.of(order());
  }

  static Tool order() {
    return Tool.typed("order", Order.class)
        .returns(Receipt.class)
        .mode(ToolMode.READ)
        .handler(order ->
            new Receipt(
                order.count() + " of " + order.item(), List.of(order.day().getDayOfWeek().name())));
  }

  @RestController
  record Desk(ToolExecutor tools) {
    /// The web interface of Spring, with the JSON of Boot, before the tool with the JSON of ours.
    @PostMapping("/order")
    Map<String, String> order(@RequestBody Map<String, Object> arguments) {
      ToolCall call = ToolCall.of("order", dev.switchboard.json.Json.of(arguments).text());
      return Map.of("answer", tools.execute(call).text());
    }
  }
}
