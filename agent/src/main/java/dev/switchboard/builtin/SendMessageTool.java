package dev.switchboard.builtin;

import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool `send_message`: it sends a message to a user, an agent, a group or a channel, and ends
/// the turn.
final class SendMessageTool {
  private static final Map<String, String> TYPES =
      Map.of(
          "user", "the user of this conversation",
          "agent", "another agent",
          "group", "a group",
          "channel", "a channel");
  private static final int NAMES_SHOWN = 50;

  private SendMessageTool() {}

  /// @param targets that exist; null if they are not known
  static Tool tool(@Nullable List<Target> targets) {
    List<String> types =
        Stream.of("user", "agent", "group", "channel")
            .filter(type ->
                targets == null || targets.stream().anyMatch(target -> target.type().equals(type)))
            .toList();
    return Tool.dynamic("send_message", parameters(types, which(targets)))
        .description(
            "Send a message to %s. Calling it ends the turn."
                .formatted(types.stream().map(TYPES::get).collect(Collectors.joining(" or "))))
        .usageRule("Calling it ends the turn, once the message is delivered.")
        .mode(ToolMode.EXTERNAL)
        .retry(RetryPolicy.NONE)
        .parallel(false)
        .rules(new RuleType.ExitLoop())
        .answeredBy(new Handler());
  }

  private static String parameters(List<String> types, String which) {
    return """
    {"type":"object","additionalProperties":false,"required":["target","content"],"properties":{
      "target":{"type":"object","additionalProperties":false,"required":["type"],"properties":{
        "type":{"enum":%s},
        "id":{"type":"string","description":%s}}},
      "content":{"type":"string","minLength":1},
      "kind":{"type":"string"},
      "metadata":{"type":"object"}}}\
    """
        .formatted(Json.of(types), Json.of(which));
  }

  private static final class Handler implements ToolHandler {
    @Override
    public void check(Arguments arguments) {
      JsonNode in = arguments.json().tree();
      JsonNode target = in.path("target");
      if (in.path("content").asString("").isBlank()) {
        throw ToolException.invalidArgument("content", "The message is blank.");
      }
      if (!target.path("type").asString("").equals("user")
          && target.path("id").asString("").isEmpty()) {
        throw ToolException.invalid(
            "/target/id",
            "The target needs an 'id' that names the " + target.path("type").asString("") + ".");
      }
    }

    @Override
    public Object handle(Arguments arguments, ToolContext context) {
      return send(arguments.json().tree(), context);
    }
  }

  /// The description of a target's id.
  private static String which(@Nullable List<Target> targets) {
    List<String> named =
        targets == null
            ? List.of()
            : targets.stream()
                .filter(target -> !target.id().isEmpty())
                .limit(NAMES_SHOWN)
                .map(target -> target.type() + " '" + target.id() + "'")
                .toList();
    return "Which one"
        + (named.isEmpty() ? "" : ": " + String.join(", ", named))
        + "; leave it out for the user of this conversation";
  }

  private static Json send(JsonNode in, ToolContext context) {
    Letter letter = letter(in, context);
    Target target = letter.target();
    if (!context.services().router().knows(target)) {
      throw ToolException.invalid(
          "/target/id", "There is no %s '%s'.".formatted(target.type(), target.id()));
    }
    Delivery delivery = delivered(letter, context.services().router());
    if (delivery.delivered() == 0) {
      throw ToolException.permanent("The message was not delivered: " + delivery.problem() + ".");
    }
    ObjectNode out =
        Codec.object().put("message_id", letter.id()).put("delivered", delivery.delivered());
    if (delivery.failed() > 0) {
      out.put("failed", delivery.failed()).put("problem", delivery.problem());
    }
    return Json.of(out);
  }

  private static Letter letter(JsonNode in, ToolContext context) {
    JsonNode to = in.path("target");
    Target target = new Target(to.path("type").asString(), to.path("id").asString(""));
    Letter letter = Letter.of(context, target, in.path("content").asString());
    if (in.has("kind")) {
      letter = letter.withKind(in.path("kind").asString());
    }
    return in.has("metadata") ? letter.withMetadata(Json.of(in.path("metadata"))) : letter;
  }

  private static Delivery delivered(Letter letter, MessageRouter router) {
    try {
      return router.send(letter);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Delivery.failed("it was cancelled");
    } catch (ToolException e) {
      if (e.code() == ResultCode.INVALID_ARGUMENTS) {
        throw e;
      }
      return Delivery.failed("internal error (" + e.getClass().getSimpleName() + ")");
    } catch (Exception e) {
      return Delivery.failed("internal error (" + e.getClass().getSimpleName() + ")");
    }
  }
}
