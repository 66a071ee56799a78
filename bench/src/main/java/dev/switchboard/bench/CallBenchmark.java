package dev.switchboard.bench;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.tool.ToolCall;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.springframework.ai.tool.ToolCallback;
import tools.jackson.databind.json.JsonMapper;

/// One call, from the model's text to the text that the model reads: ours, and its peers.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class CallBenchmark {
  private final Shop shop = new Shop();
  private final ToolExecutor inline = Contenders.inline();
  private final ToolExecutor isolated = Contenders.isolated();
  private final ToolSession endless = ToolSession.of("benchmark");
  private ToolSession conversation = endless;
  private final DefaultToolExecutor langChain4j = Contenders.langChain4j();
  private final ToolExecutionRequest request = Contenders.langChain4jRequest();
  private final ToolCallback springFunction = Contenders.springFunction();
  private final ToolCallback springMethod = Contenders.springMethod();
  private String arguments = Shop.ARGUMENTS;
  private int order;

  /// Makes sure that all do the same.
  @Setup
  public void compare() throws InterruptedException {
    JsonMapper mapper = new JsonMapper();
    var floor = mapper.readTree(floor());
    String[] answers = {
      inline(), isolated(), floorOnThread(), langChain4j(), springFunction(), springMethod()
    };
    for (String answer : answers) {
      if (!mapper.readTree(answer).equals(floor)) {
        throw new IllegalStateException("not the same answer: " + answer);
      }
    }
  }

  @Benchmark
  public String floor() {
    return shop.orderPlainly(arguments);
  }

  /// The floor on a virtual thread that the caller waits for.
  @Benchmark
  public String floorOnThread() throws InterruptedException {
    String[] answer = new String[1];
    Thread.ofVirtual().start(() -> answer[0] = shop.orderPlainly(arguments)).join();
    return answer[0];
  }

  @Benchmark
  public String inline() {
    return text(inline.execute(ToolCall.of(Contenders.NAME, arguments)).text());
  }

  /// In conversations of 100 calls each, one after the other.
  @Benchmark
  public String inlineInConversation() {
    if (order % 100 == 0) {
      conversation = ToolSession.of("benchmark");
    }
    return inline(conversation);
  }

  /// In one conversation, which remembers as many calls as it ever does.
  @Benchmark
  public String inlineInEndless() {
    return inline(endless);
  }

  private String inline(ToolSession session) {
    return text(inline.execute(ToolCall.of(Contenders.NAME, Shop.order(order++)), session).text());
  }

  /// The floor of what is asked for in a conversation, which differs from call to call.
  @Benchmark
  public String floorOfMany() {
    return shop.orderPlainly(Shop.order(order++));
  }

  @Benchmark
  public String isolated() {
    return text(isolated.execute(ToolCall.of(Contenders.NAME, arguments)).text());
  }

  @Benchmark
  public String langChain4j() {
    return langChain4j.execute(request, "benchmark");
  }

  @Benchmark
  public String springFunction() {
    return springFunction.call(arguments);
  }

  @Benchmark
  public String springMethod() {
    return springMethod.call(arguments);
  }

  private static String text(@org.jspecify.annotations.Nullable String text) {
    if (text == null) {
      throw new IllegalStateException("a settled result has a text");
    }
    return text;
  }
}
