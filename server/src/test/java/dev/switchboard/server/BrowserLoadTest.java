package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A conversation of a thousand calls in the console stays usable: little of it is drawn, all of it
/// can be reached, and the page answers keys meanwhile.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
class BrowserLoadTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser();

  private static final int CALLS = 1_000;
  private static final int OF_A_ROUND = 50;
  private static final int OF_THE_FIRST_TURN = 800;
  private static final int OF_A_TURN = 10;
  private static final int MOST_ROWS = 300;
  private static final int MOST_ELEMENTS = 5_000;
  private static final Duration MOST_TO_OPEN = Duration.ofSeconds(20);
  // Of a few that a busy machine causes; ten keys that each drew a thousand rows would be more.
  private static final int MOST_LONG_TASKS = 8;

  private static final String WATCH_TASKS =
      """
      window.tasks = [];
      new PerformanceObserver(list => tasks.push(...list.getEntries())).observe({ type: 'longtask' });
      """;
  private static final String AWAY_FROM_THE_END =
      "(box => box.scrollHeight - box.scrollTop -"
          + " box.clientHeight)(document.querySelector('.said'))";
  private static final String LONG_TASKS = "tasks.splice(0).length";

  private final TestServer server =
      new TestServer(
          agent ->
              agent
                  .store(new InProcessConversations())
                  .limits(AgentLimits.DEFAULT.withIterations(50)),
          Tool.dynamic("get_table").handler(arguments -> "free"));

  @AfterEach
  void close() {
    server.close();
  }

  /// Scripts a turn of so many calls, in rounds.
  private void script(int from, int calls) {
    for (int n = from; n < from + calls; n++) {
      if ((n - from) % OF_A_ROUND > 0) {
        server.model.and();
      }
      server.model.calls("get_table", "{\"guest\":\"Guest " + n + "\"}");
    }
    server.model.says("All of them are free.");
  }

  private ConsolePage filled() {
    server.operator.post("/v1/agents/Desk/conversations", "{\"id\":\"long\"}");
    script(0, OF_THE_FIRST_TURN);
    server.operator.say("long", "Look up all tables");
    for (int n = OF_THE_FIRST_TURN; n < CALLS; n += OF_A_TURN) {
      script(n, OF_A_TURN);
      server.operator.say("long", "And these?");
    }
    return BROWSER.window(server, server.operator);
  }

  private static int number(ConsolePage page, String script) {
    return ((Number) page.page().evaluate(script)).intValue();
  }

  private static void drawsLittle(ConsolePage page) {
    assertThat(number(page, "document.querySelectorAll('.call-row').length"))
        .isBetween(100, MOST_ROWS);
    assertThat(number(page, "document.querySelectorAll('*').length")).isLessThan(MOST_ELEMENTS);
  }

  @Test
  void aThousandCallsStayUsable() {
    ConsolePage page = filled();
    page.go("/?status=idle");
    page.sees(".rows a", "1000 calls");
    long begun = System.nanoTime();
    page.press("j Enter");
    page.sees(".timeline .call-row", "Guest ").sees(".offers li", "get_table");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(MOST_TO_OPEN);
    drawsLittle(page);
    assertThat(number(page, AWAY_FROM_THE_END)).isLessThan(5);

    page.page().evaluate(WATCH_TASKS);
    page.press("k k k j k Enter");
    page.isAt(".lanes .lane:last-child li:nth-last-child(3) .call-row").sees(".details");
    page.press("Escape j");
    page.isAt(".lanes .lane:last-child li:nth-last-child(2) .call-row").misses(".details");
    assertThat(number(page, LONG_TASKS)).isLessThan(MOST_LONG_TASKS);

    script(CALLS, OF_THE_FIRST_TURN);
    page.press("m =More Enter Escape k");
    assertThat(page.find(".lane:last-child header")).containsText("800 calls");
    page.sees(".heading .sign-word.idle");
    assertThat(page.find("*:focus")).hasClass(Pattern.compile("call-row|fold"));
    drawsLittle(page);

    page.visit("/conversations/long");
    page.sees(".lanes .fold", "1600 earlier calls");
    page.press("j");
    page.isAt(".lanes .fold");
    page.press("Enter");
    page.sees(".lanes .fold", "1300 earlier calls").isAt(".lanes .fold");
    page.visit("/conversations/long#call_1_1_1");
    page.sees(".call-row[aria-expanded=true]", "Guest 0").sees(".details .code", "Guest 0");
  }
}
