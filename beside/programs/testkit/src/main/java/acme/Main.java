package acme;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;

/// Tests a tool without its service.
final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    try (StubWebhook webhook = StubWebhook.start();
        GuardedHttp network = GuardedHttp.allowing(webhook.hostAndPort());
        ToolExecutor executor =
            ToolExecutor.builder()
                .time(new ManualTime())
                .tools(Tool.dynamic("order").network(network).webhook(URI.create(webhook.url())))
                .build()) {
      System.out.println(executor.execute(ToolCall.of("order", "{}")).code() == null);
      System.out.println(webhook.requests().size());
    }
  }
}
