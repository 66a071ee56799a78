package acme;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;

/// Tests an agent without a model.
final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    ScriptedModel model = new ScriptedModel().calls("order", "{}").says("Done.");
    try (StubWebhook webhook = StubWebhook.start();
        GuardedHttp network = GuardedHttp.allowing(webhook.hostAndPort());
        Agent agent =
            Agent.builder("Shop")
                .model(model)
                .time(new ManualTime())
                .tools(Tool.dynamic("order").network(network).webhook(URI.create(webhook.url())))
                .build()) {
      System.out.println(agent.conversation("c").say("Hello"));
      System.out.println(webhook.requests().size());
    }
  }
}
