package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/// Every host that there is.
class HostsTest {
  @Nested
  class AProgramThatCallsTheExecutor extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      return Switchboard.load(Path.of(agent))
          .execute(ToolCall.of(tool, arguments), ToolSession.of("c"))
          .json()
          .text();
    }
  }

  @Nested
  class AConversation extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      StringBuilder results = new StringBuilder();
      try (Agent host = Switchboard.agent(Path.of(agent));
          Conversation talk = host.conversation("c")) {
        Turn unused =
            talk.say(
                "Go",
                event -> {
                  if (event instanceof Event.ToolSettled) {
                    results.append(event.json());
                  }
                });
      }
      return results.toString();
    }
  }

  @Nested
  class Exec extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      return Cli.runWith(line(tool, arguments) + "\n", "exec", agent).out();
    }
  }

  @Nested
  class ToolCallCommand extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      Cli cli = Cli.run("tool", "call", agent, tool, arguments);
      return cli.out() + cli.err();
    }
  }

  @Nested
  class Chat extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      return Cli.run("chat", agent, "--json", "-m", "Go").out();
    }
  }
}
