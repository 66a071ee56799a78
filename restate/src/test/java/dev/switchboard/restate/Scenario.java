package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.loop.Input;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What is talked about in every conversation that is compared: tools side by side, one that is
/// tried again, one that a person has to agree to, a cooldown, an exit, an edit of memory; and the
/// world in which all that leaves its traces.
final class Scenario implements AutoCloseable {
  static final String AGENT = "sweep";
  private static final RetryPolicy QUICKLY =
      RetryPolicy.DEFAULT.withPauses(Duration.ofMillis(1), Duration.ofMillis(1));
  static final int DEEDS = 6; // in a conversation

  final ConversationStore store;
  private final MemoryStore memory;
  private final Time time;
  private final Runnable closing;
  // How often each deed was done, by its tool and idempotency key; guarded by itself.
  private final Map<String, Integer> deeds = new TreeMap<>();
  private final Map<String, Integer> tries = new TreeMap<>(); // guarded by deeds
  private int asked; // how often the model was; guarded by deeds

  private Scenario(ConversationStore store, MemoryStore memory, Time time, Runnable closing) {
    this.store = store;
    this.memory = memory;
    this.time = time;
    this.closing = closing;
  }

  /// In a file.
  static Scenario in(Path folder) {
    Storage storage = Storage.open("sqlite:scenario.db", folder);
    return new Scenario(
        storage.conversations(AGENT), storage.memory(), Time.SYSTEM, storage::close);
  }

  /// In this process, by a clock made by hand.
  static Scenario on(ConversationStore store) {
    return new Scenario(store, new InProcessMemory(), new ManualTime(), () -> {});
  }

  static Input.Said first() {
    return new Input.Said("first", "Do it all.");
  }

  static Input.Answered answer(String request) {
    return new Input.Answered("answer/" + request, request, Answer.approveOnce());
  }

  static Input.Said second() {
    return new Input.Said("second", "Thank you.");
  }

  Agent agent() {
    return Agent.builder(AGENT)
        .model(ScriptedModel.answering(this::reply))
        .tools(
            tool("get_one"),
            tool("get_flaky"),
            tool("load_first"),
            tool("local_risky"),
            tool("save_it"),
            tool("send_it"))
        .rules(
            ToolRule.startWith("load_first"),
            ToolRule.cooldown("get_one", Duration.ofHours(1)),
            ToolRule.consent("local_risky"),
            ToolRule.requiredBeforeExit("save_it"),
            ToolRule.exitAfter("send_it"))
        .firstMessage("Hello.")
        .store(store)
        .memory(memory)
        .time(time)
        .blocks(List.of(Block.of(AGENT, "notes", Block.Kind.WORKING)))
        .builtIns("block")
        .build();
  }

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .parallel(true)
        .retry(QUICKLY)
        .handler((arguments, context) -> work(name, context));
  }

  private String work(String name, ToolContext context) throws IOException {
    synchronized (deeds) {
      String key = name + "@" + context.conversationId() + " " + context.idempotencyKey();
      if (name.equals("get_flaky") && tries.merge(key, 1, Integer::sum) == 1) {
        throw new IOException("not yet");
      }
      deeds.merge(key, 1, Integer::sum);
      return name + " done";
    }
  }

  /// How often each deed was done in that conversation.
  Map<String, Integer> deeds(String conversation) {
    synchronized (deeds) {
      Map<String, Integer> own = new TreeMap<>();
      deeds.forEach((key, times) -> {
        if (key.contains("@" + conversation + " ")) {
          own.put(key, times);
        }
      });
      return own;
    }
  }

  int asked() {
    synchronized (deeds) {
      return asked;
    }
  }

  private ModelReply reply(ModelRequest request) {
    synchronized (deeds) {
      asked++;
    }
    return script(request.messages());
  }

  /// What the model says, by what it has read.
  private static ModelReply script(List<Message> read) {
    return switch (read.getLast()) {
      case Message.User(String text, var files) ->
          text.equals("Do it all.")
              ? calls("get_one", "get_flaky", "local_risky", "block")
              : ModelReply.text("You are welcome.");
      case Message.Result result ->
          knows(read, "send_it")
              ? calls("save_it")
              : knows(read, "local_risky")
                  ? knowsTwice(read, "get_one") ? calls("send_it") : calls("get_one")
                  : calls("get_one", "get_flaky", "local_risky", "block");
      case Message.Notice notice -> calls("save_it");
      case Message.Assistant said -> ModelReply.text("?");
      case Message.System system -> ModelReply.text("?");
    };
  }

  private static boolean knows(List<Message> read, String tool) {
    return read.stream().anyMatch(message -> isResultOf(message, tool));
  }

  private static boolean knowsTwice(List<Message> read, String tool) {
    return read.stream().filter(message -> isResultOf(message, tool)).count() > 1;
  }

  private static boolean isResultOf(Message message, String tool) {
    return message instanceof Message.Result result && result.tool().equals(tool);
  }

  private static ModelReply calls(String... tools) {
    List<RequestedCall> calls = new ArrayList<>();
    for (String tool : tools) {
      String arguments =
          tool.equals("block")
              ? "{\"operation\":\"append\",\"label\":\"notes\",\"content\":\" done\"}"
              : "{}";
      calls.add(RequestedCall.of("same", tool, arguments));
    }
    return ModelReply.calls(calls.toArray(RequestedCall[]::new));
  }

  /// The lines of a conversation and the results of its calls, without times.
  List<String> transcript(String conversation) {
    List<String> all = new ArrayList<>();
    for (Line line : store.lines(conversation, 1000)) {
      all.add(line.key() + " " + line.entry().text().replaceAll("\"at\":\"[^\"]*\",?|\\d+ ms", ""));
    }
    for (int turn = 0; turn <= 2; turn++) {
      store.settledCalls(conversation, turn).stream()
          .map(call ->
              call.call().id()
                  + " "
                  + call.call().name()
                  + " "
                  + String.valueOf(call.result().text()).replaceAll("\\d+ ms", ""))
          .sorted()
          .forEach(all::add);
    }
    return all;
  }

  String memory(Agent agent) {
    return agent.memory().block("notes").block().value();
  }

  @Override
  public void close() {
    store.close();
    closing.run();
  }
}
