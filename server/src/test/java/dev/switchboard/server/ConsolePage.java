package dev.switchboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;

/// A page of the console as a person has it open: it is looked at, and worked with by keys.
final class ConsolePage {
  private static final String VISIT =
      "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate'));"
          + " }";
  private static final String HAS_FOCUS = "one => one === document.activeElement";
  private static final String AXE_RUN =
      """
      axe.run({RULES, preload: false, iframes: false, resultTypes: ['violations']}).then(found => found.violations.map(one =>
          one.id + ' (' + one.impact + ') at ' + one.nodes.map(node => node.target).join(', ')).join('\\n'))
      """;
  private static final String ALL_RULES =
      "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
  private static final String COLOURS = "runOnly: {type: 'rule', values: ['color-contrast']}";
  private static final String OUT_OF_REACH =
      """
      () => {
        const found = [];
        const wide = document.documentElement.scrollWidth - innerWidth;
        if (wide > 0) {
          found.push(`the page is ${wide} px too wide`);
        }
        const root = document.querySelector('dialog[open]') ?? document.body;
        const name = one => `${one.tagName.toLowerCase()}.${one.className} “${one.textContent.trim().slice(0, 40)}”`;
        for (const one of root.querySelectorAll('a[href], button, input, select, textarea, summary')) {
          if (!one.checkVisibility({ visibilityProperty: true }) || one.matches('.skip')) {
            continue;
          }
          one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          const box = one.getClientRects()[0];
          if (box.left < 0 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1 && box.height < innerHeight) {
            found.push(`${name(one)} is cut off: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
          }
          const hit = document.elementFromPoint(box.left + box.width / 2, Math.max(1, box.top) + Math.min(box.height, innerHeight) / 2);
          if (!hit || !one.contains(hit) && !hit.closest('label')?.contains(one)) {
            found.push(`${name(one)} is covered by ${hit && name(hit)}`);
          }
          if (one.matches('a, button') && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline') {
            found.push(`${name(one)} shows only a part of its text`);
          }
        }
        scrollTo(0, 0);
        return found.join('\\n');
      }
      """;

  private static final String AXE = axe();

  private final Page page;
  private final String address;
  private final CDPSession tools;

  ConsolePage(Page page, String address) {
    this.page = page;
    this.address = address;
    tools = page.context().newCDPSession(page);
  }

  private static String axe() {
    try {
      return Files.readString(ConsoleBrowser.MODULES.resolve("axe-core/axe.min.js"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Page page() {
    return page;
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  void logIn(String token) {
    go("/login");
    assertThat(find("#token")).isFocused();
    type(token);
    press("Enter");
    assertThat(find("h1")).hasText("Conversations");
  }

  void go(String path) {
    page.navigate(address + path);
  }

  /// Goes there as by the history, without loading the console again; what is there is made anew.
  void visit(String path) {
    for (String one : List.of("/nowhere", path)) {
      page.evaluate(VISIT, one);
    }
  }

  /// Presses keys, one after the other; `=` stands before what is typed.
  void press(String keys) {
    for (String key : keys.split(" ")) {
      if (key.startsWith("=")) {
        type(key.substring(1));
      } else {
        page.keyboard().press(key);
      }
    }
  }

  void type(String text) {
    page.keyboard().type(text);
  }

  /// Waits until that is to be seen.
  ConsolePage sees(String selector) {
    assertThat(find(selector).first()).isVisible();
    return this;
  }

  /// Waits until that is to be seen with those words.
  ConsolePage sees(String selector, String words) {
    assertThat(find(selector).first()).containsText(words);
    return this;
  }

  /// Waits until that is not there.
  ConsolePage misses(String selector) {
    assertThat(find(selector)).hasCount(0);
    return this;
  }

  /// Waits until that has the focus.
  ConsolePage isAt(String selector) {
    assertThat(find(selector).first()).isFocused();
    return this;
  }

  /// Presses Tab until that has the focus.
  void tabTo(String selector) {
    for (int i = 0; i < 80; i++) {
      if (Boolean.TRUE.equals(find(selector).first().evaluate(HAS_FOCUS))) {
        return;
      }
      press("Tab");
    }
    throw new AssertionError("no Tab leads to " + selector);
  }

  /// Begins a conversation with that sentence, by keys.
  void begin(String text) {
    press("n");
    sees("dialog");
    tabTo("#new-text");
    type(text);
    tabTo("dialog .primary");
    press("Enter");
    sees(".transcript", text);
  }

  void size(int width, int height) {
    page.setViewportSize(width, height);
  }

  void theme(ColorScheme scheme) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
  }

  /// What axe finds, a fault in each line.
  String faults() {
    return axe(ALL_RULES);
  }

  /// What axe finds of colours alone.
  String faultsOfColours() {
    return axe(COLOURS);
  }

  private String axe(String rules) {
    if (run("typeof axe").getAsString().equals("undefined")) {
      run(AXE + "; ''");
    }
    return run(AXE_RUN.replace("RULES", rules)).getAsString();
  }

  // Not as part of the page, whose policy has no place for it.
  private JsonElement run(String script) {
    JsonObject request = new JsonObject();
    request.addProperty("expression", script);
    request.addProperty("awaitPromise", true);
    request.addProperty("returnByValue", true);
    JsonObject answer = tools.send("Runtime.evaluate", request);
    JsonElement value = answer.getAsJsonObject("result").get("value");
    assertThat(value).as(answer.toString()).isNotNull();
    return value;
  }

  /// The controls that cannot be seen whole or reached, and how much the page is wider than the
  /// screen; a line for each.
  String outOfReach() {
    return (String) page.evaluate(OUT_OF_REACH);
  }
}
