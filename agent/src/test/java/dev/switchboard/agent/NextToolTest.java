package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Conversations whose rules say which tool comes next, or from time to time.
class NextToolTest {
  private static final String FREE = "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}";

  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();

  private Tool tool(String name) {
    return Tool.dynamic(name, FREE)
        .mode(ToolMode.EXTERNAL)
        .repeatLimit(0)
        .handler(arguments -> {
          ran.add(name + arguments.text());
          return "done";
        });
  }

  private AgentBuilder agent(ToolRule... rules) {
    return Agent.builder("test")
        .model(model)
        .time(time)
        .tools(tool("a"), tool("b"), tool("c"))
        .rules(rules);
  }

  private List<String> offered(int request) {
    return model.requests().get(request).tools().stream().map(ToolDefinition::name).toList();
  }

  @Test
  void offersTheChildrenAloneAndRefusesAnother() {
    model.calls("a", "{}").calls("c", "{}").calls("b", "{}").says("Done.");
    Turn turn = agent(ToolRule.next("a", "b")).build().conversation("c").say("Go", events::add);

    assertThat(turn).isEqualTo(new Turn.Reply("Done."));
    assertThat(ran).containsExactly("a{}", "b{}");
    assertThat(offered(1)).containsExactly("b");
    assertThat(model.requests().get(1).choice()).isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    assertThat(offered(3)).containsExactly("a", "b", "c");
    assertThat(model.requests().get(2).messages().getLast())
        .isInstanceOfSatisfying(
            Message.Result.class,
            result ->
                assertThat(result.text()).contains("use one of ['b'] next", "NOT_ALLOWED_NEXT"));
  }

  @Test
  void takesTheCallsOfARoundAsOneStep() {
    model.calls("a", "{}").and().calls("c", "{}").calls("b", "{}").says("Done.");
    Turn unused = agent(ToolRule.next("a", "b")).build().conversation("c").say("Go");

    assertThat(ran).containsExactlyInAnyOrder("a{}", "c{}", "b{}");
  }

  @Test
  void remindsOfTheNextToolAndEndsWithoutIt() {
    model.calls("a", "{}").says("That is it.").says("Really.").says("Over.");
    Turn turn = agent(ToolRule.next("a", "b")).build().conversation("c").say("Go", events::add);

    assertThat(turn).isEqualTo(new Turn.Reply("Over."));
    assertThat(model.requests()).hasSize(4);
    assertThat(model.requests().get(2).messages().getLast())
        .isEqualTo(new Message.Notice("Before the end, call b."));
    assertThat(events.getLast())
        .isInstanceOfSatisfying(
            Event.Done.class,
            done -> assertThat(done.payload().text()).contains("\"unmet\":[\"b\"]"));
  }

  @Test
  void forgetsWhatIsNextAtTheEndOfTheTurn() {
    model.calls("a", "{}").says("x").says("y").says("z").calls("c", "{}").says("Done.");
    Conversation talk = agent(ToolRule.next("a", "b")).build().conversation("c");
    Turn unused = talk.say("Go");
    Turn unused2 = talk.say("Go on");

    assertThat(ran).containsExactly("a{}", "c{}");
  }

  @Test
  void keepsAskingForAChildThatFailed() {
    Tool failing =
        Tool.dynamic("d")
            .handler(arguments -> {
              throw new IllegalStateException("no");
            });
    model.calls("a", "{}").calls("d", "{}").calls("c", "{}").says("x").says("y").says("z");
    Turn unused = agent(ToolRule.next("a", "d")).tools(failing).build().conversation("c").say("Go");

    assertThat(offered(2)).containsExactly("d");
    assertThat(ran).containsExactly("a{}");
  }

  @Test
  void goesOnByTheResult() {
    Tool decide = Tool.dynamic("decide").handler(arguments -> Map.of("verdict", 4.0));
    RuleType byVerdict = new RuleType.Conditional(Map.of("4", "b"), "/verdict", null, true);
    model.calls("decide", "{}").calls("c", "{}").calls("b", "{}").says("Done.");
    Turn unused =
        agent(ToolRule.of("decide", byVerdict)).tools(decide).build().conversation("c").say("Go");

    assertThat(ran).containsExactly("b{}");
  }

