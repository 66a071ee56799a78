package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The console in a browser: by keyboard alone, in both themes, on a screen of 360 pixels, without
/// an error on the browser's console and without a fault that axe finds.
@Tag("browser")
class BrowserTest {
  private static final Path MODULES = Path.of("src/test/browser/node_modules").toAbsolutePath();
  private static final String AXE =
      """
      ;axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
        .then(found => found.violations.map(one => one.id + ' at ' + one.nodes[0].target).join('\\n'))
      """;

  private static Playwright playwright;
  private static Browser browser;
  private static String axe;

  private final CountDownLatch slow = new CountDownLatch(1);
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final TestServer server =
      new TestServer(
          tool("get_time", () -> "noon"),
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
              }));

  private interface Deed {
    String run() throws InterruptedException;
  }

  private Tool tool(String name, Deed deed) {
    return Tool.dynamic(
            name,
            """
            {"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}\
            """)
        .retry(RetryPolicy.NONE)
        .handler(arguments -> {
          ran.add(name + arguments.text());
          return deed.run();
        });
  }

  @BeforeAll
  static void start() throws IOException {
    assertThat(MODULES.resolve("package/cli.js"))
        .as("Playwright's driver: npm ci --prefix server/src/test/browser")
        .exists();
    axe = Files.readString(MODULES.resolve("axe-core/axe.min.js"));
    System.setProperty("playwright.cli.dir", MODULES.toString());
    Map<String, String> settings = Map.of("PLAYWRIGHT_NODEJS_PATH", program("node").toString());
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(settings));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program("chromium"))
                    .setArgs(List.of("--no-sandbox")));
  }

  private static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the program '" + name + "' is missing"));
  }

  @AfterAll
  static void stop() {
    if (playwright != null) {
      playwright.close();
    }
  }

  @AfterEach
  void close() {
    slow.countDown();
    server.close();
    assertThat(complaints).as("on the browser's console").isEmpty();
  }

  private Page page(ColorScheme scheme, int width) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setColorScheme(scheme).setViewportSize(width, 800));
    Page page = context.newPage();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.text());
      }
    });
    page.onPageError(complaints::add);
    page.navigate(address("/login"));
    assertThat(page.locator("#token")).isFocused();
    page.keyboard().type(server.operator.token);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Conversations");
    return page;
  }

  private String address(String path) {
    return "http://127.0.0.1:" + server.server.port() + path;
  }

  private static void press(Page page, String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  private void begin(Page page, String text) {
    press(page, "n");
    assertThat(page.locator("dialog")).isVisible();
    press(page, "Tab");
    page.keyboard().type(text);
    press(page, "Tab", "Tab", "Enter");
    assertThat(page.locator(".transcript")).containsText(text);
  }

  @Test
  void aCallIsApprovedWithAnEditAndAnotherDeniedByKeyboardAlone() {
    server.model.calls("local_run", "{\"n\":1}").says("It ran.");
    server.model.calls("local_run", "{\"n\":2}").says("It did not.");
    Page page = page(ColorScheme.LIGHT, 1280);
    begin(page, "Run it");
    Locator asked = page.locator(".ask.open");
    assertThat(asked).containsText("local");

    press(page, "w", "e");
    assertThat(page.locator(".editor input")).isFocused();
    press(page, "Control+a");
    page.keyboard().type("x");
    press(page, "Escape", "a");
    assertThat(page.locator(".ask .fault").first()).containsText("/n: expected integer");
    complaints.removeIf(said -> said.contains("status of 400"));
    press(page, "Control+a");
    page.keyboard().type("7");
    press(page, "Escape");
    assertThat(asked.locator(".diff .new")).containsText("\"n\": 7");
    press(page, "a");
    assertThat(page.locator(".transcript")).containsText("It ran.");
    assertThat(ran).containsExactly("local_run{\"n\":7}");

    press(page, "m");
    page.keyboard().type("And again");
    press(page, "Enter");
    assertThat(asked).isVisible();
    page.locator("h1").focus();
    press(page, "w", "d");
    assertThat(page.locator(".deny input")).isFocused();
    page.keyboard().type("not today");
    press(page, "Enter");
    assertThat(page.locator(".transcript")).containsText("It did not.");
    assertThat(ran).hasSize(1);
    page.locator("h1").focus();
    press(page, "k", "Enter");
    assertThat(page.locator(".details")).containsText("not today");
  }

  @Test
  void aPageLoadedAgainInMidTurnGoesOnWithIt() {
    server.model.says("I am ").and().calls("read_slowly", "{}").says("There it is.");
    Page page = page(ColorScheme.DARK, 1280);
    begin(page, "Read it");
    assertThat(page.locator(".call-row")).containsText("running");

    page.reload();
    assertThat(page.locator(".call-row")).containsText("running");
    slow.countDown();

    assertThat(page.locator(".transcript")).containsText("There it is.");
    assertThat(page.locator(".heading .sign-word")).hasText("Idle");
    assertThat(page.locator(".call-row .sign-word.ok")).hasCount(1);
  }

  @Test
  void anOpenBreakerIsShownAndClosed() {
    Page page = page(ColorScheme.LIGHT, 1280);
    for (int n = 0; n < 5; n++) {
      String body = "{\"arguments\":{\"n\":" + n + "}}";
      TestServer.Answer answer =
          server.operator.post("/v1/agents/Desk/tools/get_broken/calls", body);
      assertThat(answer.text()).contains("\"code\":\"failed\"");
    }
    press(page, "g", "t");
    assertThat(page.locator(".master")).isVisible();
    press(page, "j", "j", "j");
    assertThat(page.locator(".breaker")).containsText("Breaker open: calls are turned away for");
    page.locator(".breaker button").focus();
    press(page, "Enter");
    assertThat(page.locator(".breaker")).containsText("Breaker closed");
    assertThat(page.locator(".breaker")).isFocused();
  }

  @Test
  void pagesAreWithoutFaultInBothThemesAndOnSmallScreens() {
    server.model.calls("get_time", "{}").calls("get_time", "{\"n\":\"x\"}");
    server.model.calls("local_run", "{\"n\":1}");
    begin(page(ColorScheme.LIGHT, 1280), "What time is it?");
    String id =
        server.operator.get("/v1/conversations").json().path("items").path(0).path("id").asString();
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 360)) {
        Page page = page(scheme, width);
        check(page, "/", ".rows");
        check(page, "/?status=running", ".empty");
        check(page, "/conversations/" + id, ".ask.open");
        check(page, "/conversations/" + id + "#call_1_1_1", ".details, .transcript");
        check(page, "/approvals", ".ask.open");
        check(page, "/approvals?status=answered", ".empty");
        check(page, "/tools", ".master");
        check(page, "/memory", ".empty");
        page.context().close();
      }
    }
  }

  private void check(Page page, String path, String shown) {
    page.navigate(address(path));
    assertThat(page.locator(shown).first()).isVisible();
    JsonObject request = new JsonObject();
    request.addProperty("expression", axe + AXE);
    request.addProperty("awaitPromise", true);
    request.addProperty("returnByValue", true);
    JsonObject found =
        page.context()
            .newCDPSession(page)
            .send("Runtime.evaluate", request)
            .getAsJsonObject("result");
    assertThat(found.get("value").getAsString()).as("what axe finds at " + path).isEmpty();
    assertThat(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        .as("what is wider than the screen at " + path)
        .isEqualTo(0);
  }
}
