package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import io.javalin.Javalin;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A process with a server whose agent says words at a pace and calls tools, or with a bare Javalin
/// that writes as many events at that pace; to get warm, at a quick one. Words tell when they were
/// said. It says on demand how much processor time and memory it has used.
final class LoadedServer {
  static final String AGENT = "Desk";
  static final int TOOLS = 3;
  static final int WORDS = 10; // before each call, and at the end
  private static final int QUICK_MILLIS = 5;

  private LoadedServer() {}

  /// Serves until its input ends.
  ///
  /// @param args `echo`, `memory` or `sqlite`; the pace in milliseconds; the folder
  public static void main(String[] args) throws Exception {
    int pace = Integer.parseInt(args[1]);
    int port = args[0].equals("echo") ? echo(pace) : serve(args[0].equals("sqlite"), pace, args[2]);
    System.out.println(port);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(line.equals("heap") ? heap() : processor());
    }
    System.exit(0);
  }

  private static long processor() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static String word() {
    return "@" + System.nanoTime() + " ";
  }

  private static void pause(int pace) {
    try {
      TimeUnit.MILLISECONDS.sleep(pace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int echo(int pace) {
    Javalin echo =
        Javalin.create(config -> {
          config.startup.showJavalinBanner = false;
          config.concurrency.useVirtualThreads = true;
          config.routes.get("/events", ctx -> echo(ctx, pace));
        });
    echo.start("127.0.0.1", 0);
    return echo.port();
  }

  private static void echo(Context ctx, int pace) throws IOException {
    int events = Integer.parseInt(String.valueOf(ctx.queryParam("events")));
    int pause = ctx.queryParam("quick") == null ? pace : QUICK_MILLIS;
    ctx.res().setContentType("text/event-stream");
    ServletOutputStream out = ctx.res().getOutputStream();
    out.flush();
    for (int i = 1; i <= events; i++) {
      pause(pause);
      String event =
          "id: %d\ndata: {\"type\":\"content\",\"content\":\"".formatted(i) + word() + "\"}\n\n";
      out.write(event.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private static int serve(boolean sqlite, int pace, String folder) {
    ConversationStore store =
        sqlite ? Storage.sqlite(Path.of(folder, "desk.db"), AGENT) : new InProcessConversations();
    Agent agent =
        Agent.builder(AGENT)
            .model(new Model(pace))
            .tools(Tool.dynamic("get_step").handler(arguments -> "ok"))
            .rules(ToolRule.maxCalls("get_step", 1_000_000))
            .store(store)
            .build();
    Server server =
        Server.builder(Tokens.open(Path.of(folder, "tokens"), null, Time.SYSTEM))
            .agents(agent)
            .rate(1_000_000, 1_000_000)
            .port(0)
            .start();
    return server.port();
  }

  private record Model(int pace) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      int step = 0;
      String said = "";
      for (Message message : request.messages().reversed()) {
        if (message instanceof Message.User(String text, var files)) {
          said = text;
          break;
        }
        step += message instanceof Message.Result ? 1 : 0;
      }
      if (said.equals("short")) {
        return ModelReply.text("Yes.");
      }
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < WORDS; i++) {
        pause(said.equals("quick") ? QUICK_MILLIS : pace);
        String word = word();
        all.append(word);
        stream.text(word);
      }
      return step == TOOLS
          ? ModelReply.text(all.toString())
          : new ModelReply(
              all.toString(),
              List.of(RequestedCall.of("", "get_step", "{}")),
              ModelReply.FinishReason.TOOL_CALLS,
              Usage.NONE);
    }
  }
}
