package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The browser of the person at this machine; the page's URL is also printed, in case there is
/// none.
public final class Browser implements Person {
  // What such programs need to find the browser; none of our keys.
  private static final Pattern PASSED_ON =
      Pattern.compile(
          "HOME|PATH|LANG|LC_.*|USER|LOGNAME|USERPROFILE|SYSTEMROOT|WINDIR|LOCALAPPDATA|APPDATA"
              + "|TEMP|TMP|TMPDIR|BROWSER|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_.*|XDG_.*"
              + "|DESKTOP_SESSION|KDE_.*|GNOME_.*|WSL.*");
  private static final List<String> SCREENS =
      List.of("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME");

  private final Consumer<String> out;
  private final String system;
  private final Map<String, String> environment;
  private final Starter starter;

  /// Starts a program without a shell.
  interface Starter {
    void start(List<String> words) throws IOException;
  }

  Browser(Consumer<String> out, String system, Map<String, String> environment, Starter starter) {
    this.out = out;
    this.system = system.toLowerCase(Locale.ROOT);
    this.environment = environment;
    this.starter = starter;
  }

  /// The browser of this machine.
  ///
  /// @param out receives the printed lines
  public static Browser of(Consumer<String> out) {
    return new Browser(out, System.getProperty("os.name", ""), System.getenv(), Browser::start);
  }

  @Override
  public void show(String server, URI page, Predicate<String> pasted) throws IOException {
    if (!AuthorizationRequest.isHarmless(page.toString())) {
      throw new IOException("the page of a login must be https, or on this machine");
    }
    out.accept("To log in to the MCP server '" + server + "', open this page in your browser:");
    out.accept("  " + page);
    List<String> words = words(page.toString());
    if (!words.isEmpty()) {
      try {
        starter.start(words);
      } catch (IOException e) {
        // There is no such program: the URL is printed.
      }
    }
  }

  /// The program that opens a page, with its arguments; empty without a display.
  private List<String> words(String page) {
    if (system.startsWith("windows")) {
      return List.of("rundll32", "url.dll,FileProtocolHandler", page);
    }
    if (system.startsWith("mac")) {
      return List.of("open", page);
    }
    boolean screen = SCREENS.stream().anyMatch(environment::containsKey);
    return screen ? List.of("xdg-open", page) : List.of();
  }

  private static void start(List<String> words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder
        .environment()
        .keySet()
        .removeIf(name -> !PASSED_ON.matcher(name.toUpperCase(Locale.ROOT)).matches());
    builder
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start()
        .getOutputStream()
        .close();
  }
}
