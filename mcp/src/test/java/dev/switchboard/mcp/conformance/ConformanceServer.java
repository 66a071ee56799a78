package dev.switchboard.mcp.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.mount.Mount;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// The server that the conformance suite tries: an agent with the tools that it asks for, behind
/// our own HTTP server. The suite has no token, so that what it sends passes a relay that adds one.
final class ConformanceServer implements AutoCloseable {
  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  private static final String SILENCE =
      "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
  private static final Set<String> OWN = Set.of("content-length", "connection", "authorization");

  private final Agent agent;
  private final McpServer mcp;
  private final Server server;
  private final HttpServer relay;
  private final OkHttpClient client =
      new OkHttpClient.Builder().readTimeout(java.time.Duration.ZERO).build();
  private final String token;

  private ConformanceServer(Path folder) throws IOException {
    agent =
        Agent.builder("conformance")
            .tools(tools())
            .tools(new Changing())
            .prompt("You are tried.")
            .store(new InProcessConversations())
            .build();
    mcp = McpServer.of(agent);
    Tokens tokens = Tokens.open(folder.resolve("tokens"), null, Time.SYSTEM);
    token = String.valueOf(tokens.first());
    server =
        Server.builder(tokens)
            .agents(agent)
            .port(0)
            .mount(mcp.routes("/mcp").toArray(Mount[]::new))
            .start();
    relay = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    relay.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    relay.createContext("/mcp", this::relay);
    relay.start();
  }

  /// One that listens, with its tokens in that folder.
  static ConformanceServer start(Path folder) throws IOException {
    return new ConformanceServer(folder);
  }

  /// Where it is.
  String url() {
    return "http://localhost:" + relay.getAddress().getPort() + "/mcp";
  }

  private void relay(HttpExchange exchange) throws IOException {
    Request.Builder request =
        new Request.Builder().url("http://127.0.0.1:" + server.port() + "/mcp");
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
            request.header(name, values.getFirst());
          }
        });
    request.header("Authorization", "Bearer " + token);
    byte[] body = exchange.getRequestBody().readAllBytes();
    boolean has = exchange.getRequestMethod().equals("POST");
    request.method(
        exchange.getRequestMethod(),
        has ? RequestBody.create(body, MediaType.get("application/json")) : null);
    try (exchange;
        Response response = client.newCall(request.build()).execute()) {
      response
          .headers()
          .forEach(header -> {
            if (!OWN.contains(header.getFirst().toLowerCase(Locale.ROOT))
                && !header.getFirst().equalsIgnoreCase("transfer-encoding")) {
              exchange.getResponseHeaders().add(header.getFirst(), header.getSecond());
            }
          });
      boolean empty = response.code() == 202 || response.code() == 204;
      exchange.sendResponseHeaders(response.code(), empty ? -1 : 0);
      InputStream in = response.body().byteStream();
      OutputStream out = exchange.getResponseBody();
      byte[] buffer = new byte[8_192];
      for (int read = in.read(buffer); read >= 0 && !empty; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
      }
    }
  }

  private static List<Tool> tools() {
    return List.of(
        Tool.dynamic("test_simple_text")
            .description("Says something.")
            .handler(arguments -> "This is a simple text response for testing."),
        parts("test_image_content", image()),
        parts("test_audio_content", audio()),
        parts("test_embedded_resource", resource("test://embedded-resource")),
        Tool.dynamic("test_multiple_content_types")
            .description("Gives a text, an image and a resource.")
            .handler(arguments ->
                ToolResult.builder(true)
                    .text("Multiple content types test:")
                    .data(
                        Json.text(
                            "{\"parts\":["
                                + image()
                                + ","
                                + resource("test://mixed-content-resource")
                                + "]}"))
                    .build()),
        Tool.dynamic("test_tool_with_progress")
            .description("Tells how far it is.")
            .handler((arguments, context) -> {
              context.progress("Completed step 0 of 100");
              context.progress("Completed step 50 of 100");
              context.progress("Completed step 100 of 100");
              return "done";
            }),
        Tool.dynamic("test_error_handling")
            .description("Fails.")
            .handler(arguments -> {
              throw ToolException.permanent("This tool intentionally returns an error for testing");
            }),
        asked("test_input_required_result_elicitation"),
        asked("test_input_required_result_request_state"),
        asked("test_input_required_result_tampered_state"),
        asked("test_input_required_result_capabilities"),
        asked("test_streaming_elicitation"),
        Tool.dynamic("test_logging_tool")
            .description("Logs nothing that a client would hear of.")
            .handler(arguments -> "done"),
        Tool.dynamic("test_headers", HEADERS)
            .description("Has arguments that are repeated in headers.")
            .handler(arguments -> "called with " + arguments),
        Tool.dynamic("json_schema_2020_12_tool", SCHEMA)
            .description("Tool with JSON Schema 2020-12 features")
            .handler(arguments -> "called with " + arguments));
  }

  private static final String HEADERS =
      """
      {"type": "object",
       "properties": {
         "region": {"type": "string", "x-mcp-header": "Region"},
         "priority": {"type": "integer", "x-mcp-header": "Priority"},
         "query": {"type": "string"}}}\
      """;

  private static final String SCHEMA =
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema",
       "type": "object",
       "$defs": {"address": {"$anchor": "addressDef", "type": "object",
         "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
       "properties": {
         "name": {"type": "string"},
         "address": {"$ref": "#/$defs/address"},
         "contactMethod": {"type": "string", "enum": ["phone", "email"]},
         "phone": {"type": "string"},
         "email": {"type": "string"}},
       "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
       "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
       "then": {"required": ["phone"]},
       "else": {"required": ["email"]},
       "additionalProperties": false}\
      """;

  /// A tool that needs a person's consent.
  private static Tool asked(String name) {
    return Tool.dynamic(name)
        .description("Needs consent.")
        .mode(ToolMode.LOCAL)
        .handler(arguments -> "done, and the state-ok");
  }

  /// A tool by which another one comes and goes.
  private static final class Changing implements ToolRegistry.Source {
    @Override
    public void start(ToolRegistry tools, ToolDefaults defaults, Services services) {
      tools.register(
          Tool.dynamic("test_trigger_tool_change")
              .description("Adds or removes a tool.")
              .handler(arguments -> {
                if (!tools.remove("test_extra")) {
                  tools.register(
                      Tool.dynamic("test_extra").description("Was added.").handler(any -> "extra"));
                }
                return "changed";
              }));
    }

    @Override
    public void close() {}
  }

  private static Tool parts(String name, String part) {
    return Tool.dynamic(name)
        .description("Gives something else than text.")
        .handler(arguments ->
            ToolResult.builder(true)
                .text("")
                .data(Json.text("{\"parts\":[" + part + "]}"))
                .build());
  }

  private static String image() {
    return "{\"type\":\"image\",\"data\":\"%s\",\"mimeType\":\"image/png\"}".formatted(PIXEL);
  }

  private static String audio() {
    return "{\"type\":\"audio\",\"data\":\"%s\",\"mimeType\":\"audio/wav\"}".formatted(SILENCE);
  }

  private static String resource(String uri) {
    return "{\"type\":\"resource\",\"resource\":{\"uri\":\"%s\",\"mimeType\":\"text/plain\",\"text\":\"This is an embedded resource content.\"}}"
        .formatted(uri);
  }

  @Override
  public void close() {
    relay.stop(0);
    server.close();
    mcp.close();
    agent.close();
  }
}
