package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.tool.ToolSchemaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StructuredReplyTest extends ScriptedTalk {
  private static final String GOOD = "{\"customer\":\"Ada\",\"total\":12}";
  private static final Invoice INVOICE = new Invoice("Ada", 12, Optional.empty());
  private static final Json FORM =
      Json.text(
          """
          {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],
           "additionalProperties":false}\
          """);

  record Invoice(String customer, int total, Optional<String> note) {
    public Invoice {
      if (total < 0) {
        throw new IllegalArgumentException("a total is not negative");
      }
    }
  }

  record Mapped(Map<String, Integer> prices) {}

  record Odd(Thread thread) {}

  /// A model that has no means of its own for structured replies.
  private record Plain(ChatModel model) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return model.reply(request, stream);
    }
  }

  private List<String> types() {
    return events.stream()
        .map(event -> event.json().tree())
        .map(json ->
            json.path("type").asString().equals("agent")
                ? json.path("event").asString()
                : json.path("type").asString())
        .toList();
  }

  private String told() {
    StringBuilder words = new StringBuilder();
    for (Event event : events) {
      words.append(event instanceof Event.Content(String text) ? text : "");
    }
    return words.toString();
  }

  @Test
  void callsBesideTheFinalToolAreNoLongerAsTheModelMadeThem() {
    Json extra = Json.text("{\"extra_content\":{\"x\":1}}");
    RequestedCall call = new RequestedCall("c1", "a", Json.EMPTY_OBJECT, extra);
    ModelReply given = ModelReply.calls(RequestedCall.of("c2", "final_reply", GOOD), call);
    FinalTool tool = new FinalTool("final_reply", ModelRequest.of());

    assertThat(tool.read(given).calls()).containsExactly(call);
    assertThat(tool.read(given.withItems(ProviderItems.of("chat/h/m", List.of()))).calls())
        .containsExactly(call.withoutExtra());
  }

  @Test
  void aReplyOfTheFormIsTheValue() {
    model.says(GOOD.substring(0, 9), GOOD.substring(9));

    assertThat(talk().ask(new Message.User("An invoice."), Invoice.class, events::add))
        .isEqualTo(INVOICE);

    assertThat(model.lastRequest().format()).isNotNull();
    assertThat(model.lastRequest().format().strict()).isTrue();
    assertThat(types()).containsExactly("conversation_started", "content", "done");
    assertThat(told()).isEqualTo(GOOD);
  }

  @Test
  void aWrongReplyIsAskedForAgainWithItsFaultsTwice() {
    model.says("Here you are.").says("{\"customer\":\"Ada\",\"total\":\"12\"}").says(GOOD);
    Conversation talk = talk();

    assertThat(talk.ask(new Message.User("An invoice."), Invoice.class, events::add))
        .isEqualTo(INVOICE);

    assertThat(model.requests()).hasSize(3);
    assertThat(model.lastRequest().messages().getLast())
        .isInstanceOfSatisfying(
            Message.Notice.class,
            notice ->
                assertThat(notice.text())
                    .contains("/total: expected integer", "found string \"12\""));
    // What is shown of a structured reply is of its form.
    assertThat(told()).isEqualTo(GOOD);
    assertThat(types())
        .containsExactly(
            "conversation_started", "invalid_reply", "invalid_reply", "content", "done");
  }

  @Test
  void afterThreeWrongRepliesTheTurnSaysSoWithTheFaults() {
    model.says("One.").says("Two.").says("{\"customer\":\"Ada\"}").says("Hello!");
    Conversation talk = talk();

    Turn.NoReplyException thrown =
        catchThrowableOfType(
            Turn.NoReplyException.class, () -> talk.ask("An invoice.", Invoice.class));

    assertThat(thrown.faults()).containsExactly(new Fault("/total", "integer", "missing"));
    assertThat(thrown).hasMessageContaining("/total: expected integer, found missing");
    assertThat(thrown.turn())
        .isEqualTo(
            new Turn.Stopped(
                StopReason.INVALID_REPLY,
                "The language model did not answer in the form that was asked for.",
                null,
                thrown.faults()));
    assertThat(talk.say("Hi")).isEqualTo(new Turn.Reply("Hello!"));
    assertThat(model.lastRequest().format()).isNull();
  }

  static Stream<String> hostile() {
    return Stream.of(
        "```json\n" + GOOD + "\n```",
        "Here: " + GOOD,
        GOOD + " Thank you.",
        GOOD + GOOD,
        "[" + GOOD + "]",
        "\"" + GOOD.replace("\"", "\\\"") + "\"",
        "{\"customer\":\"Ada\",\"total\":12,\"total\":13}",
        "{\"customer\":\"Ada\",\"total\":12,\"more\":1}",
        "{\"customer\":\"Ada\",\"total\":12,\"request_heartbeat\":true}",
        "{\"customer\":\"Ada\",\"total\":12.5}",
        "{\"customer\":\"Ada\",\"total\":1e999999999}",
        "{\"customer\":\"Ada\",\"total\":-1}",
        "{'customer':'Ada','total':12}",
        "{\"customer\":\"Ada\",\"total\":12,}",
        "{\"customer\":\"Ada\",\"total\":12",
        "{\"customer\":\"\\ud800\",\"total\":12}",
        "{\"customer\":" + "[".repeat(100_000) + "]".repeat(100_000) + ",\"total\":12}",
        "{\"customer\":\"" + "x".repeat(1_100_000) + "\",\"total\":12}",
        "null",
        "// a comment\n" + GOOD,
        "\uFEFF" + GOOD);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void whatIsNotThatJsonIsNotTaken(String reply) {
    model.says(reply).says(reply).says(reply);

    Turn.NoReplyException thrown =
        catchThrowableOfType(Turn.NoReplyException.class, () -> talk().ask("Go", Invoice.class));

    assertThat(thrown.faults()).isNotEmpty().hasSizeLessThanOrEqualTo(10);
    assertThat(String.valueOf(thrown.getMessage())).hasSizeLessThan(3_000);
    assertThat(model.requests()).hasSize(3);
  }

  @Test
  void whiteSpaceAroundItIsJson() {
    model.says("\n  " + GOOD + "\n");
    assertThat(talk().ask("Go", Invoice.class)).isEqualTo(INVOICE);
  }

  @Test
  void aReplyThatTheProviderWithheldIsNotAskedForAgain() {
    model.replies(
        new ModelReply(
            "I cannot.", List.of(), ModelReply.FinishReason.FILTERED, ModelReply.Usage.NONE));

    assertThatThrownBy(() -> talk().ask("Go", Invoice.class))
        .isInstanceOf(Turn.NoReplyException.class);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void aReplyThatWasCutIsSaidToBe() {
    model
        .replies(
            new ModelReply(
                "{\"customer\":", List.of(), ModelReply.FinishReason.LENGTH, ModelReply.Usage.NONE))
        .says(GOOD);

    assertThat(talk().ask("Go", Invoice.class)).isEqualTo(INVOICE);
    assertThat(model.lastRequest().messages().getLast().toString()).contains("limit of tokens");
  }

  @Test
  void toolsRunBeforeTheReplyAndTheirWordsAreNotShown() {
    model.says("Let me look.").and().calls("get_it", "{}").says(GOOD);

    assertThat(talk(tool("get_it")).ask(new Message.User("Go"), Invoice.class, events::add))
        .isEqualTo(INVOICE);

    assertThat(ran).containsExactly("get_it");
    assertThat(told()).isEqualTo(GOOD);
  }

  @Test
  void whatIsRequiredComesFirst() {
    model.says("Nothing to save.").calls("save_it", "{}").says("Saved.").says(GOOD);
    Conversation talk =
        agent(tool("save_it"))
            .rules(ToolRule.requiredBeforeExit("save_it"))
            .build()
            .conversation("c");

    assertThat(talk.ask("Go", Invoice.class)).isEqualTo(INVOICE);
    assertThat(ran).containsExactly("save_it");
    // The form of words is not looked at while something is to be done first.
    assertThat(model.requests().get(1).messages().getLast().toString()).contains("save_it");
  }

  @Test
  void callsRequiredToolEvenIfNoReplyIsValid() {
    model.says("1").says("2").says("3").says("4").says("5");
    Conversation talk =
        agent(tool("save_it"))
            .rules(ToolRule.requiredBeforeExit("save_it"))
            .build()
            .conversation("c");

    assertThatThrownBy(() -> talk.ask("Go", Invoice.class))
        .isInstanceOf(Turn.NoReplyException.class);
    assertThat(ran).containsExactly("save_it");
    assertThat(model.requests()).hasSize(5);
  }

  @Test
  void anEndByAToolIsNotAReply() {
    model.says("Bye.").and().calls("send_it", "{}");
    Conversation talk =
        agent(tool("send_it")).rules(ToolRule.exitAfter("send_it")).build().conversation("c");

    Turn.NoReplyException thrown =
        catchThrowableOfType(
            Turn.NoReplyException.class,
            () -> talk.ask(new Message.User("Go"), Invoice.class, events::add));

    assertThat(thrown.turn()).isEqualTo(new Turn.Reply("Bye."));
    assertThat(told()).isEqualTo("Bye.");
  }

  @Test
  void aTerminalResultIsShownOnce() {
    model.calls("get_it", "{}");
    Tool last =
        Tool.dynamic("get_it")
            .handler(arguments ->
                ToolResult.builder(true).terminal(true).message("It is yours.").build());

    assertThatThrownBy(() -> talk(last).ask(new Message.User("Go"), Invoice.class, events::add))
        .isInstanceOf(Turn.NoReplyException.class);
    assertThat(told()).isEqualTo("It is yours.");
  }

  @Test
  void aTurnThatWaitsHasItsValueAfterTheAnswer() {
    model.calls("local_run", "{}").says("Wrong.").says(GOOD);
    Conversation talk = talk(tool("local_run"));

    Turn.NoReplyException waits =
        catchThrowableOfType(Turn.NoReplyException.class, () -> talk.ask("Go", Invoice.class));
    assertThat(waits.turn()).isInstanceOf(Turn.Pending.class);

    String request = ((Turn.Pending) waits.turn()).requests().getFirst().id();
    Turn turn = talk.answer(request, Answer.approveOnce());

    assertThat(((Turn.Reply) turn).as(Invoice.class)).isEqualTo(INVOICE);
    assertThat(model.requests()).hasSize(3);
  }

  @Test
  void anotherProcessHoldsTheReplyToTheFormToo() {
    InProcessConversations store = new InProcessConversations();
    model.calls("local_run", "{}").says("Wrong.").says(GOOD);
    try (Conversation talk = agent(tool("local_run")).store(store).build().conversation("c")) {
      assertThatThrownBy(() -> talk.ask("Go", Invoice.class))
          .isInstanceOf(Turn.NoReplyException.class);
    }

    try (Conversation talk = agent(tool("local_run")).store(store).build().conversation("c")) {
      Turn turn = talk.answer(talk.waiting().getFirst(), Answer.approveOnce());
      assertThat(((Turn.Reply) turn).as(Invoice.class)).isEqualTo(INVOICE);
    }
    assertThat(model.requests()).hasSize(3);
    assertThat(model.lastRequest().format()).isNotNull();
  }

  @Test
  void everyTurnOfAnAgentWithAFormIsHeldToIt() {
    model.says("Hm.").says("{\"n\":1}").calls("get_it", "{}").says("{\"n\":2}");
    Conversation talk = agent(tool("get_it")).reply(FORM).build().conversation("c");

    assertThat(talk.say("Go", events::add)).isEqualTo(new Turn.Reply("{\"n\":1}"));
    assertThat(talk.say("On")).isEqualTo(new Turn.Reply("{\"n\":2}"));
    assertThat(told()).isEqualTo("{\"n\":1}");
    assertThat(model.lastRequest().format().schema()).isEqualTo(Json.of(FORM.tree()));
  }

  @Test
  void aCancelledTurnIsCancelled() {
    model.blocks();
    Conversation talk = talk();
    Thread canceller =
        Thread.ofVirtual()
            .start(() -> {
              model.awaitRequests(1);
              talk.cancel();
            });

    Turn.NoReplyException thrown =
        catchThrowableOfType(
            Turn.NoReplyException.class,
            () -> talk.ask(new Message.User("Go"), Invoice.class, events::add));
    canceller.interrupt();

    assertThat(reason(thrown.turn())).isEqualTo(StopReason.CANCELLED);
  }

  @Test
  void theLimitOfRoundsHoldsForCorrectionsToo() {
    model.says("Hm.").says("Hm?");
    Conversation talk =
        agent().limits(AgentLimits.DEFAULT.withIterations(2)).build().conversation("c");

    Turn.NoReplyException thrown =
        catchThrowableOfType(Turn.NoReplyException.class, () -> talk.ask("Go", Invoice.class));
    assertThat(reason(thrown.turn())).isEqualTo(StopReason.MAX_ITERATIONS);
  }

  @Test
  void wordsThatAreHeldBackMayBeAskedForAgain() {
    model.says("{\"custo").and().fails(ModelException.Kind.BROKEN).says(GOOD);

    assertThat(talk().ask(new Message.User("Go"), Invoice.class, events::add)).isEqualTo(INVOICE);
    assertThat(types()).containsExactly("conversation_started", "model_retry", "content", "done");
  }

  @Test
  void aTypeWithoutAStrictFormIsAskedForOpenly() {
    model.says("{\"prices\":{\"tea\":3}}");

    assertThat(talk().ask("Go", Mapped.class)).isEqualTo(new Mapped(Map.of("tea", 3)));
    assertThat(model.lastRequest().format().strict()).isFalse();
  }

  @Test
  void aTypeWithoutASchemaIsAFaultOfTheDeveloper() {
    assertThatThrownBy(() -> talk().ask("Go", Odd.class)).isInstanceOf(ToolSchemaException.class);
    assertThatThrownBy(() -> agent().reply(Json.text("{\"type\":\"array\"}")))
        .isInstanceOf(ToolSchemaException.class);
  }

  private Conversation plain(Tool... tools) {
    return agent(tools).model(new Plain(model)).build().conversation("c");
  }

  @Test
  void aModelWithoutMeansOfItsOwnGetsAToolForTheReply() {
    model.calls("get_it", "{}").calls("final_reply", GOOD).says("Hello.");
    Conversation talk = plain(tool("get_it"));

    assertThat(talk.ask(new Message.User("Go"), Invoice.class, events::add)).isEqualTo(INVOICE);

    ModelRequest asked = model.lastRequest();
    assertThat(asked.format()).isNull();
    assertThat(asked.choice()).isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    assertThat(asked.tools()).extracting(tool -> tool.name()).endsWith("final_reply");
    assertThat(types())
        .containsExactly("conversation_started", "tool_call", "tool_result", "content", "done");
    // In the history it is a reply like any other.
    assertThat(talk.history().getLast()).isEqualTo(new Message.Assistant(GOOD, List.of()));
    assertThat(talk.say("Hi")).isEqualTo(new Turn.Reply("Hello."));
    assertThat(model.lastRequest().tools()).hasSize(1);
  }

  @Test
  void retriesInvalidReplyCallAndAcceptsMatchingText() {
    model.calls("final_reply", "{\"customer\":\"Ada\"").says("Sorry.").says(GOOD);

    assertThat(plain().ask("Go", Invoice.class)).isEqualTo(INVOICE);
  }

  @Test
  void runsOtherCallsAndAsksForReplyAgain() {
    model
        .replies(
            ModelReply.calls(
                RequestedCall.of("a", "final_reply", GOOD), RequestedCall.of("b", "get_it", "{}")))
        .calls("final_reply", "{\"customer\":\"Bob\",\"total\":1}");
    Conversation talk = plain(tool("get_it"));

    assertThat(talk.ask("Go", Invoice.class)).isEqualTo(new Invoice("Bob", 1, Optional.empty()));
    assertThat(ran).containsExactly("get_it");
    assertThat(talk.history())
        .filteredOn(Message.Result.class::isInstance)
        .extracting(result -> ((Message.Result) result).callId())
        .containsExactly("b");
    assertThat(talk.history().stream().flatMap(StructuredReplyTest::calls)).containsExactly("b");
  }

  private static Stream<String> calls(Message message) {
    return message instanceof Message.Assistant said
        ? said.calls().stream().map(RequestedCall::id)
        : Stream.of();
  }

  @Test
  void offersReplyToolOnlyAfterStartTool() {
    model.calls("load_it", "{\"n\":1}").calls("final_reply", GOOD);
    Tool load =
        Tool.dynamic(
                "load_it", "{\"type\":\"object\",\"required\":[\"n\"],\"properties\":{\"n\":{}}}")
            .handler(arguments -> "loaded");
    Conversation talk =
        agent(load)
            .model(new Plain(model))
            .rules(ToolRule.startWith("load_it"))
            .build()
            .conversation("c");

    assertThat(talk.ask("Go", Invoice.class)).isEqualTo(INVOICE);
    assertThat(model.requests().getFirst().tools())
        .extracting(tool -> tool.name())
        .containsExactly("load_it");
  }

  @Test
  void aCallWithoutArgumentsIsAnEmptyObject() {
    model.calls("final_reply", "").calls("final_reply", GOOD);

    assertThat(plain().ask("Go", Invoice.class)).isEqualTo(INVOICE);
    assertThat(model.lastRequest().messages().getLast().toString())
        .contains("/customer: expected string, found missing");
  }

  @Test
  void aToolOfThatNameKeepsIt() {
    model.calls("final_reply", "{}").calls("final_reply_", GOOD);

    assertThat(plain(tool("final_reply")).ask("Go", Invoice.class)).isEqualTo(INVOICE);
    assertThat(ran).containsExactly("final_reply");
  }

  @Test
  void aHookSeesTheFormAndKeepsIt() {
    List<ModelRequest> seen = new ArrayList<>();
    model.says(GOOD);
    ModelHook hook =
        new ModelHook() {
          @Override
          public ModelRequest beforeModel(String conversation, ModelRequest request) {
            seen.add(request);
            return new ModelRequest(request.messages(), request.tools(), request.choice());
          }
        };

    assertThat(agent().hook(hook).build().conversation("c").ask("Go", Invoice.class))
        .isEqualTo(INVOICE);
    assertThat(seen.getFirst().format()).isNotNull();
    assertThat(model.lastRequest().format()).isNotNull();
  }
}
