package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.RetryPolicy;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A process whose conversation another one has taken, or may have taken, makes no further attempt
/// of its calls.
class LostLeaseTest {
  private static final Set<String> LOCAL = Set.of("gathers", "state", "within", "close");

  private final ManualTime time = new ManualTime();
  private final InProcessConversations durable = new InProcessConversations();
  private final List<String> attempts = new CopyOnWriteArrayList<>();
  private volatile boolean away; // whether the store answers no more
  private Consumer<String> world = tool -> {}; // what happens during a call

  private final ConversationStore store =
      (ConversationStore)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ConversationStore.class},
              (proxy, method, arguments) -> {
                if (away && !LOCAL.contains(method.getName())) {
                  throw new IllegalStateException("The store does not answer.");
                }
                try {
                  return method.invoke(durable, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private Conversation talk(String... calls) {
    return Agent.builder("lost")
        .model(ScriptedModel.answering(request -> reply(request, calls)))
        .tools(
            tool("one", false),
            tool("two", false),
            tool("get_left", true),
            tool("get_right", true),
            tool("flaky", false),
            tool("outer", false),
            tool("pay", false))
        .rules(ToolRule.consent("pay"))
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  private static ModelReply reply(ModelRequest request, String... calls) {
    return request.messages().getLast() instanceof Message.Result
        ? ModelReply.text("Done.")
        : ModelReply.calls(
            List.of(calls).stream()
                .map(tool -> RequestedCall.of("", tool, "{}"))
                .toArray(RequestedCall[]::new));
  }

  private Tool tool(String name, boolean parallel) {
    return Tool.dynamic(name)
        .parallel(parallel)
        .retry(RetryPolicy.DEFAULT)
        .handler((arguments, context) -> answer(name, context));
  }

  private String answer(String name, ToolContext context) throws IOException {
    attempts.add(name);
    world.accept(name);
    if (name.equals("flaky")) {
      throw new IOException("not yet");
    }
    return name.equals("outer")
        ? String.valueOf(context.tools().call("one", Json.EMPTY_OBJECT).text())
        : "done";
  }

  private void anotherTakes() {
    OtherProcess.takes(durable, "c", time.now().plusSeconds(30));
  }

  private void whenCalled(String tool, Runnable event) {
    world =
        called -> {
          if (called.equals(tool)) {
            event.run();
          }
        };
  }

  private void isLostIn(Conversation talk) {
    assertThatThrownBy(() -> talk.say("Go")).isInstanceOf(ConversationConflictException.class);
  }

  @Test
  void theNextCallOfTheBatchIsNotMade() {
    whenCalled("one", this::anotherTakes);

    isLostIn(talk("one", "two"));
    assertThat(attempts).containsExactly("one");
    assertThat(durable.settledCalls("c", 1)).isEmpty();
  }

  @Test
  void aFailedCallIsNotTriedAgain() {
    whenCalled(
        "flaky",
        () -> {
          anotherTakes();
          time.advance(LeaseTerms.LENGTH);
        });

    isLostIn(talk("flaky"));
    assertThat(attempts).containsExactly("flaky");
  }

  @Test
  void aToolCallsNoOtherOne() {
    whenCalled(
        "outer",
        () -> {
          anotherTakes();
          time.advance(LeaseTerms.LENGTH);
        });

    isLostIn(talk("outer", "two"));
    assertThat(attempts).containsExactly("outer");
    assertThat(durable.settledCalls("c", 1)).isEmpty();
  }

  @Test
  void aCallThatAPersonHasAllowedIsNotMade() {
    Conversation talk = talk("pay", "two");
    whenCalled("two", this::anotherTakes);
    isLostIn(talk);
    assertThat(attempts).containsExactly("two");
  }

  @Test
  void startsNoCallAfterLeaseEndsWithoutStore() {
    whenCalled(
        "one",
        () -> {
          away = true;
          time.advance(LeaseTerms.LENGTH);
        });
    Conversation talk = talk("one", "two");

    assertThatThrownBy(() -> talk.say("Go")).isInstanceOf(IllegalStateException.class);
    assertThat(attempts).containsExactly("one");
    away = false;
    world = tool -> {};
    assertThat(talk.resume()).isEqualTo(new Turn.Reply("Done."));
    assertThat(attempts).containsExactly("one", "two");
  }

  @Test
  void theStoreRenewsALeaseThatHasEnded() {
    whenCalled("one", () -> time.advance(LeaseTerms.LENGTH));

    assertThat(talk("one", "two").say("Go")).isEqualTo(new Turn.Reply("Done."));
    assertThat(attempts).containsExactly("one", "two");
  }

  @Test
  void aCallOfAnAnswerIsNotMadeWhereTheLeaseIsLost() {
    Conversation talk = talk("pay", "pay");
    Turn.Pending pending = (Turn.Pending) talk.say("Go");
    List<String> asked = new ArrayList<>();
    pending.requests().forEach(request -> asked.add(request.id()));
    asked.forEach(id -> talk.decide(id, Answer.approveOnce()));
    whenCalled("pay", this::anotherTakes);

    assertThatThrownBy(talk::resume).isInstanceOf(ConversationConflictException.class);
    assertThat(attempts).containsExactly("pay");
    assertThat(durable.settledCalls("c", 1)).isEmpty();
  }

  @Test
  void callsSideBySideAreStoppedWhereTheirToolsAllowIt() {
    CompletableFuture<Void> taken = new CompletableFuture<>();
    world =
        called -> {
          if (called.equals("get_left")) {
            anotherTakes();
            taken.complete(null);
          } else {
            taken.join();
          }
        };

    isLostIn(talk("get_left", "get_right", "two"));
    assertThat(attempts).doesNotContain("two");
    assertThat(durable.settledCalls("c", 1)).isEmpty();
  }
}
