package dev.switchboard.cli.chat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The output of chat commands, in lines.
final class Listing {
  private static final int WIDTH = 200;
  private static final int DESCRIPTION = 100;

  private Listing() {}

  /// The blocks of the agent's memory, with their text.
  static List<String> memory(Agent agent) {
    List<Memory.View> blocks = agent.memory().blocks();
    if (blocks.isEmpty()) {
      return List.of("The agent has no blocks of memory.");
    }
    return blocks.stream().flatMap(Listing::block).toList();
  }

  private static Stream<String> block(Memory.View view) {
    Block block = view.block();
    String facts =
        "%s (%s%s, %s, %d of %d characters)"
            .formatted(
                block.label(),
                block.kind().word(),
                block.inPrompt() ? "" : ", not in the prompt",
                view.permission().word(),
                block.length(),
                block.charLimit());
    return Stream.concat(Stream.of(facts), block.value().lines().map(line -> "  " + line));
  }

  static List<String> tools(Agent agent, Conversation conversation) {
    List<ToolDefinition> tools = agent.executor().definitions();
    if (tools.isEmpty()) {
      return List.of("The agent has no tools.");
    }
    Set<String> offered =
        conversation.offer().tools().stream().map(ToolDefinition::name).collect(Collectors.toSet());
    int width = tools.stream().mapToInt(tool -> tool.name().length()).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (ToolDefinition tool : tools) {
      lines.add(
          "%-8s %s  %-8s  %s"
              .formatted(
                  offered.contains(tool.name()) ? "offered" : "not now",
                  tool.name() + " ".repeat(width - tool.name().length()),
                  tool.mode().word(),
                  Shown.cut(tool.description(), DESCRIPTION))
              .stripTrailing());
    }
    return lines;
  }

  static List<String> rules(Agent agent) {
    String text = agent.executor().rulesText();
    return text.isEmpty() ? List.of("The agent has no rules.") : text.lines().toList();
  }

  static List<String> history(Conversation conversation) {
    List<Message> messages = conversation.history();
    return messages.isEmpty()
        ? List.of("Nothing was said yet.")
        : messages.stream().flatMap(message -> lines(message).stream()).toList();
  }

  private static List<String> lines(Message message) {
    return switch (message) {
      case Message.System(String text) -> List.of(line("system", text));
      case Message.User user -> List.of(line("user", user.shown()));
      case Message.Notice(String text) -> List.of(line("notice", text));
      case Message.Result(String id, String tool, String text, boolean success) ->
          List.of(line("result", tool + " " + text));
      case Message.Assistant(String text, List<RequestedCall> calls, var items) -> {
        List<String> lines = new ArrayList<>();
        if (!text.isEmpty()) {
          lines.add(line("agent", text));
        }
        calls.forEach(call -> lines.add(line("call", call.name() + " " + call.arguments().text())));
        yield lines;
      }
    };
  }

  private static String line(String who, String text) {
    return "%-6s  %s".formatted(who, Shown.cut(text, WIDTH));
  }
}
