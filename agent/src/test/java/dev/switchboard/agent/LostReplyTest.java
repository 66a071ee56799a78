package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.model.ModelReply;
import dev.switchboard.testing.ScriptedModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A reply whose line cannot be written, or is written and not confirmed: the model is not asked
/// again for it.
class LostReplyTest {
  private final InProcessConversations kept = new InProcessConversations();
  private final AtomicInteger fails = new AtomicInteger();

  private ConversationStore store(boolean stores) {
    return (ConversationStore)
        Proxy.newProxyInstance(
            ConversationStore.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              boolean fault =
                  method.getName().equals("write")
                      && arguments[2] instanceof Writing writing
                      && writing.lines().stream().anyMatch(line -> line.key().endsWith("/model"))
                      && fails.getAndDecrement() > 0;
              Object done = null;
              try {
                done = fault && !stores ? null : method.invoke(kept, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (fault) {
                throw new IllegalStateException("the connection was lost");
              }
              return done;
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isWrittenAgainAsItIs(boolean stores) {
    ModelReply reply = ModelReply.text("Yes.").withUsage(new ModelReply.Usage(10, 2));
    ScriptedModel model = ScriptedModel.answering(request -> reply);
    try (Agent agent = Agent.builder("Desk").model(model).store(store(stores)).build()) {
      Conversation talk = agent.conversation("c");
      fails.set(1);
      assertThatThrownBy(() -> talk.say("Now?")).isInstanceOf(IllegalStateException.class);
      assertThat(talk.resume()).isEqualTo(new Turn.Reply("Yes."));
      assertThat(model.requests()).hasSize(1);
      assertThat(talk.say("And then?")).isEqualTo(new Turn.Reply("Yes."));
    }
    assertThat(kept.lines("c", 99))
        .extracting(Line::key)
        .containsOnlyOnce("turn1/round1/model", "turn2/round1/model");
  }
}
