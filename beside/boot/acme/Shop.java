package acme;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

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

  @Bean
  Agent agent() {
    return Agent.builder("Shop").model(new Greeter()).build();
  }

  /// A model that says the same each time, in two pieces.
  static final class Greeter implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      stream.text("Good ");
      stream.text("day.");
      return ModelReply.text("Good day.");
    }
  }

  @RestController
  record Talk(Agent agent) {
    /// The events of a turn while it runs, as server-sent events.
    @PostMapping("/talk/{id}")
    SseEmitter talk(@PathVariable("id") String id, @RequestBody String words) {
      SseEmitter stream = new SseEmitter(0L);
      Thread.startVirtualThread(() -> {
        try {
          agent.conversation(id).say(words, event -> send(event, stream));
          stream.complete();
        } catch (RuntimeException e) {
          stream.completeWithError(e);
        }
      });
      return stream;
    }

    private static void send(Event event, SseEmitter stream) {
      try {
        stream.send(event.json().text());
      } catch (IOException | IllegalStateException e) {
        // The client is gone; the turn goes on.
      }
    }
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
