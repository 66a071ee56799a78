package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A process with a server, which is killed. Its model says and calls what follows from the user's
/// words alone, and each run of a tool leaves a line in a file.
final class KilledServer {
  static final String AGENT = "Desk";
  static final int STEPS = 3;

  private static final long PAUSE_NANOS = 1_000_000;

  private KilledServer() {}

  static Path database(Path folder) {
    return folder.resolve("desk.db");
  }

  static Path tokens(Path folder) {
    return folder.resolve("tokens");
  }

  static Path runs(Path folder) {
    return folder.resolve("runs");
  }

  /// All that the agent says in the turn of these words.
  static String words(String said) {
    StringBuilder words = new StringBuilder();
    for (int step = 0; step < STEPS; step++) {
      words.append(words(said, step));
    }
    return words.append(words(said, STEPS)).toString();
  }

  private static String words(String said, int step) {
    return step < STEPS ? "Step %d of %s. ".formatted(step, said) : "Done " + said + ".";
  }

  /// The last step of a turn that asks needs a person.
  private static final class Model implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      int step = 0;
      for (Message message : request.messages().reversed()) {
        if (message instanceof Message.User(String said, var files)) {
          return reply(said, step, stream);
        }
        step += message instanceof Message.Result ? 1 : 0;
      }
      throw new IllegalStateException("nobody said anything");
    }

    private static ModelReply reply(String said, int step, ReplyStream stream) {
      String words = words(said, step);
      for (String word : words.split("(?<= )")) {
        stream.text(word);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      if (step == STEPS) {
        return ModelReply.text(words);
      }
      String tool = said.startsWith("ask") && step == STEPS - 1 ? "local_run" : "get_step";
      String arguments = Json.of(Map.of("turn", said, "step", step)).text();
      return new ModelReply(
          words,
          List.of(RequestedCall.of("", tool, arguments)),
          ModelReply.FinishReason.TOOL_CALLS,
          Usage.NONE);
    }
  }

  /// Serves until it is killed.
  ///
  /// @param args the folder, and how often it was killed before
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    String life = args[1];
    Storage storage = Storage.open("sqlite:" + database(folder), folder);
    Storage.Reservation unused = storage.reserve("life " + life);
    Agent agent =
        Agent.builder(AGENT)
            .model(new Model())
            .tools(tool("get_step", folder, life), tool("local_run", folder, life))
            .rules(
                ToolRule.maxCalls("get_step", 1_000_000), ToolRule.maxCalls("local_run", 1_000_000))
            .store(storage.conversations(AGENT))
            .build();
    Server server =
        Server.builder(Tokens.open(tokens(folder), null, Time.SYSTEM))
            .agents(agent)
            .rate(100_000, 100_000)
            .sole()
            .port(0)
            .start();
    System.out.println("port " + server.port());
    // Until it is killed, or told to end.
    while (System.in.read() >= 0) {
      server.close();
      System.out.println("closed");
      System.exit(0);
    }
  }

  private static Tool tool(String name, Path folder, String life) {
    return Tool.dynamic(
            name,
            """
            {"type":"object","properties":{"turn":{"type":"string"},"step":{"type":"integer"}}}\
            """)
        .handler((arguments, context) -> {
          note(folder, life, context);
          LockSupport.parkNanos(5 * PAUSE_NANOS);
          return "ok";
        });
  }

  private static void note(Path folder, String life, ToolContext context) {
    String line =
        String.join(
            " ",
            life,
            context.conversationId(),
            context.toolCallId(),
            context.idempotencyKey() + "\n");
    try {
      Files.writeString(runs(folder), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
