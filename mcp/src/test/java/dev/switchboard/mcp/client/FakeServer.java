package dev.switchboard.mcp.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server of MCP over standard input and output that does what it is told, good or bad.
///
/// Its arguments are its revision, and scripts for methods in place of its own answer, as
/// `method=script`. Calls of its tools `run` and `brief` are scripts too. A script is lines of
///
/// | line | does |
/// |---|---|
/// | `out TEXT` | writes that line |
/// | `times N TEXT`, `forever TEXT` | writes it that often |
/// | `say TEXT` | answers with that text |
/// | `long N` | answers with a text of N characters |
/// | `own` | answers as it does without a script |
/// | `error TEXT` | writes to standard error for ever |
/// | `complain TEXT` | writes to standard error |
/// | `append FILE` | makes the file longer by a byte |
/// | `unless FILE exit N` | ends at once where there is no such file |
/// | `ask METHOD PARAMS` | asks the client, and answers with what it replies |
/// | `seen TEXT` | answers with all lines it has read that hold that text |
/// | `tools JSON` | has these tools beside its own from now on |
/// | `await NAME`, `release NAME` | waits for another call |
/// | `spawn` | starts a program that sleeps, and answers with its id |
/// | `pid` | answers with the id of its process |
/// | `deaf` | reads no more, and ignores the end of its input |
/// | `stubborn` | does not end when it is told to |
/// | `exit N` | ends at once |
///
/// in which `$id` is the request's id, and `$n` the number of the line.
final class FakeServer {
  private static final Pattern ID = Pattern.compile("\"id\":(\"[^\"]*\"|-?[0-9]+)");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]*)\"");
  private static final Pattern SCRIPT = Pattern.compile("\"script\":\"((?:[^\"\\\\]++|\\\\.)*+)\"");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

  private static final String RUN =
      """
      {"name":"%s","description":"Runs a script.","inputSchema":{"type":"object","properties":\
      {"script":{"type":"string"}},"required":["script"]},"annotations":{"destructiveHint":false}}\
      """;

  private static final int MOST_SEEN = 1_000;

  private final String revision;
  private final Map<String, String> scripts = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<String>> questions = new ConcurrentHashMap<>();
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  private final CountDownLatch never = new CountDownLatch(1);
  private volatile String tools = "";
  private volatile boolean deaf;

  private FakeServer(List<String> arguments) {
    revision = arguments.getFirst();
    for (String argument : arguments.subList(1, arguments.size())) {
      int end = argument.indexOf('=');
      scripts.put(argument.substring(0, end), argument.substring(end + 1));
    }
  }

  public static void main(String[] arguments) throws Exception {
    FakeServer server = new FakeServer(List.of(arguments));
    server.run("start", server.scripts.getOrDefault("start", ""), "0");
    server.serve();
    System.exit(0);
  }

  private void serve() throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String message = line;
      seen.add(message);
      if (seen.size() > MOST_SEEN) {
        String unused = seen.remove();
      }
      Thread.ofVirtual().start(() -> take(message));
      String script = first(SCRIPT, message, "");
      if (deaf || List.of(plain(script).split("\n")).contains("deaf")) {
        never.await();
      }
    }
    if (deaf) {
      never.await();
    }
  }

  private void take(String message) {
    String method = first(METHOD, message, "");
    String id = first(ID, message, "");
    String script = scripts.get(method);
    CompletableFuture<String> asked = questions.get(id);
    if (asked != null) {
      asked.complete(message);
      return;
    }
    if (!id.isEmpty() && !method.isEmpty()) {
      run(method, script == null ? "own" : script, id, message);
    }
  }

  private void run(String method, String script, String id) {
    run(method, script, id, "");
  }

  private void run(String method, String script, String id, String message) {
    try {
      for (String line : script.split("\n", -1)) {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        step(word, space < 0 ? "" : line.substring(space + 1), method, id, message);
      }
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void step(String word, String text, String method, String id, String message)
      throws InterruptedException, IOException {
    switch (word) {
      case "out" -> write(text.replace("$id", id));
      case "times" -> {
        int end = text.indexOf(' ');
        repeat(text.substring(end + 1), id, Long.parseLong(text.substring(0, end)));
      }
      case "forever" -> repeat(text, id, Long.MAX_VALUE);
      case "say" -> write(answer(id, "\"" + text + "\""));
      case "long" -> writeLong(id, Long.parseLong(text));
      case "own" -> own(method, id, message);
      case "complain" -> System.err.println(text);
      case "append" ->
          Files.writeString(
              Path.of(text), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      case "unless" -> {
        String[] words = text.split(" ");
        if (!Files.exists(Path.of(words[0]))) {
          Runtime.getRuntime().halt(Integer.parseInt(words[2]));
        }
      }
      case "error" -> {
        while (true) {
          System.err.println(text);
        }
      }
      case "ask" -> {
        String question = "q" + questions.size() + "-" + id;
        CompletableFuture<String> reply = new CompletableFuture<>();
        questions.put("\"" + question + "\"", reply);
        int end = text.indexOf(' ');
        write(
            "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":%s}"
                .formatted(question, text.substring(0, end), text.substring(end + 1)));
        write(answer(id, quoted(reply.join())));
      }
      case "seen" -> {
        List<String> found = seen.stream().filter(line -> line.contains(text)).toList();
        write(answer(id, quoted(String.join("\n", found))));
      }
      case "tools" -> tools = text.isEmpty() ? "" : "," + text;
      case "await" -> gate(text).await();
      case "release" -> gate(text).countDown();
      case "spawn" ->
          write(answer(id, "\"" + new ProcessBuilder("sleep", "300").start().pid() + "\""));
      case "pid" -> write(answer(id, "\"" + ProcessHandle.current().pid() + "\""));
      case "deaf" -> deaf = true;
      case "stubborn" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> await(never)));
      case "exit" -> Runtime.getRuntime().halt(Integer.parseInt(text));
      default -> {}
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CountDownLatch gate(String name) {
    return gates.computeIfAbsent(name, any -> new CountDownLatch(1));
  }

  private void own(String method, String id, String message) {
    switch (method) {
      case "server/discover" -> {
        if (revision.equals("2026-07-28")) {
          result(id, "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}");
        } else {
          write(
              "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"?\"}}"
                  .formatted(id));
        }
      }
      case "initialize" ->
          result(
              id,
              "\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"}"
                  .formatted(revision));
      case "tools/list" ->
          result(
              id,
              "\"tools\":[" + RUN.formatted("run") + "," + RUN.formatted("brief") + tools + "]");
      case "tools/call" -> {
        String script = first(SCRIPT, message, null);
        run("", script == null ? "say no script" : plain(script), id);
      }
      default -> result(id, "");
    }
  }

  private void result(String id, String members) {
    String type = "\"resultType\":\"complete\"";
    write(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{%s}}"
            .formatted(id, members.isEmpty() ? type : type + "," + members));
  }

  private static String answer(String id, String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":%s}]}}"
        .formatted(id, text);
  }

  private void repeat(String text, String id, long times) {
    String[] parts = text.replace("$id", id).split("\\$n", -1);
    for (long n = 0; n < times && !out.checkError(); n++) {
      synchronized (out) {
        out.append(String.join(String.valueOf(n), parts)).append('\n');
      }
    }
  }

  private void writeLong(String id, long length) {
    String[] ends = answer(id, "\"\u0000\"").split("\u0000");
    String chunk = "x".repeat(1 << 16);
    synchronized (out) {
      out.append(ends[0]);
      for (long left = length; left > 0; left -= chunk.length()) {
        out.append(chunk, 0, (int) Math.min(left, chunk.length()));
      }
      out.append(ends[1]).append('\n');
      out.flush();
    }
  }

  private void write(String line) {
    synchronized (out) {
      out.append(line).append('\n');
      out.flush();
    }
  }

  private static String quoted(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return '"' + escaped + '"';
  }

  private static String plain(String escaped) {
    return ESCAPE
        .matcher(escaped)
        .replaceAll(one -> Matcher.quoteReplacement(character(one.group(1))));
  }

  private static String character(String escape) {
    return switch (escape.charAt(0)) {
      case 'n' -> "\n";
      case 't' -> "\t";
      case 'u' -> String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
      default -> escape;
    };
  }

  private static String first(Pattern pattern, String text, String otherwise) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : otherwise;
  }
}
