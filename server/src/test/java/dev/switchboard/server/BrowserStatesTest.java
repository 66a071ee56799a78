package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every page of the console in every state: axe finds no fault, in both themes and on a screen of
/// 360 pixels, and at 200 % zoom nothing is cut off, covered, or wider than the screen.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserStatesTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser().keepingWindows();

  private final FilledServer filled = new FilledServer();
  private ConsolePage page;

  /// A state of a page, by the name of the test.
  ///
  /// @param reach brings the console into it
  record State(String name, Consumer<ConsolePage> reach) {
    State then(Consumer<ConsolePage> more) {
      return new State(name, reach.andThen(more));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static State at(String name, String path, String... seen) {
    return state(
        name,
        page -> {
          page.visit(path);
          Stream.of(seen).forEach(page::sees);
        });
  }

  private static State state(String name, Consumer<ConsolePage> reach) {
    return new State(name, reach);
  }

  private static State at(String name, String path, String seen, Consumer<ConsolePage> more) {
    return state(
        name,
        page -> {
          page.visit(path);
          page.sees(seen);
          more.accept(page);
        });
  }

  /// A state that an answer of the server makes.
  private static State answered(
      String name, String addresses, Consumer<Route> answer, String path, String... seen) {
    return state(
        name,
        page -> {
          page.page().route(Pattern.compile(addresses), answer);
          page.visit(path);
          Stream.of(seen).forEach(page::sees);
        });
  }

  private static Consumer<Route> problem(int status) {
    return json(
        status, "{\"status\":" + status + ",\"detail\":\"It was refused.\",\"code\":\"refused\"}");
  }

  private static Consumer<Route> json(int status, String body) {
    return route ->
        route.fulfill(
            new Route.FulfillOptions()
                .setStatus(status)
                .setContentType("application/json")
                .setBody(body));
  }

  private static State call(String name, String tool, String seen) {
    return at(
        "a call: " + name,
        "/conversations/all",
        ".chips",
        page -> {
          page.find(".chip:has-text('" + tool + "')").first().click();
          page.sees(seen);
        });
  }

  private static void editWithFaults(ConsolePage page) {
    page.press("e");
    page.isAt(".editor input");
    page.press("Tab");
    page.type("x");
    page.press("Escape a");
    page.sees(".ask .fault", "/party: expected integer");
    page.sees(".diff .new");
  }

  static List<State> states() {
    return List.of(
        at("log in", "/login", "#token"),
        at(
            "log in, refused",
            "/login",
            "#token",
            page -> {
              page.type("wrong");
              page.press("Enter");
              page.sees(".trouble");
            }),
        at("conversations", "/", ".rows a"),
        at("conversations, filtered to none", "/?status=idle&principal=none", ".empty"),
        answered(
            "conversations, none",
            "/v1/conversations.",
            json(200, "{\"items\":[]}"),
            "/",
            ".empty"),
        answered("conversations, loading", "/v1/conversations.", route -> {}, "/", ".loading"),
        answered("conversations, unreachable", "/v1/conversations.", Route::abort, "/", ".trouble"),
        state(
            "the console, unreachable",
            page -> {
              page.page().route(Pattern.compile("/v1/me$"), Route::abort);
              page.go("/");
              page.sees(".boot .trouble");
            }),
        state(
            "conversations, reconnecting",
            page -> {
              page.page().route(Pattern.compile("/v1/events$"), Route::abort);
              page.go("/");
              page.sees(".rows a").sees(".fresh.broken", "Reconnecting, last event 1 s ago");
            }),
        at(
            "new conversation",
            "/",
            ".rows a",
            page -> {
              page.press("n");
              page.sees("dialog");
            }),
        answered(
                "new conversation, refused",
                "/v1/agents/Desk/conversations$",
                problem(429),
                "/",
                ".rows a")
            .then(page -> {
              page.press("n");
              page.sees("dialog").find("dialog .primary").click();
              page.sees("dialog .trouble");
            }),
        at("no page", "/nowhere", "h1", "main a"),
        at(
            "keys",
            "/",
            ".rows a",
            page -> {
              page.press("?");
              page.sees("dialog .keys");
            }),
        at("a conversation", "/conversations/all", ".transcript .chips"),
        at(
            "a conversation, its time line",
            "/conversations/all",
            ".switch",
            page -> page.find(".switch button").nth(1).click()),
        at(
            "a conversation, its tools",
            "/conversations/all",
            ".switch",
            page -> {
              page.find(".switch button").nth(2).click();
              page.sees(".offers p");
            }),
        call("with attempts", "get_flaky", ".details .error-words"),
        call("with faults of arguments", "book", ".details .fault"),
        call("refused by a rule", "update_menu", ".details strong"),
        call("with a change and undo", "update_light", ".details .diff .new"),
        call("with an undo that was done", "update_light", ".details .diff .new")
            .then(page -> {
              page.find("button:has-text('Undo this change')").click();
              page.sees(".details p .sign-word:has-text('Undone')");
            }),
        call("denied", "local_run", ".details .refused, .details .denied"),
        at(
            "a conversation, to be deleted",
            "/conversations/all",
            ".chips",
            page -> {
              page.find("button:has-text('Delete')").click();
              page.sees("dialog");
            }),
        at("a conversation, running", "/conversations/slow", ".working"),
        at("a conversation, empty", "/conversations/empty", "#say"),
        at("a conversation, unknown", "/conversations/none", ".trouble"),
        answered(
            "a conversation, loading",
            "/all/events",
            route -> {},
            "/conversations/all",
            ".loading"),
        answered(
            "a conversation, reconnecting",
            "/all/events.after=[0-9]+$",
            Route::abort,
            "/conversations/all",
            ".facts .fresh.broken"),
        at("a conversation, waiting", "/conversations/ask1", ".ask.open"),
        at(
            "a conversation, waiting, edited with faults",
            "/conversations/ask1",
            ".ask.open",
            page -> {
              page.press("w");
              editWithFaults(page);
            }),
        at(
            "a conversation, waiting, to be denied",
            "/conversations/ask1",
            ".ask.open",
            page -> {
              page.press("w d");
              page.isAt(".deny input");
            }),
        state(
            "a page that the role may not see",
            page -> {
              page.page()
                  .route(
                      Pattern.compile("/v1/me$"),
                      json(
                          200,
                          "{\"principal\":\"zoe\",\"roles\":[\"chat\"],\"permissions\":[\"own_conversations\"]}"));
              page.go("/tools");
              page.sees("main", "It needs another role");
              page.page().unrouteAll();
            }),
        at("approvals", "/approvals", ".ask.open .last-lines b"),
        at(
            "approvals, edited with faults",
            "/approvals",
            ".ask.open",
            BrowserStatesTest::editWithFaults),
        at(
            "approvals, to be denied",
            "/approvals",
            ".ask.open",
            page -> {
              page.press("d");
              page.isAt(".deny input");
            }),
        answered(
                "approvals, answered by another",
                "/v1/approvals/.+",
                json(
                    409,
                    """
                    {"status":409,"detail":"The request was approved by yan.","code":"already_answered",
                     "decision":"approve","by":"yan","at":"2026-01-01T00:00:00Z"}\
                    """),
                "/approvals",
                ".ask.open")
            .then(page -> {
              page.press("a");
              page.sees(".trouble").sees(".outcome");
            }),
        at("approvals, answered ones", "/approvals?status=answered", ".ask.closed"),
        answered(
            "approvals, none",
            "/v1/approvals.",
            json(200, "{\"items\":[]}"),
            "/approvals",
            ".empty"),
        at("tools", "/tools", ".breaker"),
        at("a tool with an open breaker", "/tools?tool=get_broken", ".breaker button"),
        at(
            "a tool, its schema",
            "/tools?tool=book",
            "summary",
            page -> page.find("summary").click()),
        at(
            "a tool, tried",
            "/tools?tool=get_flaky",
            ".editor",
            page -> {
              page.find(".card .primary").click();
              page.sees("section[aria-label=Result] .code");
            }),
        at(
            "a tool, tried with faults",
            "/tools?tool=book",
            ".editor",
            page -> {
              page.find(".card .primary").click();
              page.sees("section[aria-label=Result] .fault");
            }),
        at(
            "a tool that waits for approval",
            "/tools?tool=local_run",
            ".editor",
            page -> {
              page.find(".editor input").first().fill("Ada");
              page.find(".card .primary").click();
              page.sees(".card .waiting");
            }),
        answered(
            "tools of servers",
            "/v1/agents/Desk/sources$",
            json(
                200,
                """
                {"items": [
                  {"name": "files", "ready": true, "detail": "files 1.0, MCP 2026-07-28",
                   "tools": ["files__read", "files__write"]},
                  {"name": "tickets", "ready": false, "detail": "the connection was refused",
                   "tools": []}]}\
                """),
            "/tools",
            "main .card details summary",
            ".breaker"),
        answered(
            "tools, not allowed", "/v1/agents/Desk/tools$", problem(403), "/tools", ".trouble"),
        at(
            "memory",
            "/memory",
            "#block-value",
            page -> {
              page.find("summary").first().click();
              page.sees(".edits .diff .new");
            }),
        at(
            "memory, a block changed to too much",
            "/memory",
            "#block-value",
            page -> {
              page.find("#block-value").fill("too long ".repeat(20));
              page.sees("#block-room.fault").sees(".diff .new");
            }),
        answered(
                "memory, a change refused",
                "/v1/agents/Desk/blocks/guest/undo$",
                problem(409),
                "/memory",
                "#block-value")
            .then(page -> {
              page.find("button:has-text('Undo the last edit')").click();
              page.sees(".trouble");
            }),
        at("memory, found", "/memory?q=patio", ".hits li"),
        at("memory, nothing found", "/memory?q=zebra", "section[aria-label=Found] p"),
        answered(
            "memory, none",
            "/v1/agents/Desk/blocks$",
            json(200, "{\"items\":[]}"),
            "/memory",
            ".empty"));
  }

  @BeforeAll
  void open() {
    page = BROWSER.window(filled.server, filled.server.operator);
  }

  @AfterAll
  void stop() {
    filled.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void isWithoutFault(State state) {
    page.page().unrouteAll();
    if (page.find(".role:has-text('operate')").count() == 0) {
      page.go("/");
      page.sees(".top");
    }
    page.size(640, 400);
    page.theme(ColorScheme.LIGHT);
    state.reach.accept(page);
    assertThat(page.outOfReach()).as("at 200 % zoom of 1280 x 800").isEmpty();
    page.size(320, 400);
    assertThat(page.outOfReach()).as("at 200 % zoom of 640 x 800").isEmpty();
    page.size(360, 740);
    assertThat(page.faults()).as("360 px, light").isEmpty();
    page.theme(ColorScheme.DARK);
    assertThat(page.faultsOfColours()).as("360 px, dark").isEmpty();
    page.size(1280, 800);
    assertThat(page.faults()).as("1280 px, dark").isEmpty();
    page.theme(ColorScheme.LIGHT);
    assertThat(page.faultsOfColours()).as("1280 px, light").isEmpty();
    assertThat(page.outOfReach()).as("1280 px").isEmpty();
    page.press("Escape");
    BROWSER.expects("Failed to load resource"); // what states provoke
  }
}
