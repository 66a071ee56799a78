package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.DataSources;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What a handler gets beside its arguments, in one call of an agent.
class WholeContextTest {
  /// What the host keeps its prices in.
  interface Prices {
    int of(String dish);
  }

  private final ManualTime time = new ManualTime();
  private final InProcessMemory store = new InProcessMemory();
  private final Memory kitchen = Memory.of(store, "Kitchen", time);
  private final List<Letter> letters = new ArrayList<>();
  private final List<ConsentRequest> asked = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final ScriptedModel model = new ScriptedModel();
  private Answer answer = Answer.approveOnce();

  private Agent waiter(Tool... tools) {
    return Agent.builder("Waiter")
        .model(model)
        .memory(store)
        .time(time)
        .tools(tools)
        .router(
            new LocalRouter(time)
                .channel(
                    "kitchen",
                    letter -> {
                      letters.add(letter);
                      return Delivery.DONE;
                    }))
        .sources(DataSources.of("prices", (Prices) dish -> dish.length()))
        .approver(request -> {
          asked.add(request);
          return answer;
        })
        .build();
  }

  private final Tool stock =
      Tool.dynamic("get_stock")
          .handler((arguments, context) -> context.agentId() + " asks: 7 left");

  private final Tool order =
      Tool.dynamic("order").deadline(Duration.ofSeconds(9)).handler(WholeContextTest::order);

  private static String order(Json arguments, ToolContext context) throws Exception {
    Services services = context.services();
    context.progress("One moment");
    int price = services.sources().get("prices", Prices.class).of("soup");
    ToolContext.Consent.Reply reply = context.consent().ask("Order soup for " + price + "?");
    if (!reply.agreed()) {
      return "Not ordered: " + reply.reason();
    }
    String left = context.tools().call("get_stock", Json.EMPTY_OBJECT).text();
    ChatModel model = Objects.requireNonNull(services.model());
    ModelRequest question = ModelRequest.of(new Message.User("Hot or cold: soup?"));
    String kind = model.reply(question, ReplyStream.unheard()).text();
    Memory memory = services.memory();
    memory.create(Block.of(context.agentId(), "orders", Block.Kind.CORE).withValue("1 soup"));
    memory.share("orders", "Kitchen", Permission.APPEND, List.of("Kitchen"));
    memory.append("today", ", soup");
    Letter letter = Letter.of(context, new Target("channel", "kitchen"), "Soup, " + kind);
    return left + ", told " + services.router().send(letter).delivered();
  }

  private Turn ordered(Conversation talk) {
    return talk.say("Soup, please", events::add);
  }

  /// One order, to the end.
  private Agent afterAnOrder() {
    model.calls("order", "{}").says("Hot").says("Here it comes.");
    Agent agent = waiter(order, stock);
    kitchen.create(Block.of("Kitchen", "today", Block.Kind.CORE).withValue("fish"));
    kitchen.share("today", "Waiter", Permission.APPEND, List.of("Waiter"));
    assertThat(ordered(agent.conversation("t4"))).isEqualTo(new Turn.Reply("Here it comes."));
    model.assertDone();
    return agent;
  }

  private String lastResult() {
    return ((Message.Result) model.lastRequest().messages().getLast()).text();
  }

  private String lastPrompt() {
    return ((Message.System) model.lastRequest().messages().getFirst()).text();
  }

  @Test
  void asksAPersonAboutWhatASourceHasToldIt() {
    Agent agent = afterAnOrder();

    assertThat(agent.name()).isEqualTo("Waiter");
    assertThat(asked).extracting(ConsentRequest::reason).containsExactly("Order soup for 4?");
    assertThat(asked.getFirst().expiresAt()).isEqualTo(time.now().plusSeconds(9));
    assertThat(events)
        .contains(new Event.AgentEvent("consent_request", asked.getFirst().json()))
        .contains(Event.LoaderHint.progress("call_1_1_1", "One moment"));
  }

  @Test
  void anotherToolOfTheAgentHasTheSameServices() {
    Agent agent = afterAnOrder();

    assertThat(agent.conversation("t4").history()).hasSize(4);
    assertThat(lastResult()).isEqualTo("Waiter asks: 7 left, told 1");
  }

  @Test
  void asksTheModelAndWritesToAChannel() {
    Agent agent = afterAnOrder();

    assertThat(model.requests().get(1).messages())
        .containsExactly(new Message.User("Hot or cold: soup?"));
    assertThat(letters)
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.from()).isEqualTo(agent.name());
          assertThat(letter.conversation()).isEqualTo("t4");
          assertThat(letter.content()).isEqualTo("Soup, Hot");
        });
  }

  @Test
  void changesBlocksOfItsOwnAndThoseThatOthersShare() {
    Agent agent = afterAnOrder();

    assertThat(agent.memory().block("orders").block().value()).isEqualTo("1 soup");
    assertThat(kitchen.block("today").block().value()).isEqualTo("fish, soup");
    assertThat(kitchen.history("today", 1).getFirst().by()).isEqualTo("Waiter");
    assertThat(kitchen.block("orders").permission()).isEqualTo(Permission.APPEND);

    model.says("Gladly.");
    Turn unused = agent.conversation("t4").say("Thanks.");
    assertThat(lastPrompt()).doesNotContain("1 soup");
    assertThat(model.lastRequest().messages().getLast())
        .isInstanceOfSatisfying(
            Message.Notice.class,
            notice ->
                assertThat(notice.text())
                    .contains("<block label=\"orders\"", "1 soup", "fish, soup"));
  }

  @Test
  void aNoOfThePersonIsTheHandlersToHandle() {
    answer = Answer.deny("no soup for us");
    model.calls("order", "{}").says("As you like.");

    assertThat(ordered(waiter(order, stock).conversation("t4")))
        .isEqualTo(new Turn.Reply("As you like."));

    assertThat(lastResult()).isEqualTo("Not ordered: no soup for us");
    assertThat(letters).isEmpty();
    assertThat(store.blocks("Waiter")).isEmpty();
  }

  @Test
  void whereApprovalsAreLeftPendingNoOneCanBeAsked() {
    model.calls("order", "{}").says("Sorry.");
    Agent agent =
        Agent.builder("Waiter")
            .model(model)
            .tools(order)
            .sources(DataSources.of("prices", (Prices) dish -> 1))
            .build();

    assertThat(ordered(agent.conversation("t4"))).isEqualTo(new Turn.Reply("Sorry."));

    assertThat(lastResult()).isEqualTo("Not ordered: there is no one to ask");
    assertThat(agent.conversation("t4").waiting()).isEmpty();
  }

  @Test
  void anAgentWithoutAMemoryOfItsOwnRemembersAsLongAsItLives() {
    model.calls("note", "{}").says("Noted.").says("Again.");
    Tool note =
        Tool.dynamic("note")
            .handler((arguments, context) ->
                context
                    .services()
                    .memory()
                    .create(Block.of(context.agentId(), "note", Block.Kind.CORE).withValue("Ada"))
                    .label());
    Agent agent = Agent.builder("Waiter").model(model).tools(note).build();

    assertThat(agent.conversation("1").say("I am Ada")).isEqualTo(new Turn.Reply("Noted."));
    assertThat(agent.conversation("2").say("And I?")).isEqualTo(new Turn.Reply("Again."));

    assertThat(lastPrompt()).contains("<block label=\"note\"", "Ada");
  }
}
