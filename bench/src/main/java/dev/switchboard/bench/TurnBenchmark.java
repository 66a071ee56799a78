package dev.switchboard.bench;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import tools.jackson.databind.json.JsonMapper;

/// One turn, from the user's words over one call to the model's last words: ours, and its peers.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class TurnBenchmark {
  private static final String LONG = "long";

  private final Script model = new Script();
  private final Agent isolated = Assistants.isolated(model);
  private final Agent inline = Assistants.inline(model);
  private final Assistants.Remembering langChain4j = Assistants.langChain4j(model);
  private final Assistants.Remembering langChain4jIsolated = Assistants.langChain4jIsolated(model);
  private final Assistants.Forgetful langChain4jForgetful = Assistants.langChain4jForgetful(model);
  private final ChatMemory springMemory = Assistants.springMemory();
  private final ChatClient spring = Assistants.spring(model, springMemory);
  private final ChatClient springForgetful = Assistants.springForgetful(model);
  private int turn;

  /// Makes sure that all do the same.
  @Setup
  public void compare() {
    JsonMapper mapper = new JsonMapper();
    var floor = mapper.readTree(new Shop().orderPlainly(Shop.order(0)));
    List<Supplier<String>> all =
        List.of(
            this::isolatedNew,
            this::inlineNew,
            this::langChain4jNew,
            this::langChain4jIsolatedNew,
            this::langChain4jForgetful,
            this::springNew,
            this::springForgetful,
            this::isolatedLong,
            this::inlineLong,
            this::langChain4jLong,
            this::springLong);
    for (Supplier<String> one : all) {
      turn = 0;
      String answer = one.get();
      if (!mapper.readTree(answer).equals(floor)) {
        throw new IllegalStateException("not the same answer: " + answer);
      }
    }
  }

  @Benchmark
  public String isolatedNew() {
    return sayInNew(isolated);
  }

  @Benchmark
  public String inlineNew() {
    return sayInNew(inline);
  }

  private String sayInNew(Agent agent) {
    try (Conversation conversation = agent.conversation("new " + turn)) {
      return say(conversation);
    }
  }

  private String say(Conversation conversation) {
    return switch (conversation.say(Shop.order(turn++))) {
      case Turn.Reply(String text) -> text;
      case Turn.Pending pending -> throw new IllegalStateException("nobody is asked");
      case Turn.Stopped stopped -> throw new IllegalStateException(stopped.text());
    };
  }

  @Benchmark
  public String isolatedLong() {
    return say(isolated.conversation(LONG));
  }

  @Benchmark
  public String inlineLong() {
    return say(inline.conversation(LONG));
  }

  @Benchmark
  public String langChain4jNew() {
    return chatInNew(langChain4j);
  }

  @Benchmark
  public String langChain4jIsolatedNew() {
    return chatInNew(langChain4jIsolated);
  }

  private String chatInNew(Assistants.Remembering assistant) {
    String conversation = "new " + turn;
    String answer = assistant.chat(conversation, Shop.order(turn++));
    assistant.evictChatMemory(conversation);
    return answer;
  }

  @Benchmark
  public String langChain4jForgetful() {
    return langChain4jForgetful.chat(Shop.order(turn++));
  }

  @Benchmark
  public String langChain4jLong() {
    return langChain4j.chat(LONG, Shop.order(turn++));
  }

  @Benchmark
  public String springNew() {
    String conversation = "new " + turn;
    String answer = Assistants.chat(spring, conversation, Shop.order(turn++));
    springMemory.clear(conversation);
    return answer;
  }

  @Benchmark
  public String springForgetful() {
    return String.valueOf(springForgetful.prompt().user(Shop.order(turn++)).call().content());
  }

  @Benchmark
  public String springLong() {
    return Assistants.chat(spring, LONG, Shop.order(turn++));
  }
}
