package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Whoever is shown an event may ask the conversation where it stands, on whatever thread that
/// comes; but no turn begins within another.
class ConversationWithinEventsTest {
  private final ScriptedModel model = new ScriptedModel();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<Object> seen = new CopyOnWriteArrayList<>();

  private static Tool tool(String name) {
    return Tool.dynamic(name).parallel(true).handler(arguments -> name + " done");
  }

  /// Writes on a thread of its own, since it does not say that it ends when it is cancelled.
  private static final class Streaming implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      stream.text("Hello");
      return ModelReply.text("Hello");
    }

    @Override
    public String name() {
      return "streaming";
    }
  }

  private static Turn say(Conversation talk, Consumer<Event> sink) throws Exception {
    return CompletableFuture.supplyAsync(() -> talk.say("Go", sink)).get(5, TimeUnit.MINUTES);
  }

  @Test
  void tellsWhatWaitsWhileCallsOfARoundAreAskedFor() throws Exception {
    model.calls("local_a", "{}").and().calls("local_b", "{}");
    Conversation talk =
        Agent.builder("test")
            .model(model)
            .tools(tool("local_a"), tool("local_b"))
            .build()
            .conversation("c");

    Turn turn =
        say(
            talk,
            event -> {
              if (event instanceof Event.AgentEvent(String name, var payload)
                  && name.equals("consent_request")) {
                seen.addAll(talk.waiting().stream().map(ConsentRequest::id).toList());
              }
            });

    assertThat(turn).isInstanceOf(Turn.Pending.class);
    assertThat(seen).contains("call_1_1_1", "call_1_1_2");
  }

  @Test
  void tellsItsStateHistoryAndOfferWhileTheModelWrites() throws Exception {
    Conversation talk = Agent.builder("test").model(new Streaming()).build().conversation("c");

    Turn turn =
        say(
            talk,
            event -> {
              if (event instanceof Event.Content) {
                seen.add(talk.state().turn());
                seen.add(talk.history().size());
                seen.add(talk.offer().tools().size());
              }
            });

    assertThat(turn).isEqualTo(new Turn.Reply("Hello"));
    assertThat(seen).containsExactly(0, 1, 0);
  }

  @Test
  void beginsNoTurnWithinAnEvent() throws Exception {
    model.says("One.").says("Two.");
    Conversation talk = Agent.builder("test").model(model).build().conversation("c");
    List<Throwable> thrown = new ArrayList<>();

    Turn turn =
        say(
            talk,
            event -> {
              events.add(event);
              Throwable refusal = thrownBy(() -> talk.say("Nested"));
              if (refusal != null) {
                thrown.add(refusal);
              }
            });

    assertThat(turn).isEqualTo(new Turn.Reply("One."));
    assertThat(thrown).hasSameSizeAs(events).allMatch(IllegalStateException.class::isInstance);
    assertThat(model.requests()).hasSize(1);
    assertThat(talk.say("And now?")).isEqualTo(new Turn.Reply("Two."));
    assertThat(talk.history()).hasSize(4);
  }

  @Test
  void beginsNoTurnWithinAnEventOnAThreadOfTheModels() throws Exception {
    Conversation talk = Agent.builder("test").model(new Streaming()).build().conversation("c");

    Turn turn = say(talk, event -> talk.say("Nested"));

    assertThat(turn).isEqualTo(new Turn.Reply("Hello"));
    assertThat(talk.history()).hasSize(2);
  }

  private static @Nullable Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }

  @Test
  void isCancelledWithinTheVeryFirstEvent() throws Exception {
    model.says("Never heard.");
    Conversation talk = Agent.builder("test").model(model).build().conversation("c");

    Turn turn = say(talk, event -> talk.cancel());

    assertThat(turn).isInstanceOf(Turn.Stopped.class);
    assertThat(((Turn.Stopped) turn).reason()).isEqualTo(StopReason.CANCELLED);
    assertThat(model.requests()).isEmpty();
  }
}
