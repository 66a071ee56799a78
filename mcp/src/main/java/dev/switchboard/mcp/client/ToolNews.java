package dev.switchboard.mcp.client;

import static java.util.stream.Collectors.joining;

import dev.switchboard.text.InvisibleCharacters;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/// What is new about a server's tools, until it is logged: a few in one line, the rest for who
/// wants to see all. For one thread at a time.
final class ToolNews {
  // Of its own name, so that a command can show everything of it.
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp.tools");
  private static final int MOST_TOLD = 5;

  private final String server;
  private final List<String> news = new ArrayList<>();
  private final List<String> unchecked = new ArrayList<>();

  ToolNews(String server) {
    this.server = server;
  }

  void add(String what) {
    news.add(clause(what));
  }

  /// Adds what of a tool's schemas is not checked here; it is logged after what matters more.
  void addUnchecked(String what) {
    unchecked.add(clause(what));
  }

  private static String clause(String what) {
    String line = InvisibleCharacters.line(what);
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  /// Forgets what is not logged yet.
  void forget() {
    news.clear();
    unchecked.clear();
  }

  /// Logs what is new, in one line however much it is; further lines only say what that one leaves
  /// out.
  void log() {
    List<String> all = new ArrayList<>(news);
    all.addAll(unchecked);
    forget();
    if (all.isEmpty()) {
      return;
    }
    int more = Math.max(0, all.size() - MOST_TOLD);
    String sentences = all.stream().limit(MOST_TOLD).collect(joining("; "));
    LOG.log(Level.WARNING, "MCP server '%s': %s%s".formatted(server, sentences, rest(more)));
    all.stream()
        .skip(MOST_TOLD)
        .forEach(
            sentence -> LOG.log(Level.DEBUG, "MCP server '%s': %s".formatted(server, sentence)));
  }

  private static String rest(int more) {
    return more == 0
        ? ""
        : LOG.isLoggable(Level.DEBUG)
            ? "; and these " + more
            : "; and " + more + " more, which `switchboard mcp list` shows";
  }
}
