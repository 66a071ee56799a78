package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.agent.Budget.Then;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// An agent with a random set of rules, and a model that says anything.
final class FuzzedAgent {
  private static final List<String> TOOLS =
      List.of(
          "get_a",
          "get_b",
          "get_fail",
          "get_end",
          "get_bad",
          "local_r",
          "save_it",
          "send_it",
          "load_it",
          "make_n");
  private static final List<String> ARGUMENTS =
      List.of("{}", "{\"n\":1}", "{\"n\":\"x\"}", "{\"n\":", "", "[]", "null", "\"\"", "{\"n\":2}");
  private static final List<String> IDS =
      List.of("", " ", "same", "call_1_1_1", "call_2_1_2", "auto_1_1_load_it", "x1", "x2");

  final ConversationStore durable;
  final ManualTime time = new ManualTime();
  final Map<String, Integer> deeds = new TreeMap<>();
  final int most;
  private final int seed;
  private final int iterations;
  private final Random script;

  FuzzedAgent(int seed, ConversationStore durable) {
    this.seed = seed;
    this.durable = durable;
    script = new Random(seed * 31L);
    most = 1 + script.nextInt(30);
    iterations = 1 + script.nextInt(6);
  }

  Agent agent(DyingStore store) {
    List<Tool> tools = new ArrayList<>();
    for (String name : TOOLS) {
      tools.add(tool(name, store));
    }
    AgentBuilder builder = Agent.builder("fuzz");
    if (seed % 4 == 1) {
      builder.reply(Json.text("{\"type\":\"object\",\"required\":[],\"properties\":{}}"));
    }
    if (seed % 5 == 1) {
      builder.fallback(new Babbler(store));
    }
    return builder
        .model(new Babbler(store))
        .tools(tools)
        .rules(rules(new Random(seed)))
        .limits(new AgentLimits(iterations, Duration.ofSeconds(30), most))
        .firstMessage("Hello.")
        .denyPending(seed % 3 == 0)
        .budget(budget())
        .store(store)
        .time(time)
        .build();
  }

  private Budget budget() {
    return switch (seed % 6) {
      case 2 -> Budget.NONE.withConversation(Limit.ofTokens(5_000)).withThen(Then.ASK);
      case 4 -> Budget.NONE.withDay(Limit.ofTokens(7_000)).withThen(Then.ASK);
      case 5 -> Budget.NONE.withTurn(Limit.ofTokens(8_000));
      default -> Budget.NONE;
    };
  }

  private static List<ToolRule> rules(Random random) {
    List<ToolRule> all =
        new ArrayList<>(
            List.of(
                ToolRule.startWith("load_it"),
                ToolRule.after("send_it", "get_a"),
                ToolRule.maxCalls("get_b", 1 + random.nextInt(2)),
                ToolRule.requiredBeforeExit("save_it"),
                ToolRule.requiredBeforeExitIf("make_n", "get_a"),
                ToolRule.exitAfter("send_it"),
                ToolRule.consent("get_b"),
                ToolRule.oneOf("get_a", "get_b"),
                ToolRule.requiredBeforeExit("get_fail"),
                ToolRule.maxCalls("save_it", 1),
                ToolRule.next("get_a", "make_n", "get_b"),
                ToolRule.onlyAfter("get_b", "make_n"),
                ToolRule.nextBy("make_n", Map.of("1", "save_it")),
                ToolRule.every("get_fail", Duration.ofSeconds(20)),
                ToolRule.cooldown("get_a", Duration.ofSeconds(30))));
    all.removeIf(rule -> random.nextInt(3) == 0);
    return all;
  }

  private Tool tool(String name, DyingStore store) {
    String schema =
        name.equals("make_n")
            ? "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"
            : "{\"type\":\"object\"}";
    return Tool.dynamic(name, schema).handler((arguments, context) -> work(name, context, store));
  }

  private Object work(String name, ToolContext context, DyingStore store) {
    store.beginDeed(context.toolCallId());
    synchronized (deeds) {
      deeds.merge(name + " " + context.idempotencyKey(), 1, Integer::sum);
    }
    boolean odd = context.idempotencyKey().hashCode() % 3 == 0;
    return switch (name) {
      case "get_fail" -> throw ToolException.permanent("broken");
      case "load_it" -> {
        if (odd) {
          throw ToolException.permanent("not loaded");
        }
        yield "loaded";
      }
      case "get_end" -> ToolResult.builder(true).terminal(true).message("The end.").build();
      case "get_bad" -> ToolResult.builder(false).error("over").build();
      case "get_a" -> "a\ud800\u0000 " + "y".repeat(odd ? 100_000 : 3);
      default -> name + " done";
    };
  }

  /// Says anything, but has to be asked in good order.
  private final class Babbler implements ChatModel {
    private final DyingStore store;

    Babbler(DyingStore store) {
      this.store = store;
    }

    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      store.alive();
      checkHistory("seed " + seed, request.messages(), true);
      synchronized (script) {
        return babble(stream).withUsage(new Usage(2_000, script.nextInt(300)));
      }
    }

    private ModelReply babble(ReplyStream stream) {
      return switch (script.nextInt(14)) {
        case 0 ->
            throw new ModelException(
                ModelException.Kind.values()[script.nextInt(6)],
                "fails",
                Duration.ofSeconds(script.nextInt(40)),
                null);
        case 1 -> throw new IllegalStateException("odd");
        case 2 -> ModelReply.text("");
        case 3, 4, 5, 6 -> {
          String words = script.nextInt(4) == 0 ? "{\"n\":1}" : "Some words";
          stream.text(words);
          yield ModelReply.text(words);
        }
        default -> calls();
      };
    }

    private ModelReply calls() {
      List<RequestedCall> calls = new ArrayList<>();
      int count = script.nextInt(20) == 0 ? 60 : 1 + script.nextInt(4);
      for (int i = 0; i < count; i++) {
        String name = script.nextInt(12) == 0 ? "" : any(TOOLS);
        name = script.nextInt(9) == 0 ? "final_reply" : name;
        String arguments = script.nextInt(3) == 0 ? any(ARGUMENTS) : "{\"n\":" + i + "}";
        calls.add(RequestedCall.of(any(IDS), name, arguments));
      }
      return ModelReply.calls(calls.toArray(RequestedCall[]::new));
    }

    private String any(List<String> words) {
      return words.get(script.nextInt(words.size()));
    }
  }

  /// Every call has its result right behind it, under an id of its own.
  static void checkHistory(String name, List<Message> messages, boolean asked) {
    Set<String> ids = new HashSet<>();
    List<String> open = new ArrayList<>();
    for (Message message : messages) {
      switch (message) {
        case Message.Assistant(String text, List<RequestedCall> calls, var items) -> {
          assertThat(open).as("%s: %s", name, messages).isEmpty();
          calls.forEach(call -> open.add(call.id()));
          assertThat(ids.addAll(open) || open.isEmpty()).as("%s: %s", name, open).isTrue();
          assertThat(new HashSet<>(open)).as("%s", name).hasSameSizeAs(open);
        }
        case Message.Result result ->
            assertThat(open.remove(result.callId())).as("%s: %s", name, messages).isTrue();
        case Message.User user -> assertThat(open).as("%s: %s", name, messages).isEmpty();
        case Message.Notice notice -> assertThat(open).as("%s: %s", name, messages).isEmpty();
        case Message.System system -> assertThat(message).isSameAs(messages.getFirst());
      }
    }
    assertThat(open).as("%s: %s", name, messages).isEmpty();
    assertThat(asked && messages.isEmpty()).isFalse();
  }
}
