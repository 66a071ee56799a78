package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Replies of the agent's own models in a live session.
class LiveRequestTest extends LiveTalk {
  private static void continues(ModelRequest earlier, ModelRequest later) {
    List<Message> before = earlier.messages();
    assertThat(later.messages()).hasSizeGreaterThan(before.size());
    assertThat(later.messages().subList(0, before.size())).isEqualTo(before);
    assertThat(later.declared()).isEqualTo(earlier.declared());
  }

  private static Message said(String text) {
    return new Message.Assistant(text, List.of());
  }

  @Test
  void eachRequestContinuesTheOneBefore() {
    model.calls("lookup", "{}").says("It is ", "on its way.").says("You are welcome.");
    LiveSession live = open(shop());
    live.said("i1", "Where is it?");
    assertThat(callRound(live)).isNull();
    assertThat(lastRound(live)).isEqualTo("It is on its way.");
    live.said("i2", "Thanks.");
    lastRound(live);
    live.close();

    assertThat(heard).containsExactly("It is ", "on its way.", "You are welcome.");
    List<ModelRequest> requests = model.requests();
    assertThat(requests).hasSize(3);
    continues(requests.get(0), requests.get(1));
    continues(requests.get(1), requests.get(2));
    assertThat(requests.getLast().messages())
        .endsWith(said("It is on its way."), new Message.User("Thanks."));
    assertThat(keys())
        .containsExactly(
            "turn1/input",
            "turn1/round1/open/1",
            "turn1/round1/model",
            "turn1/round1/end",
            "turn1/round2/model",
            "turn1/end",
            "turn2/input",
            "turn2/round1/model",
            "turn2/end");
  }

