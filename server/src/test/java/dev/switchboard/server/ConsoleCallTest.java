package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Permission;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/// A call from the console, by keyboard alone, to a socket that answers by rote.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
class ConsoleCallTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser();

  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()),
          settings ->
              settings
                  .mount(
                      new Mount.Socket(
                          "/call", Mount.Check.server(Permission.TALK), new Answering()))
                  .calls(Map.of("Desk", "/call?agent=Desk")));

  /// Greets, repeats what is said, and ends the call at a key.
  private static final class Answering implements Mount.Acceptor {
    @Override
    public Mount.@Nullable Refusal refusal(Mount.Request request) {
      return null;
    }

    @Override
    public Mount.Listener open(Mount.Request request, Mount.Channel channel) {
      say(channel, "Desk, ", false);
      say(channel, "good day!", true);
      return new Mount.Listener() {
        @Override
        public void message(String text) {
          JsonNode message = Json.text(text).tree();
          if (message.path("type").asString("").equals("dtmf")) {
            say(channel, "You pressed " + message.path("digit").asString("") + ".", true);
            var unused = channel.send("{\"type\":\"end\",\"reason\":\"end_call\"}");
            channel.close(1000, "");
          } else {
            say(channel, "You said: " + message.path("voicePrompt").asString(""), true);
          }
        }

        @Override
        public void closed(int code) {}
      };
    }

    private static void say(Mount.Channel channel, String words, boolean last) {
      var unused =
          channel.send(
              "{\"type\":\"text\",\"token\":%s,\"last\":%b,\"interruptible\":true}"
                  .formatted(Json.of(words).text(), last));
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anAgentIsCalledAndHangsUp() {
    ConsolePage page = BROWSER.window(server, server.zoe);
    page.tabTo(".heading button:not(.primary)");
    page.press("Enter");
    page.sees("dialog .call-lines", "Desk, good day!").isAt("#call-text");
    page.type("<b>Hello</b>");
    page.press("Enter");
    page.sees(".call-lines", "You said: <b>Hello</b>");
    page.tabTo(".keypad button >> nth=6");
    page.press("Enter");

    page.sees(".call-lines", "You pressed 7.")
        .sees("dialog .facts", "The agent has ended the call");
    assertThat(page.find(".call-lines li")).hasCount(5);
    page.press("Escape");
    page.misses("dialog");
  }
}
