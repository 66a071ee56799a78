package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.DataSources;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.Tool.DynamicBuilder.ContextHandler;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a handler gets of an executor that stands alone, and of one with services.
class ServicesTest {
  private final InProcessMemory store = new InProcessMemory();
  private final List<Letter> letters = new ArrayList<>();

  private static Tool tool(String name, ContextHandler handler) {
    return Tool.dynamic(name).handler(handler);
  }

  private static ToolResult run(ToolExecutor executor, String tool) {
    return executor.execute(ToolCall.of(tool, "{}"));
  }

  private ToolExecutor served(Tool... tools) {
    Services services =
        Services.of("Waiter", store, Time.SYSTEM)
            .withRouter(letter -> {
              letters.add(letter);
              return Delivery.DONE;
            })
            .withSources(DataSources.of("tables", List.of("T4")));
    return ToolExecutor.builder().tools(tools).services(services).time(new ManualTime()).build();
  }

  private static String remembered(ToolContext context) {
    Memory memory = context.services().memory();
    if (memory.blocks().isEmpty()) {
      memory.create(Block.of(context.agentId(), "seen", Block.Kind.CORE));
    }
    return memory.append("seen", "x").value();
  }

  @Test
  void aBareExecutorHasMemoryOfItsOwnForAsLongAsItLives() {
    Tool remember = tool("remember", (arguments, context) -> remembered(context));
    ToolExecutor executor = ToolExecutor.of(remember);

    assertThat(run(executor, "remember").text()).isEqualTo("x");
    assertThat(run(executor, "remember").text()).isEqualTo("xx");
    assertThat(run(ToolExecutor.of(remember), "remember").text()).isEqualTo("x");
  }

  @Test
  void bareExecutorHasNoAgentRouterModelOrPerson() {
    ToolExecutor executor =
        ToolExecutor.of(
            tool(
                "look",
                (arguments, context) -> {
                  Services services = context.services();
                  Letter letter = Letter.of(context, new Target("user", ""), "Hi");
                  return List.of(
                      context.agentId(),
                      services.router().send(letter),
                      String.valueOf(services.model()),
                      services.sources().names(),
                      context.consent().ask("Shall I?"));
                }));

    assertThat(run(executor, "look").text())
        .isEqualTo(
            "[\"\",{\"delivered\":0,\"failed\":1,\"problem\":\"no one listens to this"
                + " conversation\"},\"null\",[],{\"agreed\":false,\"reason\":\"there is no one to"
                + " ask\"}]");
  }

  @Test
  void givesWhatTheExecutorWasGivenAlsoToNestedCalls() {
    Tool inner =
        tool(
            "inner",
            (arguments, context) ->
                context.agentId()
                    + context.services().sources().get("tables", List.class)
                    + remembered(context));
    Tool outer =
        tool(
            "outer",
            (arguments, context) -> context.tools().call("inner", Json.EMPTY_OBJECT).text());

    assertThat(run(served(inner, outer), "outer").text()).isEqualTo("Waiter[T4]x");
    assertThat(store.blocks("Waiter")).hasSize(1);
  }

  @Test
  void permissionsAndSharesHoldForHandlers() {
    Memory concierge = Memory.of(store, "Concierge", Time.SYSTEM);
    concierge.create(Block.of("Concierge", "guest", Block.Kind.CORE).withValue("Ada"));
    concierge.share("guest", "Waiter", Permission.APPEND, List.of("Waiter"));
    ToolExecutor executor =
        served(
            tool(
                "note",
                (arguments, context) -> context.services().memory().append("guest", ", T4")),
            tool(
                "rename",
                (arguments, context) ->
                    context.services().memory().replace("guest", "Ada", "Zoe", false)));

    assertThat(run(executor, "note").success()).isTrue();
    assertThat(concierge.block("guest").block().value()).isEqualTo("Ada, T4");
    assertThat(run(executor, "rename").error())
        .isEqualTo(
            "Permission denied: block 'guest' has the permission 'append', and 'replace' needs"
                + " 'read_write'.");
    assertThat(concierge.block("guest").block().value()).isEqualTo("Ada, T4");
  }

  @Test
  void aLetterHasTheSameIdWheneverTheSameCallSendsIt() {
    Target chef = new Target("agent", "Chef");
    Tool twice =
        tool(
            "tell",
            (arguments, context) -> {
              for (String text : List.of("Soup", "Fish")) {
                Delivery unused = context.services().router().send(Letter.of(context, chef, text));
              }
              return context.attempt() < 2 ? fail() : "told";
            });

    ToolResult told = run(served(twice), "tell");

    assertThat(told.text()).isEqualTo("told");
    assertThat(letters).hasSize(4).extracting(Letter::from).containsOnly("Waiter");
    assertThat(letters.get(0)).isEqualTo(letters.get(2)).isNotEqualTo(letters.get(1));
    assertThat(letters.stream().map(Letter::id).distinct()).hasSize(2);
  }

  private static String fail() {
    throw new IllegalStateException("once");
  }

  @Test
  void anUnknownSourceIsAFailureOfTheCall() {
    Tool tool =
        tool(
            "orders",
            (arguments, context) -> context.services().sources().get("orders", List.class));
    ToolExecutor executor =
        ToolExecutor.builder().tools(tool).exposeErrors(true).time(new ManualTime()).build();

    ToolResult result = run(executor, "orders");

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).contains("there is no data source 'orders', and no other");
  }
}