  @Test
  void runsAChildOnlyRightAfterItsParent() {
    model.calls("b", "{}").calls("a", "{}").calls("b", "{}").calls("b", "{}").says("Done.");
    Turn unused = agent(ToolRule.onlyAfter("a", "b")).build().conversation("c").say("Go");

    assertThat(offered(0)).containsExactly("a", "c");
    assertThat(offered(2)).containsExactly("b");
    assertThat(offered(4)).containsExactly("a", "c");
    assertThat(ran).containsExactly("a{}", "b{}");
  }

  @Test
  void setsArgumentsThatTheModelCannotState() {
    RuleType child = new RuleType.Child(Set.of("b"), Map.of("b", Json.text("{\"a\":42}")));
    model.calls("a", "{}").calls("b", "{\"a\":1,\"b\":2}").says("Done.");
    Turn unused = agent(ToolRule.of("a", child)).build().conversation("c").say("Go", events::add);

    assertThat(ran).containsExactly("a{}", "b{\"a\":42,\"b\":2}");
    assertThat(model.requests().get(1).tools().getFirst().parameters().text())
        .isEqualTo("{\"type\":\"object\",\"properties\":{\"b\":{}}}");
    assertThat(events)
        .anySatisfy(event ->
            assertThat(event)
                .isInstanceOfSatisfying(
                    Event.ToolCalled.class,
                    called ->
                        assertThat(called.call().arguments().text())
                            .isEqualTo("{\"a\":42,\"b\":2}")));
  }

  @Test
  void asksAPersonAboutTheArgumentsThatWillRun() {
    RuleType child = new RuleType.Child(Set.of("b"), Map.of("b", Json.text("{\"a\":42}")));
    model.calls("a", "{}").calls("b", "{\"a\":1}").says("Done.");
    Conversation talk =
        agent(ToolRule.of("a", child), ToolRule.consent("b")).build().conversation("c");
    Turn.Pending pending = (Turn.Pending) talk.say("Go");

    assertThat(pending.requests().getFirst().call().arguments().text()).isEqualTo("{\"a\":42}");
    assertThat(talk.answer(pending.requests().getFirst(), Answer.approveOnce()))
        .isEqualTo(new Turn.Reply("Done."));
    assertThat(ran).containsExactly("a{}", "b{\"a\":42}");
    assertThat(offered(2)).containsExactly("a", "b", "c");
  }

  @Test
  void hasABuiltInToolThatARuleNeeds() {
    model.says("Hello.");
    Turn unused = agent(ToolRule.needed("block")).build().conversation("c").say("Hi");

    assertThat(offered(0)).containsExactly("a", "b", "c", "block");
  }

  @Test
  void remindsOfWhatIsDue() {
    model.says("Hello.").calls("a", "{}").says("There.");
    Conversation talk = agent(ToolRule.every("a", Duration.ofMinutes(5))).build().conversation("c");
    Turn first = talk.say("Hi");
    time.advance(Duration.ofMinutes(6));
    Turn second = talk.say("Well?");

    assertThat(List.of(first, second))
        .containsExactly(new Turn.Reply("Hello."), new Turn.Reply("There."));
    assertThat(model.requests().get(0).messages()).noneMatch(Message.Notice.class::isInstance);
    assertThat(model.requests().get(1).messages().getLast())
        .isEqualTo(new Message.Notice("Due now: call a."));
    assertThat(model.requests().get(2).messages())
        .filteredOn(Message.Notice.class::isInstance)
        .hasSize(1);
  }

  @Test
  void callsWhatIsDueByItselfWhereItOnlyReads() {
    Tool look =
        Tool.dynamic("read_news")
            .handler(arguments -> {
              ran.add("read_news");
              return "quiet";
            });
    model.says("Hello.").calls("a", "{}").says("There.");
    Conversation talk =
        agent(ToolRule.every("read_news", Duration.ofMinutes(5)))
            .tools(look)
            .build()
            .conversation("c");
    Turn unused = talk.say("Hi");
    time.advance(Duration.ofMinutes(6));
    Turn unused2 = talk.say("Well?");

    assertThat(ran).containsExactly("read_news", "a{}");
    assertThat(model.requests().get(1).messages().getLast())
        .isInstanceOfSatisfying(
            Message.Result.class, result -> assertThat(result.text()).isEqualTo("quiet"));
  }
}
