package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tool by which a model gives a structured reply if its provider has no other means. It exists
/// only in this request: no one runs it, and in the history its arguments are the text of the
/// reply.
///
/// @param name that no other tool of the request has; null if the model has to call another first
/// @param request with the tool in it
record FinalTool(@Nullable String name, ModelRequest request) {
  private static final String NAME = "final_reply";
  private static final String DESCRIPTION =
      "Gives the reply to the user, and ends your turn. Call it when nothing is left to be done; a"
          + " reply in words is not taken.";

  /// The tool for that request, null if the model needs none.
  static @Nullable FinalTool of(ModelRequest request, ChatModel model) {
    ModelRequest.ReplyFormat format = request.format();
    if (format == null || model.makes(format)) {
      return null;
    }
    String name = NAME;
    while (isTaken(name, request.declared())) {
      name += "_";
    }
    ToolDefinition tool =
        new ToolDefinition(
            name, DESCRIPTION, format.schema(), false, ToolMode.READ, null, null, List.of(), null);
    // The model knows it also in a round in which it has to call another one.
    ModelRequest known =
        request.declaring(with(request.declared(), tool), request.cacheKey()).withFormat(null);
    return request.choice() == ToolChoice.REQUIRED
        ? new FinalTool(null, known)
        : new FinalTool(name, known.withTools(with(request.tools(), tool), ToolChoice.REQUIRED));
  }

  private static List<ToolDefinition> with(List<ToolDefinition> tools, ToolDefinition more) {
    List<ToolDefinition> all = new ArrayList<>(tools);
    all.add(more);
    return all;
  }

  private static boolean isTaken(String name, List<ToolDefinition> tools) {
    return tools.stream().anyMatch(tool -> tool.name().equals(name));
  }

  /// The reply, with the tool's arguments as its text if the tool is called; other calls stay.
  ModelReply read(ModelReply given) {
    List<RequestedCall> others = new ArrayList<>();
    String words = null;
    for (RequestedCall call : given.calls()) {
      if (!call.name().equals(name)) {
        others.add(call);
      } else if (words == null) {
        String arguments = call.arguments().text();
        words = arguments.isBlank() ? "{}" : arguments;
      }
    }
    if (words == null) {
      return given;
    }
    boolean ended = others.isEmpty() && given.finish() == ModelReply.FinishReason.TOOL_CALLS;
    ModelReply.FinishReason finish = ended ? ModelReply.FinishReason.STOP : given.finish();
    ModelReply plain = given.withCalls(others);
    return new ModelReply(words, plain.calls(), finish, given.usage(), plain.items());
  }
}
