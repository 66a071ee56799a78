package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.harness.Vectors;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The tool `send_message` through a local router.
class SendMessageToolTest {
  private final BuiltIns tools = new BuiltIns();
  private final LocalRouter router = new LocalRouter(tools.time);
  private final List<Letter> letters = new ArrayList<>();

  @BeforeEach
  void route() {
    tools.router = router;
    router.user(this::taken).agent("x", this::taken).channel("ops", this::taken);
  }

  private Delivery taken(Letter letter) {
    letters.add(letter);
    return Delivery.DONE;
  }

  private static String to(String type, String id) {
    return "{'target':{'type':'%s','id':'%s'},'content':'Hi'}".formatted(type, id);
  }

  @Test
  void r209AMessageToTheUserEndsTheLoop() {
    assertThat(Vectors.byId("R209").expect().path("loop").stringValue()).isEqualTo("exit");

    JsonNode sent = tools.answer("send_message", "{'target':{'type':'user'},'content':'Hi'}");

    assertThat(sent.path("message_id").stringValue()).isNotEmpty();
    assertThat(sent.path("delivered").intValue()).isEqualTo(1);
    assertThat(tools.session.exited()).isTrue();
    Letter letter = letters.getFirst();
    assertThat(letter.from()).isEqualTo("a");
    assertThat(letter.conversation()).isEqualTo("c1");
    assertThat(letter.id()).isEqualTo(sent.path("message_id").stringValue());
  }

  @Test
  void r212ASecondMessageToAnAgentWithin30SecondsWaits() {
    assertThat(Vectors.byId("R212").when()).isEqualTo("two messages to x within 30 s");
    assertThat(tools.call("send_message", to("agent", "x")).success()).isTrue();
    tools.session.nextTurn();
    tools.time.advance(Duration.ofSeconds(12));

    assertThat(tools.error("send_message", to("agent", "x")))
        .isEqualTo(
            "The message was not delivered: agent 'x' was written to a moment ago, try again in"
                + " 18 s.");
    assertThat(tools.session.exited()).isFalse();
    tools.time.advance(Duration.ofMillis(17_999));
    assertThat(tools.error("send_message", to("agent", "x"))).contains("try again in 1 s");
    tools.time.advance(Duration.ofMillis(1));
    assertThat(tools.call("send_message", to("agent", "x")).success()).isTrue();
    assertThat(letters).hasSize(2);
  }

  @Test
  void r213AMemberOfAGroupThatFailsIsReported() {
    JsonNode expect = Vectors.byId("R213").expect();
    router.agent(
        "broken",
        letter -> {
          throw new IOException("secret");
        });
    router.group(
        "team",
        List.of(
            new Target("agent", "x"), new Target("agent", "broken"), new Target("channel", "ops")));

    JsonNode sent = tools.answer("send_message", to("group", "team"));

    assertThat(sent.path("delivered")).isEqualTo(expect.path("delivered"));
    assertThat(sent.path("failed")).isEqualTo(expect.path("failed"));
    assertThat(sent.path("problem").stringValue()).isEqualTo("agent 'broken' failed (IOException)");
    assertThat(letters).hasSize(2);
  }

  @Test
  void handsOverKindAndMetadata() {
    tools.answer(
        "send_message",
        "{'target':{'type':'channel','id':'ops'},'content':'Fire','kind':'alarm',"
            + "'metadata':{'level':3}}");

    assertThat(letters.getFirst().kind()).isEqualTo("alarm");
    assertThat(String.valueOf(letters.getFirst().metadata())).isEqualTo("{\"level\":3}");
    assertThat(letters.getFirst().target()).isEqualTo(new Target("channel", "ops"));
  }

  @Test
  void aMessageToATargetThatIsNotThereEndsNothing() {
    for (String[] target : new String[][] {{"agent", "y"}, {"group", "g"}, {"channel", "c"}}) {
      assertThat(tools.error("send_message", to(target[0], target[1])))
          .isEqualTo(
              "Invalid arguments for tool 'send_message': /target/id: There is no %s '%s'."
                  .formatted(target[0], target[1]));
    }
    assertThat(tools.session.exited()).isFalse();
    assertThat(letters).isEmpty();
  }

  @Test
  void aBlankMessageIsNotDelivered() {
    assertThat(tools.error("send_message", "{'target':{'type':'user'},'content':'  '}"))
        .endsWith("/content: The message is blank.");
    assertThat(letters).isEmpty();
  }

  @Test
  void aRouterThatThrowsHasNotDelivered() {
    tools.router =
        letter -> {
          throw new IllegalStateException("secret");
        };

    assertThat(tools.error("send_message", to("user", "")))
        .isEqualTo("The message was not delivered: internal error (IllegalStateException).");
  }

  @Test
  void emitsMessageToUserWithoutRouter() {
    List<Event> events = new ArrayList<>();
    ToolSession session = ToolSession.builder("c1").events(events::add).build();
    ToolExecutor executor =
        ToolExecutor.builder().tools(BuiltInTools.of(List.of("send_message"))).build();

    ToolResult sent = executor.execute(call("k1", "user", "Bye"), session);
    assertThat(sent.success()).isTrue();
    assertThat(events).contains(new Event.Content("Bye"));
    assertThat(session.state().exit()).isEqualTo(StopReason.TOOL_RULE);
    assertThat(executor.execute(call("k2", "user", "Bye"), session).code())
        .isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);

    session.nextTurn();
    assertThat(executor.execute(call("k3", "agent", "Hi"), session).error())
        .isEqualTo(
            "The message was not delivered: without a router a message can only go to the user.");
    assertThat(session.exited()).isFalse();
    assertThat(events).filteredOn(Event.Content.class::isInstance).hasSize(1);
  }

  @Test
  void aMessageThatNoOneSeesIsAFailure() {
    ToolExecutor executor =
        ToolExecutor.builder().tools(BuiltInTools.of(List.of("send_message"))).build();
    ToolSession broken =
        ToolSession.builder("c1")
            .events(event -> {
              if (event instanceof Event.Content) {
                throw new IllegalStateException("no screen");
              }
            })
            .build();

    assertThat(executor.execute(call("k1", "user", "Bye"), ToolSession.of("c2")).error())
        .isEqualTo("The message was not delivered: no one listens to this conversation.");
    assertThat(executor.execute(call("k1", "user", "Bye"), broken).error())
        .isEqualTo("The message was not delivered: it could not be shown.");
    assertThat(broken.exited()).isFalse();
  }

  private static ToolCall call(String id, String type, String content) {
    return ToolCall.of(
        id,
        "send_message",
        "{\"target\":{\"type\":\"%s\"%s},\"content\":\"%s\"}"
            .formatted(type, type.equals("user") ? "" : ",\"id\":\"b\"", content));
  }

  @Test
  void thePromptSaysThatTheTurnEnds() {
    assertThat(BuiltInTools.of("send_message").definition().usageRule())
        .containsIgnoringCase("calling it ends the turn");
  }
}
