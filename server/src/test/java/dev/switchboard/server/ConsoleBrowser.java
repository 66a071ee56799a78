package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/// The system's chromium, started once for all tests of the console. Each test gets windows of its
/// own, and fails where one of them wrote to the browser's console.
final class ConsoleBrowser implements BeforeAllCallback, AfterTestExecutionCallback {
  static final Path MODULES = Path.of("src/test/browser/node_modules").toAbsolutePath();

  private static final double PATIENCE_MS = 15_000;
  private static final String WATCH_POLICY =
      """
      addEventListener('securitypolicyviolation',
          event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI));
      """;

  private final List<BrowserContext> windows = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private final Map<String, String> loggedIn = new HashMap<>(); // a window's cookies by its token
  private Browser browser;
  private boolean keepsWindows;

  private record Started(Playwright playwright, Browser browser) implements AutoCloseable {
    @Override
    public void close() {
      playwright.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    browser =
        context
            .getRoot()
            .getStore(Namespace.create(ConsoleBrowser.class))
            .computeIfAbsent("browser", key -> start(), Started.class)
            .browser();
  }

  private static Started start() {
    assertThat(MODULES.resolve("package/cli.js"))
        .as("Playwright's driver: npm ci --prefix server/src/test/browser")
        .exists();
    System.setProperty("playwright.cli.dir", MODULES.toString());
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_NODEJS_PATH", program("node").toString())));
    return new Started(
        playwright,
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program("chromium"))
                    .setArgs(List.of("--no-sandbox"))));
  }

  private static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the program '" + name + "' is missing"));
  }

  /// A window in which no one has logged in.
  ConsolePage window(TestServer server) {
    return window(server, new Browser.NewContextOptions());
  }

  /// A window of the one whom that client's token belongs to, at the page of conversations.
  ConsolePage window(TestServer server, TestServer.Client client) {
    String known = loggedIn.get(client.token);
    if (known != null) {
      ConsolePage window = window(server, new Browser.NewContextOptions().setStorageState(known));
      window.go("/");
      return window.sees("h1", "Conversations");
    }
    ConsolePage window = window(server);
    window.logIn(client.token);
    loggedIn.put(client.token, window.page().context().storageState());
    return window;
  }

  private ConsolePage window(TestServer server, Browser.NewContextOptions options) {
    BrowserContext window = browser.newContext(options.setViewportSize(1280, 800));
    windows.add(window);
    window.addInitScript(WATCH_POLICY);
    Page page = window.newPage();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.text() + " (" + message.location() + ")");
      }
    });
    page.onPageError(complaints::add);
    return new ConsolePage(page, "http://127.0.0.1:" + server.server.port());
  }

  /// Has the test not fail by what has been written to the browser's console about that.
  ///
  /// A request may fail after the test has seen what it wanted to see.
  void expects(String words) {
    expected.add(words);
  }

  /// Keeps its windows open from one test of the class to the next.
  ConsoleBrowser keepingWindows() {
    keepsWindows = true;
    return this;
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (!keepsWindows) {
      windows.forEach(BrowserContext::close);
      windows.clear();
    }
    List<String> said =
        complaints.stream().filter(one -> expected.stream().noneMatch(one::contains)).toList();
    complaints.clear();
    expected.clear();
    assertThat(said).as("on the browser's console").isEmpty();
  }
}
