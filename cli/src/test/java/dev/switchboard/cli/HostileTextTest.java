package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.text.InvisibleCharacters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// No command lets anything of others act on a terminal, or hide in it: every command is run on
/// hostile names, results, errors, memory, requests, and words of the model.
class HostileTextTest {
  static final String HOSTILE =
      "\u001b]0;pwn\u0007\u001b[31mRED\u009b2Jb\u007f\b\u0000\u061ca\u202eevil\u2066b\u200b\u200fc\u00ad"
          + "d\ufe0fe\u034ff\u3164g\u2028h\u2800i\udb40\udc41j\ufeff";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private StubModel model;
  private String agent;

  @BeforeEach
  void start() throws IOException {
    webhook = StubWebhook.start();
    model = new StubModel();
    agent = HostileAgent.write(folder, webhook, model);
    remember();
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  private void remember() {
    try (Storage storage = Storage.open("sqlite:desk.db", folder)) {
      Entry entry =
          new Entry(
              "Desk",
              Entry.ARCHIVAL,
              "e1",
              "diet" + HOSTILE,
              HOSTILE,
              "likes tea " + HOSTILE,
              List.of(HOSTILE),
              Instant.EPOCH);
      assertThat(storage.memory().insert(entry)).isTrue();
      // Ids that new conversations could have once.
      assertThat(
              storage.conversations("Desk").directory().create("v" + HOSTILE, Header.of("local")))
          .isTrue();
    }
  }

  private static String call(String id, String name) {
    ObjectNode arguments = Codec.object().put("to", HOSTILE).put(HOSTILE, 1);
    ObjectNode call = Codec.object().put("id", id).put("name", name);
    call.set("arguments", arguments);
    return Json.of(call).text();
  }

  /// A request that waits, and a call that failed in hostile words.
  private Cli waiting(String id) {
    webhook.answer(500, HOSTILE);
    return Cli.runWith(
        String.join("\n", call(id, "pay"), call(HOSTILE + id, "look"), call("x", HOSTILE), HOSTILE),
        "exec",
        "--conversation",
        "v" + HOSTILE,
        agent);
  }

  private Cli typedCall(String... words) {
    List<String> args = new ArrayList<>(List.of("call", agent, "--simulate"));
    args.addAll(List.of(words));
    model
        .says("Well ", HOSTILE)
        .calls("look", "{\"a\":" + Json.of(HOSTILE).text() + "}")
        .says(HOSTILE);
    String said = "Hello " + HOSTILE + "\nAnd now?\n/key " + HOSTILE + "\n/hangup\n";
    return Cli.runWith(said, args.toArray(String[]::new));
  }

  private Cli chat(String... words) {
    List<String> args = new ArrayList<>(List.of("chat", agent));
    args.addAll(List.of(words));
    model
        .says("Well ", HOSTILE)
        .calls("look", "{\"a\":" + Json.of(HOSTILE).text() + "}")
        .says(HOSTILE)
        .calls("pay", "{\"to\":" + Json.of(HOSTILE).text() + "}")
        .says(HOSTILE);
    String lines =
        HOSTILE + "\nLook\n/history\n/memory\n/tools\n/rules\nPay\n/" + HOSTILE + "\n/approve\n";
    return Cli.runWith(lines, args.toArray(String[]::new));
  }

  private Map<String, List<Cli>> runs() {
    String id = "c" + HOSTILE;
    webhook.answer(StubAnswer.of(200, "{\"success\":false,\"error\":" + Json.of(HOSTILE) + "}"));
    Map<String, List<Cli>> runs = new TreeMap<>();
    runs.put(
        "tool call",
        List.of(
            Cli.run("tool", "call", agent, "look", "{}"),
            Cli.run("tool", "call", agent, HOSTILE, "{}"),
            Cli.run("tool", "call", agent, "look", "{\"" + HOSTILE + "\":"),
            Cli.runWith(
                "y\n", "tool", "call", agent, "pay", "{\"a\":" + Json.of(HOSTILE).text() + "}")));
    runs.put("tool list", List.of(Cli.run("tool", "list", agent)));
    runs.put("tool schema", List.of(Cli.run("tool", "schema", agent)));
    runs.put("tool import", List.of(imported("openai"), imported("openapi"), imported(HOSTILE)));
    runs.put(
        "tool export",
        List.of(
            Cli.run("tool", "export", agent, "--format", "mcp"),
            Cli.run("tool", "export", agent, "--format", HOSTILE)));
    runs.put("mcp", List.of(Cli.run("mcp"), Cli.run("mcp", HOSTILE)));
    runs.put(
        "mcp list",
        List.of(
            Cli.run("mcp", "list", HOSTILE),
            Cli.run("mcp", "list", "http://" + HOSTILE),
            Cli.run("mcp", "list", agent)));
    runs.put(
        "mcp call",
        List.of(
            Cli.run("mcp", "call", HOSTILE, HOSTILE, HOSTILE),
            Cli.run("mcp", "call", "http://127.0.0.1:1/" + HOSTILE, HOSTILE, HOSTILE)));
    runs.put("mcp login", List.of(Cli.run("mcp", "login", agent, HOSTILE)));
    runs.put("exec", List.of(waiting(id), waiting("d" + HOSTILE)));
    runs.put(
        "approvals list",
        List.of(
            Cli.run("approvals", "list", agent), Cli.run("approvals", "list", "--json", agent)));
    webhook.answer(200, "{\"ok\":" + Json.of(HOSTILE) + "}");
    runs.put(
        "approvals approve",
        List.of(
            Cli.run("approvals", "approve", id, "--always", agent),
            Cli.run("approvals", "approve", id, agent)));
    runs.put(
        "approvals revoke",
        List.of(
            Cli.run("approvals", "list", "--grants", agent),
            Cli.run("approvals", "list", "--grants", "--json", agent),
            Cli.run("approvals", "revoke", HOSTILE, agent)));
    runs.put(
        "approvals deny",
        List.of(Cli.run("approvals", "deny", "d" + HOSTILE, "--reason", HOSTILE, agent)));
    runs.put(
        "chat",
        List.of(
            chat("--conversation", "t" + HOSTILE),
            chat("--json"),
            Cli.run("chat", agent, "-m", HOSTILE)));
    runs.put(
        "call",
        List.of(
            typedCall(),
            typedCall("--var", "name=" + HOSTILE),
            Cli.run("call", agent, "--simulate", "--from", HOSTILE),
            Cli.run("call", HOSTILE)));
    memory(runs);
    runs.put(
        "agent add rule",
        List.of(
            Cli.runIn(folder, "agent", "add", "rule", "Desk", HOSTILE, "max-calls", "-p", "1"),
            Cli.runIn(
                folder, "agent", "add", "rule", HOSTILE, "look", "max-calls", "-p", HOSTILE)));
    runs.put("agent list rules", List.of(Cli.runIn(folder, "agent", "list", "rules", "Desk")));
    runs.put(
        "agent remove rule",
        List.of(Cli.runIn(folder, "agent", "remove", "rule", "Desk", HOSTILE)));
    runs.put(
        "validate",
        List.of(
            Cli.run("validate", agent),
            Cli.run("validate", broken()),
            Cli.run("validate", "b\u202e\u009b.toml")));
    runs.put(
        "url check",
        List.of(
            Cli.run("url", "check", "http://" + HOSTILE),
            Cli.run("url", "check", "--json", HOSTILE)));
    runs.put("completion", List.of(Cli.run("completion"), Cli.run("completion", HOSTILE)));
    String tokens = folder.resolve("b\u202e-tokens").toString();
    runs.put(
        "token add",
        List.of(
            Cli.run("token", "add", "ada", "--tokens", tokens),
            Cli.run("token", "add", HOSTILE, "--tokens", tokens),
            Cli.run("token", "add", "bob", "--role", HOSTILE, "--tokens", tokens)));
    runs.put(
        "token list",
        List.of(
            Cli.run("token", "list", "--tokens", tokens),
            Cli.run("token", "list", "--tokens", tokens + "2")));
    runs.put(
        "token roles",
        List.of(Cli.run("token", "roles", HOSTILE, "--role", "chat", "--tokens", tokens)));
    runs.put("token rotate", List.of(Cli.run("token", "rotate", HOSTILE, "--tokens", tokens)));
    runs.put("token revoke", List.of(Cli.run("token", "revoke", HOSTILE, "--tokens", tokens)));
    runs.put("demo", List.of(Cli.run("demo", HOSTILE)));
    runs.put("init", List.of(Cli.run("init", HOSTILE)));
    runs.put(
        "serve",
        List.of(
            Serving.of(folder, agent).end(),
            Cli.run("serve", HOSTILE),
            Cli.run("serve", agent, "--tokens", tokens, "--port", HOSTILE),
            Cli.run("serve", agent, "--tokens", tokens, "--host", HOSTILE),
            Cli.run("serve", agent, "--tokens", tokens, "--public-url", HOSTILE),
            Cli.run("serve", agent, "--tokens", tokens, "--token-env", HOSTILE),
            Cli.run("serve", agent, "--tokens", HOSTILE)));
    runs.put(
        "worker",
        List.of(
            Cli.run("worker", HOSTILE),
            Cli.run("worker", agent),
            Cli.run("worker", agent, "--host", HOSTILE),
            Cli.run("worker", agent, "--engine", HOSTILE),
            Cli.run("worker", agent, "--engine", "restate://127.0.0.1:1", "--port", HOSTILE),
            Cli.run("worker", agent, "--engine", "restate://127.0.0.1:1", "--address", HOSTILE)));
    String stored = "v" + HOSTILE;
    runs.put("conversations list", List.of(Cli.run("conversations", "list", agent)));
    runs.put(
        "conversations show",
        List.of(
            Cli.run("conversations", "show", stored, agent),
            Cli.run("conversations", "show", "t" + HOSTILE, agent),
            Cli.run("conversations", "show", HOSTILE, agent)));
    runs.put(
        "conversations prune",
        List.of(Cli.run("conversations", "prune", "--older", HOSTILE, agent)));
    runs.put(
        "conversations delete",
        List.of(
            Cli.run("conversations", "delete", stored, agent),
            Cli.run("conversations", "delete", HOSTILE, agent)));
    runs.put("help", List.of(Cli.run("help"), Cli.run("help", HOSTILE)));
    phone(runs);
    return runs;
  }

  /// Tools of others, in a text that is both a document and a request.
  private Cli imported(String form) {
    ObjectNode all = Codec.object().put("openapi", "3.1.0");
    all.putArray("servers").addObject().put("url", "https://a.example");
    ObjectNode paths = all.putObject("paths");
    paths.putObject("/a").putObject("get").put("operationId", HOSTILE).put("summary", HOSTILE);
    paths.putObject("/" + HOSTILE).putObject("get");
    ArrayNode tools = all.putArray("tools");
    ObjectNode tool =
        tools.addObject().put("name", "x").put("description", HOSTILE).put(HOSTILE, 1);
    tool.putObject("parameters").put("type", "object").putObject("properties").putObject(HOSTILE);
    tools.addObject().put("name", HOSTILE);
    try {
      String file = Files.writeString(folder.resolve("tools.json"), all.toString()).toString();
      return Cli.run("tool", "import", form, file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void phone(Map<String, List<Cli>> runs) {
    String id = "p" + HOSTILE;
    try (Storage storage = Storage.open("sqlite:desk.db", folder)) {
      ObjectNode metadata = Codec.object();
      metadata.putObject("phone").put("from", HOSTILE).put("to", HOSTILE).put("direction", HOSTILE);
      Header header = new Header("tel:+14155550100", null, null, Json.of(metadata));
      assertThat(storage.conversations("Desk").directory().create(id, header)).isTrue();
    }
    runs.put(
        "calls list",
        List.of(Cli.run("calls", "list", agent), Cli.run("calls", "list", "--json", agent)));
    runs.put(
        "calls show",
        List.of(
            Cli.run("calls", "show", id, agent),
            Cli.run("calls", "show", id, "--json", agent),
            Cli.run("calls", "show", HOSTILE, agent)));
    try (StubWebhook rest = StubWebhook.start();
        RealtimeSimulator engine = RealtimeSimulator.of()) {
      ObjectNode numbers = Codec.object();
      numbers
          .putArray("incoming_phone_numbers")
          .addObject()
          .put("phone_number", PhoneToml.NUMBER)
          .put("voice_url", HOSTILE)
          .put("voice_method", HOSTILE);
      rest.answer(200, numbers.toString());
      Path apart = Files.createDirectories(folder.resolve("phone"));
      String file = PhoneToml.of(apart, rest.url(""), rest.url(""), engine.url(), "");
      runs.put("phone check", List.of(Cli.run("phone", "check", file)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void memory(Map<String, List<Cli>> runs) {
    runs.put("memory list", List.of(Cli.run("memory", "list", agent)));
    runs.put(
        "memory show",
        List.of(
            Cli.run("memory", "show", "guest", agent), Cli.run("memory", "show", HOSTILE, agent)));
    runs.put(
        "memory edit",
        List.of(
            Cli.runWith(HOSTILE + "!", "memory", "edit", "guest", agent),
            Cli.runWith(HOSTILE, "memory", "edit", HOSTILE, agent)));
    runs.put("memory history", List.of(Cli.run("memory", "history", "guest", agent)));
    runs.put("memory undo", List.of(Cli.run("memory", "undo", "guest", agent)));
    runs.put("memory redo", List.of(Cli.run("memory", "redo", "guest", agent)));
    runs.put(
        "memory search",
        List.of(
            Cli.run("memory", "search", "tea", agent),
            Cli.run("memory", "search", HOSTILE, agent)));
    runs.put("memory embed", List.of(Cli.run("memory", "embed", agent)));
    runs.put("memory export", List.of(Cli.run("memory", "export", agent)));
    runs.put(
        "memory import",
        List.of(
            Cli.runWith(HOSTILE, "memory", "import", "-", agent),
            Cli.run("memory", "import", HOSTILE.substring(0, 20).replace("\0", ""), agent)));
  }

  private String broken() {
    String file = "broken.toml";
    try {
      return Files.writeString(folder.resolve(file), "[[tools]]\nname = 'a\u202eb'\nx\u009b = 1")
          .toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Set<String> commands(CommandLine line, String above) {
    Set<String> names = new TreeSet<>();
    line.getSubcommands()
        .forEach((name, sub) -> {
          if (sub.getSubcommands().isEmpty()) {
            names.add(above + name);
          } else {
            names.addAll(commands(sub, above + name + " "));
          }
        });
    return names;
  }

  /// Every command, with words that it does not expect.
  private static List<Cli> mistaken(Set<String> commands) {
    List<Cli> runs = new ArrayList<>();
    for (String command : commands) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.add("--" + HOSTILE);
      runs.add(Cli.run(words.toArray(String[]::new)));
      words.set(words.size() - 1, HOSTILE);
      words.addAll(List.of(HOSTILE, HOSTILE, HOSTILE));
      runs.add(Cli.run(words.toArray(String[]::new)));
    }
    runs.add(Cli.run(HOSTILE));
    runs.add(Cli.run("--debug", HOSTILE));
    return runs;
  }

  @Tag("slow")
  @Test
  void noCommandLetsThemThrough() {
    Terminal terminal = new Terminal(System.in, System.out, System.err, false);
    Set<String> commands = commands(Commands.on(terminal, folder, name -> true), "");

    Map<String, List<Cli>> runs = runs();
    runs.put("mistaken", mistaken(commands));

    // A new command has its runs here.
    assertThat(runs.keySet()).containsAll(commands);
    runs.forEach((command, all) -> {
      all.forEach(cli -> holdsNone(command, cli));
    });
    // It is shown, not swallowed.
    for (String command :
        List.of(
            "chat",
            "exec",
            "tool call",
            "approvals list",
            "approvals revoke",
            "memory show",
            "memory search",
            "phone check",
            "calls list")) {
      assertThat(runs.get(command))
          .as(command)
          .anyMatch(cli -> (cli.out() + cli.err()).contains("\\u202eevil\\u2066"));
    }
  }

  private static void holdsNone(String command, Cli cli) {
    for (String text : List.of(cli.out(), cli.err())) {
      List<String> raw =
          text.codePoints()
              .filter(point -> point != '\n' && point != '\t' && InvisibleCharacters.is(point))
              .mapToObj("U+%04X"::formatted)
              .toList();
      assertThat(raw).as(() -> command + ": " + InvisibleCharacters.shown(text)).isEmpty();
    }
  }

  @Test
  void whatAPersonIsAskedToApproveIsShownWhole() {
    webhook.answer(200, "{}");
    String far = "x".repeat(3_000) + "the end";
    model.calls("pay", "{\n \"to\": \"a  b\u202e\",\n \"far\": \"" + far + "\"\n}").says("Paid.");

    Cli chat = Cli.runWith("Pay", "chat", agent);
    Cli list = Cli.run("approvals", "list", agent);
    Cli call = Cli.runWith("n\n", "tool", "call", agent, "pay", "{\n\"to\":\"a  b\u202e\"}");

    String whole = "{\"to\":\"a  b\\u202e\",\"far\":\"" + far + "\"}";
    assertThat(chat.err()).contains("pay with " + whole + "\n");
    assertThat(list.out()).contains(whole);
    assertThat(call.err()).contains(" Run it with {\"to\":\"a  b\\u202e\"}? [y/N] ");
  }

  @Test
  void eventsAreJsonStill() {
    Cli exec = waiting("c1");
    assertThat(exec.json())
        .filteredOn(event -> event.path("type").stringValue().equals("tool_call"))
        .first()
        .satisfies(event ->
            assertThat(event.at("/payload/arguments/to").stringValue()).isEqualTo(HOSTILE));
  }
}
