package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/// The keys of the console: `?` lists those that do something, and no others.
@Isolated("browsers need the processors")
@ResourceLock("browser") // Playwright is for one thread at a time
@Tag("browser")
class BrowserKeysTest {
  @RegisterExtension static final ConsoleBrowser BROWSER = new ConsoleBrowser();

  private static final List<Key> OF_EVERY_PAGE =
      List.of(
          shows("g a", "h1:has-text('Approvals')"),
          shows("g t", "h1:has-text('Tools')"),
          shows("g m", "h1:has-text('Memory')"),
          shows("g c", "h1:has-text('Conversations')"),
          shows("?", "dialog .keys"),
          new Key("Escape", "/ Escape", "body", true));
  private static final String NAMES =
      "all => all.map(one => [...one.children].map(key => key.textContent).join(' '))";
  private static final String HANDLED =
      """
      listed => {
        const names = ['Enter', 'Escape', 'Tab', ' ', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown',
          'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Insert', 'F2', 'F6'];
        for (let code = 33; code < 127; code++) {
          names.push(String.fromCharCode(code));
        }
        const prefixes = new Set(listed.filter(key => key.includes(' ')).map(key => key.split(' ')[0]));
        const press = key => !document.body.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        const found = names.filter(key => !listed.includes(key) && !prefixes.has(key) && press(key));
        for (const prefix of prefixes) {
          for (const key of names.filter(key => !listed.includes(prefix + ' ' + key))) {
            press(prefix);
            press(key) && found.push(prefix + ' ' + key);
          }
        }
        return found;
      }
      """;

  private final TestServer server =
      new TestServer(
          agent ->
              agent
                  .store(new InProcessConversations())
                  .memory(new InProcessMemory())
                  .blocks(List.of(block("guest"), block("house"))),
          TestServer.tool("local_run").handler(arguments -> "done"),
          TestServer.tool("get_time").handler(arguments -> "done"));

  /// A key that is listed, and what it does.
  ///
  /// @param pressed the keys that show it, one after the other; `=` stands before what is typed
  /// @param focused whether what it leads to has the focus, and is not only seen
  private record Key(String name, String pressed, String leadsTo, boolean focused) {
    void check(ConsolePage page) {
      page.press(pressed);
      if (focused) {
        page.isAt(leadsTo);
      } else {
        page.sees(leadsTo);
      }
    }
  }

  private static Key shows(String key, String selector) {
    return new Key(key, key, selector, false);
  }

  private static Key goesTo(String key, String selector) {
    return new Key(key, key, selector, true);
  }

  private static Block block(String label) {
    return Block.of("Desk", label, Block.Kind.WORKING);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void ask(String id) {
    String body = "{\"id\":\"" + id + "\",\"text\":\"Run it\"}";
    assertThat(server.operator.post("/v1/agents/Desk/conversations", body).status()).isEqualTo(201);
  }

  @Test
  void theListNamesTheKeysThatWorkAndNoOthers() {
    server.model.calls("local_run", "{\"n\":1}").and().calls("local_run", "{\"n\":2}");
    ask("one");
    server.model.awaitRequests(1);
    server.model.calls("local_run", "{\"n\":1}").says("Hello.").says("Done.");
    ask("two");
    ConsolePage page = BROWSER.window(server, server.operator);
    page.sees(".badge", "3");
    OF_EVERY_PAGE.forEach(key -> {
      page.visit("/");
      page.sees(".rows a");
      key.check(page);
      page.press("Escape");
    });
    check(
        page,
        "/",
        "?",
        ".rows a",
        List.of(
            goesTo("j", ".rows a"),
            goesTo("k", ".rows a"),
            goesTo("/", ".filters select"),
            shows("n", "dialog")));
    String chosen = ".master nav [aria-current]";
    check(page, "/tools", "?", chosen, List.of(goesTo("j", chosen), goesTo("k", chosen)));
    check(
        page,
        "/memory",
        "?",
        chosen,
        List.of(goesTo("j", chosen), goesTo("k", chosen), goesTo("/", "#memory-search")));
    check(
        page,
        "/approvals",
        "?",
        ".ask.open",
        List.of(
            goesTo("j", ".inbox .open .ask-row"),
            goesTo("k", ".inbox .open .ask-row"),
            goesTo("d", ".deny input"),
            goesTo("e", ".editor input"),
            new Key("a", "j j a", ".outcome", false)));
    check(
        page,
        "/conversations/one",
        "w ?",
        ".call-row",
        List.of(
            goesTo("m", "#say"),
            goesTo("j", ".call-row"),
            goesTo("k", ".lanes li:last-child .call-row"),
            goesTo("w", ".ask.open"),
            new Key("Escape", "j Enter Escape", ".call-row[aria-expanded=false]", true),
            new Key("d", "w d", ".deny input", true),
            new Key("e", "w e", ".editor input", true),
            new Key("a", "w a", ".chips .ok", false),
            shows("x", ".heading :text-is('Idle')"),
            new Key("Enter", "m =Hello Enter", ".said-by.user :text-is('Hello')", false)));
  }

  private static void check(
      ConsolePage page, String path, String list, String ready, List<Key> keys) {
    page.visit(path);
    page.sees(ready);
    page.press(list);
    page.sees("dialog dt");
    List<Object> listed = new ArrayList<>((List<?>) page.find("dialog dt").evaluateAll(NAMES));
    List<Object> expected = new ArrayList<>();
    OF_EVERY_PAGE.forEach(key -> expected.add(key.name()));
    keys.forEach(key -> expected.add(key.name()));
    assertThat(listed).as("keys of " + path).hasSameElementsAs(expected).hasSameSizeAs(expected);
    page.press("Escape");
    page.misses("dialog");
    assertThat(page.page().evaluate(HANDLED, listed)).as("not listed").isEqualTo(List.of());
    for (Key key : keys) {
      page.visit(path);
      page.sees("main h1").sees(ready);
      key.check(page);
      page.press("Escape");
    }
  }
}
