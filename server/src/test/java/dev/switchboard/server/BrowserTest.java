package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/// What people do in the console, by keyboard alone: no test here clicks, or sets the focus other
/// than by a key.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
class BrowserTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser();

  private final CountDownLatch slow = new CountDownLatch(1);
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final TestServer server =
      new TestServer(
          tool("local_run", () -> "done"),
          tool(
              "read_slowly",
              () -> {
                slow.await();
                return "read";
              }),
          tool(
              "get_broken",
              () -> {
                throw new IllegalStateException("It is broken.");
              }),
          Tool.dynamic("local_call", "{\"type\":\"object\"}")
              .retry(RetryPolicy.DEFAULT.withPauses(Duration.ofMillis(1), Duration.ofMillis(1)))
              .handler(arguments -> {
                throw new IllegalStateException("Nobody answers " + arguments.text());
              }));

  private interface Deed {
    String run() throws InterruptedException;
  }

  private Tool tool(String name, Deed deed) {
    return TestServer.tool(name)
        .retry(RetryPolicy.NONE)
        .timeout(Duration.ofMinutes(1))
        .handler(arguments -> {
          ran.add(name + arguments.text());
          return deed.run();
        });
  }

  @AfterEach
  void close() {
    slow.countDown();
    server.close();
  }

  private ConsolePage window() {
    return BROWSER.window(server, server.operator);
  }

  @Test
  void aToolIsWatchedWhileItRuns() {
    server.model.says("I am ").and().calls("read_slowly", "{}").says("There it is.");
    ConsolePage page = window();
    page.begin("Read it");
    page.sees(".call-row", "running").sees(".call-row .running").sees(".working");
    page.page().evaluate("window.never = 'loaded again'");

    slow.countDown();

    page.sees(".call-row .ok").sees(".transcript", "There it is.").misses(".working");
    assertThat(page.find(".heading .sign-word")).hasText("Idle");
    assertThat(page.page().evaluate("window.never")).isEqualTo("loaded again");
    page.press("Escape j Enter");
    page.sees(".details", "What the model read").isAt(".call-row");
    page.press("Escape");
    page.misses(".details").isAt(".call-row");
  }

  @Test
  void aCallIsApprovedWithAnEditAndAnotherDenied() {
    server.model.calls("local_run", "{\"n\":1}").says("It ran.");
    server.model.calls("local_run", "{\"n\":2}").says("It did not.");
    ConsolePage page = window();
    page.begin("Run it");
    page.sees(".ask.open", "local");

    page.press("w e");
    page.isAt(".editor input");
    page.press("Control+a");
    page.type("x");
    page.press("Escape a");
    page.sees(".ask .fault", "/n: expected integer").isAt(".editor input");
    BROWSER.expects("status of 400");
    page.press("Control+a");
    page.type("7");
    page.press("Escape");
    page.sees(".ask.open .diff .new", "\"n\": 7");
    page.press("a");
    page.sees(".transcript", "It ran.");
    assertThat(ran).containsExactly("local_run{\"n\":7}");

    page.press("m");
    page.isAt("#say");
    page.type("And again");
    page.press("Enter");
    page.sees(".ask.open");
    page.press("Escape w d");
    page.isAt(".deny input");
    page.type("not today");
    page.press("Enter");
    page.sees(".transcript", "It did not.").misses(".ask.open");
    assertThat(ran).hasSize(1);
    page.press("k Enter");
    page.sees(".details", "not today");
  }

  @Test
  void aCallThatFailsTellsWhatRanAndEachAttempt() {
    server.model.calls("local_call", "{\"name\":\"Ada\"}").says("It failed.");
    ConsolePage page = window();
    page.begin("Call");
    page.sees(".ask.open").sees(".heading button", "Deny all pending");
    page.press("w e");
    page.isAt(".editor input");
    page.press("Control+a =Zoe Escape a");
    page.sees(".transcript", "It failed.");

    page.press("j Enter");
    page.sees(".call-row", "Zoe").sees(".chip", "Zoe");
    assertThat(page.find(".course li:has(.attempt)"))
        .containsText(new String[] {"attempt 1 failed", "attempt 2 failed", "attempt 3 failed"});
    page.sees(".course .error-words", "internal error");
  }

  @Test
  void aPageLoadedAgainInMidTurnGoesOnWithIt() {
    server.model.says("I am ").and().calls("read_slowly", "{}").says("There it is.");
    ConsolePage page = window();
    page.theme(ColorScheme.DARK);
    page.begin("Read it");
    page.sees(".call-row", "running");

    page.press("F5");
    page.sees(".call-row", "running");
    slow.countDown();

    page.sees(".transcript", "There it is.");
    assertThat(page.find(".said-by.text .words")).hasText(new String[] {"I am", "There it is."});
    assertThat(page.find(".heading .sign-word")).hasText("Idle");
    assertThat(page.find(".call-row .sign-word.ok")).hasCount(1);
  }

  @Test
  void aBreakerThatOpensIsSeenOnAnOpenPageAndClosed() {
    ConsolePage page = window();
    page.press("g t");
    page.sees(".master");
    page.press("j j");
    page.sees(".breaker", "Breaker closed").isAt(".master nav [aria-current]");

    breakIt();

    page.sees(".breaker", "Breaker open: calls are turned away for");
    page.sees(".master nav [aria-current]", "breaker open");
    page.isAt(".master nav [aria-current]");
    page.tabTo(".breaker button");
    page.press("Enter");
    page.sees(".breaker", "Breaker closed").isAt(".breaker");
  }

  @Test
  void aBreakerThatATurnOpensIsSeenInItsConversation() {
    for (int n = 0; n < 5; n++) {
      server.model.calls("get_broken", "{\"n\":" + n + "}");
    }
    server.model.says("It is broken.");
    ConsolePage page = window();
    page.begin("Try it five times");

    page.sees(".transcript", "It is broken.");
    assertThat(page.find(".call-row .sign-word.failed")).hasCount(5);
    page.sees(".offers p", "circuit breaker is open");
  }

  private void breakIt() {
    for (int n = 0; n < 5; n++) {
      TestServer.Answer answer =
          server.operator.post(
              "/v1/agents/Desk/tools/get_broken/calls", "{\"arguments\":{\"n\":" + n + "}}");
      assertThat(answer.text()).contains("\"code\":\"failed\"");
    }
  }
}
