package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// A store that fails at its n-th write, before or after it has written: the turn is broken off and
/// gone on with, and no call fails for that.
class StoreFailsTest {
  private static StoreException away() {
    return new StoreException("The store is away.", StoreException.Kind.AWAY, null);
  }

  /// A process whose store fails a few times.
  private static final class Life {
    final ManualTime time = new ManualTime();
    final InProcessConversations kept = new InProcessConversations(time);
    final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger before; // writes until it fails
    final AtomicInteger fails;
    final boolean writes; // and fails then
    final Agent agent;

    Life(int before, int fails, boolean writes) {
      this.before = new AtomicInteger(before);
      this.fails = new AtomicInteger(fails);
      this.writes = writes;
      agent =
          Agent.builder("fails")
              .model(ScriptedModel.answering(Life::reply))
              .tools(tool("get_it"), tool("pay"), tool("load_first"))
              .rules(
                  ToolRule.startWith("load_first"),
                  ToolRule.consent("pay"),
                  ToolRule.maxCalls("get_it", 3))
              .store(store())
              .time(time)
              .build();
    }

    private Tool tool(String name) {
      return Tool.dynamic(name)
          .handler(arguments -> {
            ran.add(name);
            return name + " done";
          });
    }

    private static ModelReply reply(ModelRequest request) {
      return switch (request.messages().getLast()) {
        case Message.Result result when result.tool().equals("load_first") ->
            ModelReply.calls(
                RequestedCall.of("", "get_it", "{}"), RequestedCall.of("", "pay", "{}"));
        default -> ModelReply.text("Done.");
      };
    }

    private ConversationStore store() {
      return (ConversationStore)
          Proxy.newProxyInstance(
              ConversationStore.class.getClassLoader(),
              new Class<?>[] {ConversationStore.class},
              (proxy, method, arguments) -> {
                boolean now =
                    method.getName().equals("write")
                        && !Thread.currentThread().getName().startsWith("events-")
                        && before.decrementAndGet() < 0
                        && fails.decrementAndGet() >= 0;
                if (now && !writes) {
                  throw away();
                }
                try {
                  Object done = method.invoke(kept, arguments);
                  if (now) {
                    throw away();
                  }
                  return done;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    Conversation talk() {
      return agent.conversation("c", ConversationOptions.NONE.withLog(event -> {}));
    }

    /// Runs the turn, and goes on with it where it breaks off; false if it never did.
    boolean run() {
      boolean broke = false;
      boolean said = false;
      for (int i = 0; i < 50; i++) {
        try {
          Conversation talk = talk();
          Turn turn = said ? talk.resume() : talk.sayOnce("one", "Go", event -> {});
          said = true;
          while (turn instanceof Turn.Pending(var requests)) {
            turn = talk.answer(requests.getFirst().id(), Answer.approveOnce());
            // An answer that an earlier opening of the conversation took is lost after a while.
            time.advance(Duration.ofSeconds(10));
          }
          if (talk.state().last() != null) {
            return broke;
          }
          said = kept.event("c", "user/one") != null;
        } catch (StoreException | ConversationConflictException e) {
          broke = true;
          time.advance(LeaseTerms.LENGTH);
          said = kept.event("c", "user/one") != null;
        }
      }
      throw new AssertionError("the turn has no end: " + texts());
    }

    List<String> texts() {
      return kept.events("c", 0, 999).stream().map(event -> event.event().text()).toList();
    }
  }

  private static void isWhole(Life life) {
    List<String> results = new ArrayList<>();
    int requests = 0;
    for (Event.Logged event : life.kept.events("c", 0, 999)) {
      JsonNode tree = event.event().tree();
      JsonNode payload = tree.path("payload");
      if (tree.path("type").asString("").equals("tool_result")) {
        assertThat(payload.path("success").asBoolean()).as("%s", life.texts()).isTrue();
        results.add(payload.path("callId").asString());
      }
      requests += tree.path("event").asString("").equals("consent_request") ? 1 : 0;
    }
    assertThat(results).as("%s", life.texts()).hasSize(3).doesNotHaveDuplicates();
    assertThat(requests).as("%s", life.texts()).isBetween(1, life.writes ? 2 : 1);
    assertThat(life.ran).as("%s", life.texts()).containsExactly("load_first", "get_it", "pay");
    // One that could not be closed is closed when the conversation is opened.
    life.talk().close();
    assertThat(life.talk().waiting()).isEmpty();
    assertThat(life.kept.state("c").load().value().waiting()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, false", "3, false", "1, true"})
  void theCallsAreMadeOnceWhenItIsBack(int fails, boolean writes) {
    int broken = 0;
    for (int before = 1; before < 40; before++) {
      Life life = new Life(before, fails, writes);
      broken += life.run() ? 1 : 0;
      isWhole(life);
    }
    assertThat(broken).isPositive();
  }

  @Test
  void aCallByHandIsRefusedAndSaysThatItDidNotRun() {
    boolean refused = false;
    for (int before = 0; before < 12; before++) {
      Life life = new Life(before, 1, false);
      try {
        Turn turn =
            life.talk().call(new ToolCall("hand", "load_first", Json.EMPTY_OBJECT), event -> {});
        String log = life.texts().toString();
        if (life.ran.isEmpty()) {
          refused = true;
          assertThat(log).contains("was not run: the store could not be read or written");
        }
        assertThat(turn).isInstanceOf(Turn.Reply.class);
      } catch (StoreException e) {
        assertThat(life.ran).hasSizeLessThan(2); // what follows from the result was not stored
      }
    }
    assertThat(refused).isTrue();
  }
}