  @Test
  void isNotBuiltOutsideATurn() {
    LiveSession live = open(shop());
    assertThatThrownBy(() -> live.request(true, NOT_NEEDED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a reply belongs to a turn, and none has begun");
  }

  @Test
  void theNextRequestReadsWhatWasCorrected() {
    model.says("Your order is on its way to Berlin.").says("Stopped.");
    LiveSession live = open(shop());
    live.said("i1", "Where is is?");
    lastRound(live);
    live.correctInput(1, "Where is it?");
    live.correctReply(1, 1, "Your order is");
    live.said("i2", "Stop");
    lastRound(live);

    List<Message> expected =
        List.of(new Message.User("Where is it?"), said("Your order is"), new Message.User("Stop"));
    assertThat(model.lastRequest().messages().subList(1, 4)).isEqualTo(expected);
    assertThat(live.history().subList(0, 3)).isEqualTo(expected);
    assertThat(lines(TranscriptEntry.Opened.class))
        .extracting(TranscriptEntry.Opened::reason)
        .containsExactly("first", "corrected");
  }

  @Test
  void aReplyThatNoRequestHadIsCorrectedWithoutABoundary() {
    model.says("Your order is on its way.").says("Yes.").says("Bye.");
    LiveSession live = open(shop());
    live.said("i1", "Where is it?");
    lastRound(live);
    live.correctReply(1, 1, "Your order is");
    live.said("i2", "Stop");
    lastRound(live);

    assertThat(model.lastRequest().messages()).contains(said("Your order is"));
    assertThat(lines(TranscriptEntry.Opened.class)).hasSize(1);
    // A request had these words.
    live.correctInput(2, "Stop it");
    live.said("i3", "Bye");
    lastRound(live);
    assertThat(lines(TranscriptEntry.Opened.class)).hasSize(2);
  }

  @Test
  void readsResultsThatCameLate() {
    model.calls("lookup", "{}").says("Let me see.").says("On Monday.");
    LiveSession live = open(shop());
    live.said("i1", "When?");
    LiveSession.Request first = live.request(true, NOT_NEEDED);
    var unusedNeverRun = live.replied(reply(first), first);
    // The round ends without a result.
    lastRound(live);
    String note = live.recordNote("lookup", "on Monday");
    live.said("i2", "And?");
    lastRound(live);
    assertThat(model.requests().get(1).messages().getLast())
        .isInstanceOfSatisfying(
            Message.Result.class, result -> assertThat(result.success()).isFalse());
    assertThat(model.lastRequest().messages())
        .endsWith(new Message.User(note), new Message.User("And?"));
  }

  @Test
  void toolsStayDeclaredWhereNoneMayBeCalled() {
    model.says("One.").says("Two.");
    LiveSession live = open(shop().rules(ToolRule.startWith("lookup")));
    live.said("i1", "Hi");
    LiveSession.Request first = live.request(true, NOT_NEEDED);
    live.replied(reply(first), first);
    LiveSession.Request last = live.request(false, NOT_NEEDED);
    live.replied(reply(last), last);

    assertThat(model.requests().getFirst().choice()).isEqualTo(ToolChoice.AUTO);
    ModelRequest request = model.lastRequest();
    assertThat(request.choice()).isEqualTo(ToolChoice.NONE);
    assertThat(request.tools()).isEmpty();
    assertThat(request.declared()).extracting(ToolDefinition::name).containsExactly("lookup");
    continues(model.requests().getFirst(), request);
  }

  @Test
  void noToolMayBeCalledAfterTheRoundsOfATurn() {
    model.calls("lookup", "{}").calls("lookup", "{}").says("That is all.");
    LiveSession live = open(shop().limits(AgentLimits.DEFAULT.withIterations(2)));
    assertThat(live.limits().iterations()).isEqualTo(2);
    live.said("i1", "Hi");
    callRound(live);
    callRound(live);
    lastRound(live);
    assertThat(model.requests())
        .extracting(ModelRequest::choice)
        .containsExactly(ToolChoice.AUTO, ToolChoice.AUTO, ToolChoice.NONE);
  }

  @Test
  void hooksSeeRequestsAndReplies() {
    model.says("Hello.");
    ModelHook hook =
        new ModelHook() {
          @Override
          public ModelRequest beforeModel(String conversation, ModelRequest request) {
            List<Message> more = new ArrayList<>(request.messages());
            more.add(new Message.User("[" + conversation + "]"));
            return request.withMessages(more);
          }

          @Override
          public @Nullable ModelReply afterModel(String conversation, ModelReply reply) {
            return reply.withText(reply.text() + " Bye.");
          }
        };
    LiveSession live = open(shop().hook(hook));
    live.said("i1", "Hi");
    assertThat(lastRound(live)).isEqualTo("Hello. Bye.");
    assertThat(model.lastRequest().messages()).endsWith(new Message.User("[CA1]"));
    assertThat(live.history()).endsWith(said("Hello. Bye."));
  }

  @Test
  void memoryIsReadAsItIsThen() {
    InProcessMemory memories = new InProcessMemory();
    Memory memory = Memory.of(memories, "Shop", time);
    Block notes = memory.create(Block.of("Shop", "notes", Block.Kind.CORE).withValue("Ann."));
    model.says("One.").says("Two.");
    LiveSession live = open(shop().memory(memories));
    live.said("i1", "Hi");
    lastRound(live);
    Block unused = memory.overwrite("notes", "Bob.", notes.version());
    live.said("i2", "And?");
    lastRound(live);
    continues(model.requests().getFirst(), model.lastRequest());
    assertThat(model.lastRequest().messages().getLast())
        .isInstanceOfSatisfying(
            Message.Notice.class, notice -> assertThat(notice.text()).contains("Bob."));
  }

  @Test
  void aGuardrailAnswersWordsInPlaceOfTheModel() {
    Tool greet = Tool.dynamic("greet").mode(ToolMode.READ).handler(arguments -> "hi");
    Guardrail words =
        Guardrail.words("no_hacks", "root password").on(Guardrail.Place.INPUT).block("No.");
    LiveSession live =
        open(shop().tools(greet).rules(ToolRule.startWith("greet")).guardrails(words));
    assertThat(live.said("i1", "The root password?")).isEmpty();
    assertThat(live.substitute()).isEqualTo("No.");
    live.endTurn(StopReason.END_TURN, "No.");
    assertThat(live.history())
        .containsExactly(new Message.User("(blocked by guardrail 'no_hacks')"), said("No."));
    assertThat(live.said("i2", "Hello.")).hasSize(1);
    assertThat(live.substitute()).isNull();
  }

  @Test
  void guardrailsScreenTheWordsBeforeTheyAreHeard() {
    model.says("Your card ", "4111 1111 1111 1111", " is in.");
    model.says("I ", "guar", "antee it.").and().calls("lookup", "{}");
    LiveSession live =
        open(
            shop()
                .guardrails(
                    Guardrail.known(Guardrail.Known.CARD_NUMBER),
                    Guardrail.words("promises", "guarantee").block("I cannot.")));
    live.said("i1", "Hi");
    assertThat(lastRound(live)).isEqualTo("Your card [card number] is in.");
    assertThat(String.join("", heard)).isEqualTo("Your card [card number] is in.");
    heard.clear();
    live.said("i2", "Sure?");
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    ModelReply reply = reply(request);
    assertThat(reply.text()).isEqualTo("I cannot.");
    assertThat(live.replied(reply, request)).isEmpty();
    assertThat(String.join("", heard)).isEqualTo("I cannot.");
  }

  @Test
  void aFallbackIsStoredByName() {
    ScriptedModel second = new ScriptedModel(time);
    model.fails(ModelException.Kind.UNAVAILABLE);
    second.replies(
        ModelReply.calls(RequestedCall.of("p1", "lookup", "{}"))
            .withUsage(new ModelReply.Usage(100, 10)));
    second.replies(used("It is on its way.", 120, 20));
    model.says("Back again.");
    LiveSession live =
        open(shop().model(new Named("first", model)).fallback(new Named("second", second)));
    live.said("i1", "Where?");
    callRound(live);
    lastRound(live);
    live.said("i2", "Thanks");
    lastRound(live);

    // A turn continues with the fallback.
    assertThat(second.requests()).hasSize(2);
    assertThat(agentEvents()).containsExactly("model_fallback");
    assertThat(lines(TranscriptEntry.Replied.class))
        .extracting(TranscriptEntry.Replied::model)
        .containsExactly("second", "second", null);
    assertThat(spending(live).all().models().get("second").usage())
        .isEqualTo(new ModelReply.Usage(220, 30));
  }

  @Test
  void whatModelsHaveUsedIsCounted() {
    model.replies(used("One.", 100, 10)).replies(used("Two, three and four.", 200, 20));
    LiveSession live = open(shop());
    live.said("i1", "Hi");
    lastRound(live);
    live.said("i2", "Count.");
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    reply(request);
    // The caller has interrupted it.
    live.replied(ModelReply.text("Two,"), request);
    live.endTurn(StopReason.END_TURN, "Two,");

    assertThat(spending(live).all().tokens()).isEqualTo(330);
    assertThat(spending(live).turn().tokens()).isEqualTo(220);
    assertThat(lines(TranscriptEntry.Replied.class).getLast())
        .isEqualTo(
            new TranscriptEntry.Replied(used("Two,", 200, 20), List.of(), false, null, Map.of()));
    assertThat(live.history()).endsWith(said("Two,"));
  }

  @Test
  void anotherProcessContinuesTheConversation() {
    model.says("It is on its way.").says("Hello again.");
    LiveSession live = open(shop());
    live.said("i1", "Where is it?");
    lastRound(live);
    live.close();
    Conversation chat = shop().build().conversation("CA1");
    assertThat(chat.say("Me again")).isEqualTo(new Turn.Reply("Hello again."));
    continues(model.requests().getFirst(), model.lastRequest());
    assertThat(model.lastRequest().messages())
        .endsWith(
            new Message.User("Where is it?"),
            said("It is on its way."),
            new Message.User("Me again"));
  }
}
