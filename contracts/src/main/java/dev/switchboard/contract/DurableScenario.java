package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// What a durable host has to hold a conversation through: tools side by side, one of which is
/// tried again, a call that a person is asked about, a cooldown, an edit of memory, and a tool that
/// ends the loop. The world outside of all processes, which counts each deed under its key.
public final class DurableScenario {
  /// How often each deed was done, by its tool and idempotency key.
  public final Map<String, Integer> deeds = new ConcurrentHashMap<>();

  /// What the agent remembers, wherever it runs.
  public final MemoryStore memory = new InProcessMemory();

  /// The agent's name.
  public final String name;

  private final Map<String, Integer> tries = new ConcurrentHashMap<>();

  /// Open when a slow tool is at work.
  public final CountDownLatch slow = new CountDownLatch(1);

  /// With an agent of a name of its own, where others are known in the same place.
  public DurableScenario(String name) {
    this.name = name;
  }

  /// With the agent that is named as the scenario is.
  public DurableScenario() {
    this("durable");
  }

  /// The agent on one machine, whose work that runs through before each deed.
  public AgentBuilder agent(ConversationStore store, Before before) {
    return Agent.builder(name)
        .model(ScriptedModel.answering(request -> script(request)))
        .prompt("You are tried.")
        .memory(memory)
        .blocks(List.of(Block.of(name, "notes", Block.Kind.WORKING)))
        .builtIns("block")
        .tools(
            tool("get_one", before),
            tool("get_flaky", before),
            tool("local_pay", before),
            tool("get_rate", before),
            tool("send_it", before),
            slow())
        .rules(
            ToolRule.consent("local_pay"),
            ToolRule.cooldown("get_rate", Duration.ofHours(1)),
            ToolRule.exitAfter("send_it"))
        .consentTimeout(Duration.ofMinutes(5))
        .store(store);
  }

  /// What comes before a deed, such as the death of its machine.
  public interface Before {
    void deed(ToolContext context);

    /// What comes between a deed and its result.
    default void result(ToolContext context) {}

    /// Runs after an attempt without an effect.
    default void failed(ToolContext context) {}
  }

  private Tool tool(String name, Before before) {
    return Tool.dynamic(name)
        .parallel(true)
        .retry(RetryPolicy.DEFAULT)
        .handler((arguments, context) -> {
          before.deed(context);
          return done(name, before, context);
        });
  }

  private String done(String name, Before before, ToolContext context) throws IOException {
    String key = name + " " + context.idempotencyKey();
    if (name.equals("get_flaky") && tries.merge(key, 1, Integer::sum) == 1) {
      before.failed(context);
      throw new IOException("not yet");
    }
    deeds.merge(key, 1, Integer::sum);
    before.result(context);
    return name + " done";
  }

  /// One that ends only when it is cancelled.
  private Tool slow() {
    return Tool.dynamic("get_slow")
        .timeout(Duration.ofMinutes(1))
        .handler((arguments, context) -> {
          slow.countDown();
          new CountDownLatch(1).await();
          return "never";
        });
  }

  /// What the model says, by what it has read last.
  private static ModelReply script(ModelRequest request) {
    List<Message> read = request.messages();
    return switch (read.getLast()) {
      case Message.User(String text, var files) ->
          switch (text) {
            case "Do it all." -> calls("get_one", "get_flaky", "local_pay");
            case "Be slow." -> calls("get_slow");
            case "Pay." -> calls("local_pay");
            default -> ModelReply.text("Heard: " + text);
          };
      case Message.Result result -> after(result.tool(), read);
      case Message.Notice notice -> ModelReply.text("Noticed.");
      case Message.Assistant said -> ModelReply.text("?");
      case Message.System system -> ModelReply.text("?");
    };
  }

  private static ModelReply after(String tool, List<Message> read) {
    return switch (tool) {
      case "local_pay" ->
          isAll(read)
              ? ModelReply.calls(
                  RequestedCall.of("n", "block", NOTE), RequestedCall.of("r", "get_rate", "{}"))
              : ModelReply.text("Paid or not.");
      case "get_rate" -> rates(read) < 2 ? calls("get_rate") : calls("send_it");
      default -> ModelReply.text("What?");
    };
  }

  private static final String NOTE =
      "{\"operation\":\"append\",\"label\":\"notes\",\"content\":\"It was paid. \"}";

  private static boolean isAll(List<Message> read) {
    return read.stream()
        .anyMatch(message ->
            message instanceof Message.User(String text, var files) && text.equals("Do it all."));
  }

  private static long rates(List<Message> read) {
    return read.stream()
        .filter(
            message -> message instanceof Message.Result result && result.tool().equals("get_rate"))
        .count();
  }

  private static ModelReply calls(String... tools) {
    List<RequestedCall> calls = new ArrayList<>();
    for (String tool : tools) {
      calls.add(RequestedCall.of("same", tool, "{}"));
    }
    return ModelReply.calls(calls.toArray(RequestedCall[]::new));
  }

  /// The lines of a conversation without what differs each time.
  public static List<String> transcript(ConversationStore store, String conversation) {
    List<String> lines = new ArrayList<>();
    for (ConversationStore.Line line : store.lines(conversation, 1000)) {
      String text =
          line.entry()
              .text()
              .replaceAll("\"at\":\"[^\"]*\",?", "")
              .replaceAll("retry in \\d+ ms", "retry later");
      lines.add(line.key() + " " + text);
    }
    return lines;
  }

  /// The lines of the scenario's conversation, on whichever host it is held.
  public static List<String> expected() {
    try (InputStream file = DurableScenario.class.getResourceAsStream("/durable/transcript.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Checks that each deed of the scenario was done once, and remembered once.
  public void checkDeeds() {
    assertThat(deeds.values()).as("deeds: %s", deeds).hasSize(5).containsOnly(1);
    assertThat(memory.block(name, "notes")).extracting(Block::value).isEqualTo("It was paid. ");
  }
}
