package dev.switchboard.cli;

import dev.switchboard.cli.edit.EditRefusedException;
import dev.switchboard.cli.edit.ToolFile;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.openapi.OpenApiDocument;
import dev.switchboard.openapi.OpenApiSettings;
import dev.switchboard.openapi.OpenApiTool;
import dev.switchboard.openapi.OpenApiTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard tool import`: converts tools of other formats to tables of an agent's file.
@Command(
    name = "import",
    description = {
      "Write tools that others define as tables of an agent's file, to be edited.",
      "",
      "openapi reads the operations of a document, openai and anthropic read the tools of a request"
          + " to a model, a list or a single one; mcp asks a server, by its URL or its program and"
          + " arguments, or reads the servers in another program's file, such as mcp.json. They go"
          + " to standard output, or with -o into the agent's file, whose other lines do not"
          + " change. What cannot be kept goes to standard error. Options stand before the form."
    },
    footer = {
      "  switchboard tool import openapi petstore.yaml --tag pet -o agent.toml",
      "  switchboard tool import anthropic tools.json >> agent.toml",
      "  switchboard tool import -o agent.toml mcp npx -y @modelcontextprotocol/server-everything"
    },
    preprocessor = ProgramWords.class)
final class ToolImportCommand implements Runnable {
  private static final String WEBHOOK = "https://api.example.com/tools/{name}";

  /// Delimits the name of a variable in a table made of a document, where braces are placeholders
  /// of arguments.
  private static final String BEGIN = "-env-";

  private static final String END = "-vne-";

  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "FORM",
      description = "The form: openapi, openai, anthropic or mcp.")
  private String form;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE|URL|COMMAND...",
      hideParamSyntax = true,
      description = "The file with the tools; of mcp the server, too.")
  private List<String> words;

  @Mixin private McpArgument server;

  @Option(
      names = "-o",
      paramLabel = "AGENT.toml",
      description = "The agent's file that gets the tools.")
  private @Nullable Path output;

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description = "Only these operations: ids, or method and path, with * for any characters.")
  private List<String> include = List.of();

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Only operations with one of these tags.")
  private List<String> tags = List.of();

  @Option(
      names = "--base-url",
      paramLabel = "URL",
      description = "The service, instead of the document's server.")
  private @Nullable String baseUrl;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description = "What answers the tools of openai and anthropic; {name} is the tool's.")
  private @Nullable String webhookUrl;

  ToolImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    if (form.equals("mcp")) {
      put(new McpImport(server, this::say).tables(words), ToolFile.Kind.SERVERS);
      return;
    }
    if (words.size() > 1) {
      throw Failure.usage("Of " + form + " one file is read.", null);
    }
    if (words.getFirst().matches("(?i)https?://.*")) {
      String document = "Download the document first, or name it in [[agent.openapi]] url = '..'.";
      throw Failure.usage(
          words.getFirst()
              + " is a URL, and a file is read here. "
              + (form.equals("openapi") ? document : "Download it first."),
          null);
    }
    Path file = Path.of(words.getFirst());
    String text = read(file);
    List<Json> tools =
        switch (form) {
          case "openapi" -> ofDocument(file, text);
          case "openai" -> ofRequest(ToolForms.OPENAI, file, text);
          case "anthropic" -> ofRequest(ToolForms.ANTHROPIC, file, text);
          default ->
              throw Failure.usage(
                  "The form must be openapi, openai, anthropic or mcp, not '" + form + "'.", null);
        };
    if (tools.isEmpty()) {
      throw Failure.work(file + " has no tool that can be imported.", null);
    }
    put(tools, ToolFile.Kind.TOOLS);
  }

  private void put(List<Json> tables, ToolFile.Kind kind) {
    Set<String> names = new HashSet<>();
    for (Json table : tables) {
      String name = table.tree().path("name").asString("");
      if (!names.add(name)) {
        throw Failure.usage(
            words.getFirst()
                + " has '"
                + Plain.line(name)
                + "' twice: rename one, or leave it out.",
            null);
      }
    }
    if (output == null) {
      terminal.out().print(ToolFile.text(tables, kind));
    } else {
      add(tables, kind, output);
    }
  }

  static String read(Path file) {
    try {
      String text = Files.readString(file);
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (IOException e) {
      throw Failure.usage(FileFaults.unread(file, e), e);
    }
  }

  private void say(String sentence) {
    terminal.err().println(sentence);
  }

  private List<Json> ofRequest(ToolForms stated, Path file, String text) {
    try {
      List<Json> tools = new ArrayList<>();
      for (Json tool : stated.read(Json.text(text).tree(), this::say)) {
        ObjectNode table = (ObjectNode) tool.tree().deepCopy();
        JsonNode parameters = table.remove("parameters");
        String name = table.path("name").asString("");
        String url = webhookUrl == null ? WEBHOOK : webhookUrl;
        table.put("webhook_url", url.replace("{name}", name)).set("parameters", parameters);
        tools.add(Json.of(table));
      }
      if (webhookUrl == null && !tools.isEmpty()) {
        say(
            "These definitions do not say what answers: change each webhook_url, or state"
                + " --webhook-url.");
      }
      return tools;
    } catch (JsonException | IllegalArgumentException e) {
      throw Failure.usage(file + " " + e.getMessage() + ".", e);
    }
  }

  private List<Json> ofDocument(Path file, String text) {
    OpenApiDocument document;
    try {
      document = OpenApiDocument.read(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(file + " " + e.getMessage() + ".", e);
    }
    Map<String, String> auth = new HashMap<>();
    for (String scheme : document.schemes()) {
      if (!document.isInQuery(scheme)) {
        String variable = scheme.replaceAll("[^A-Za-z0-9]+", "_").toUpperCase(Locale.ROOT);
        auth.put(scheme, BEGIN + (variable.matches("[A-Z_].*") ? variable : "_" + variable) + END);
      }
    }
    OpenApiSettings settings =
        new OpenApiSettings(
            include, List.of(), tags, "", baseUrl, null, Map.of(), auth, Map.of(), null);
    OpenApiTools<Json> all = OpenApiTools.of(document, settings, this::table);
    all.leftOut().forEach((operation, why) -> say(operation + " is left out: it " + why));
    all.lost().forEach((operation, what) -> say(operation + " " + what));
    return all.made();
  }

  private Json table(OpenApiTool tool) {
    ObjectNode table =
        Codec.object().put("name", tool.name()).put("description", tool.description());
    if (tool.mode() != null) {
      table.put("mode", tool.mode().word());
    }
    ToolForms.imported(table, tool.parameters(), this::say);
    String http = tool.endpoint().table().text().replace(BEGIN, "${").replace(END, "}");
    table.set("http", Json.text(http).tree());
    table.set("parameters", tool.parameters().tree());
    return Json.of(table);
  }

  private void add(List<Json> tools, ToolFile.Kind kind, Path agent) {
    String thing =
        switch (kind) {
          case TOOLS -> "tool";
          case SERVERS -> "MCP server";
        };
    try {
      ToolFile target = ToolFile.open(agent, kind);
      List<String> names = target.names();
      List<Json> fresh = new ArrayList<>();
      for (Json tool : tools) {
        String name = tool.tree().path("name").asString("");
        if (names.contains(name)) {
          say("%s '%s' is left out: %s has it already".formatted(thing, name, agent));
        } else {
          fresh.add(tool);
        }
      }
      if (!fresh.isEmpty()) {
        target.add(fresh);
      }
      terminal
          .out()
          .println("Added %s to %s".formatted(AgentArgument.count(fresh.size(), thing), agent));
    } catch (EditRefusedException e) {
      throw Failure.usage(e.sentence(), e);
    } catch (IOException e) {
      throw Failure.work(FileFaults.unwritten(agent, e), e);
    }
  }
}
