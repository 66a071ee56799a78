import module java.base;
import module jdk.httpserver;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;

/// Makes the trips in a JVM of its own, whose method entries [Trace] records between `begin` and
/// `end`. It uses only what users import, so that it compiles against older checkouts too.
public final class TripDriver {
  private static final int WARM_UPS = 40;
  private static final int ROUNDS = 5;
  // Threads that a round left behind have ended by then.
  private static final long REST = 50;

  private static final String ARGUMENTS = "{\"customer\":\"Ada %d\",\"quantity\":3}";

  private TripDriver() {}

  /// The arguments of the typed tool.
  public record Order(String customer, int quantity) {}

  /// Its answer.
  public record Receipt(String number, int quantity) {}

  /// Starts a recorded round of the trip of that name.
  static void begin(String trip) {}

  /// Ends a recorded round.
  static void end() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    HttpServer server = server();
    try {
      Tool webhook = webhook("127.0.0.1:" + server.getAddress().getPort());
      trip("call", calls(tool(), ARGUMENTS));
      trip("call of a session", callsOfSession(tool(), ARGUMENTS));
      trip("webhook", callsOfSession(webhook, "{\"order\":\"A-%d\"}"));
      trip("turn", turn());
    } finally {
      server.stop(0);
    }
    System.exit(0);
  }

  private static void trip(String name, IntFunction<Runnable> prepared)
      throws InterruptedException {
    for (int round = 0; round < WARM_UPS; round++) {
      prepared.apply(round).run();
    }
    for (int round = WARM_UPS; round < WARM_UPS + ROUNDS; round++) {
      Runnable made = prepared.apply(round);
      Thread.sleep(REST);
      begin(name);
      made.run();
      end();
    }
  }

  private static IntFunction<Runnable> calls(Tool tool, String arguments) {
    ToolExecutor executor = ToolExecutor.of(tool);
    return calls(tool, arguments, executor::execute);
  }

  private static IntFunction<Runnable> callsOfSession(Tool tool, String arguments) {
    ToolExecutor executor = ToolExecutor.of(tool);
    ToolSession session = ToolSession.of("trips");
    return calls(tool, arguments, call -> executor.execute(call, session));
  }

  private static IntFunction<Runnable> calls(
      Tool tool, String arguments, Function<ToolCall, ToolResult> execute) {
    return round -> {
      ToolCall call = ToolCall.of(tool.name(), arguments.formatted(round));
      return () -> check(execute.apply(call).success());
    };
  }

  private static Tool tool() {
    return Tool.typed("order", Order.class)
        .returns(Receipt.class)
        .mode(ToolMode.READ)
        .inline()
        .handler(order -> new Receipt("R-2026-0042", order.quantity()));
  }

  private static Tool webhook(String service) {
    String parameters = "{\"type\":\"object\",\"properties\":{\"order\":{\"type\":\"string\"}}}";
    return Tool.dynamic("status", parameters)
        .network(GuardedHttp.allowing(service))
        .webhook(URI.create("http://" + service + "/status"));
  }

  private static HttpServer server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", TripDriver::answer);
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] body = "{\"status\":\"shipped\",\"parts\":3}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static IntFunction<Runnable> turn() {
    ChatModel model =
        (request, stream) ->
            request.messages().getLast() instanceof Message.User(String words, var files)
                ? ModelReply.calls(RequestedCall.of("call_1", "order", words))
                : ModelReply.text("It is on its way.");
    Agent agent =
        Agent.builder("shop")
            .model(model)
            .prompt("You take the orders of a shop.")
            .tools(tool())
            .build();
    return round -> {
      Conversation conversation = agent.conversation("trip " + round);
      String words = ARGUMENTS.formatted(round);
      return () -> check(conversation.say(words) instanceof Turn.Reply);
    };
  }

  private static void check(boolean arrived) {
    if (!arrived) {
      throw new IllegalStateException("a trip did not succeed");
    }
  }
}
