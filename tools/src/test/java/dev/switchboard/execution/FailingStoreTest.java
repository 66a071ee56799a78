package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whichever operation of a store fails, every call gets its one result, and no handler runs twice,
/// or without its start being counted.
class FailingStoreTest {
  /// When a store throws: before it does what it was asked, or after.
  enum When {
    BEFORE,
    AFTER
  }

  /// Fails at one operation: its first, its second, and so on.
  private static final class Failing extends KeptConversations {
    private final When when;
    private final AtomicInteger left;

    Failing(When when, int operation) {
      this.when = when;
      left = new AtomicInteger(operation);
    }

    @Override
    void before(String operation) {
      failIf(When.BEFORE, operation);
    }

    @Override
    void after(String operation) {
      failIf(When.AFTER, operation);
    }

    private void failIf(When now, String operation) {
      if (now == when && left.decrementAndGet() == 0) {
        throw new IllegalStateException(operation + " failed");
      }
    }

    boolean hasFailed() {
      return left.get() <= 0;
    }
  }

  private final Map<String, Integer> runs = new ConcurrentHashMap<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final ManualTime time = new ManualTime();

  @ParameterizedTest
  @EnumSource(When.class)
  void everyCallHasItsOneResult(When when) {
    int failures = 0;
    for (int operation = 1; ; operation++) {
      Failing store = new Failing(when, Integer.MAX_VALUE);
      ToolExecutor executor = executor(store);
      ToolSession session = ToolSession.builder("c").store(store).events(events::add).build();
      store.left.set(operation);
      boolean failed;
      try {
        play(executor, session);
        failed = store.hasFailed();
        store.left.set(Integer.MAX_VALUE);
        check(session);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(when + " operation " + operation, e);
      }
      if (!failed) {
        break;
      }
      failures++;
      runs.clear();
      events.clear();
    }
    assertThat(failures).isGreaterThan(10);
  }

  private ToolExecutor executor(ConversationStore store) {
    return ToolExecutor.builder()
        .tools(tool("begin"), tool("one"), tool("two"), tool("ask"), tool("end"), tool("spare"))
        .rules(
            ToolRule.of("begin", new RuleType.StartConstraint(null, false)),
            ToolRule.maxCalls("*", 5),
            ToolRule.maxCalls("one", 5).scope(ToolRule.Scope.AGENT),
            ToolRule.oneOf("one", "spare"),
            ToolRule.consent("ask"),
            ToolRule.exitAfter("end"))
        .store(store)
        .time(time)
        .build();
  }

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .mode(ToolMode.EXTERNAL)
        .inline()
        .handler((arguments, context) -> {
          runs.merge(name + "/" + context.toolCallId(), 1, Integer::sum);
          return "done";
        });
  }

  /// A conversation with all that a store is needed for.
  private void play(ToolExecutor executor, ToolSession session) {
    List<ToolResult> results = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      results.add(executor.execute(ToolCall.of("early" + i, "one", "{}"), session));
    }
    results.add(executor.execute(ToolCall.of("begin", "begin", "{}"), session));
    results.addAll(
        executor.executeAll(
            Stream.of("one", "two", "one").map(name -> ToolCall.of(name, name, "{}")).toList(),
            session));
    ToolCall asking = ToolCall.of("ask", "ask", "{}");
    executor.submitAll(List.of(asking), session);
    answer(executor, session);
    answer(executor, session);
    time.advance(Duration.ofHours(25));
    executor.expire(session);
    executor.expire(session);
    results.add(executor.execute(asking, session));
    results.add(executor.execute(ToolCall.of("end", "end", "{}"), session));
    assertThat(results).doesNotContainNull();
  }

  /// The only step that may tell its caller of the store; the call stays open then.
  private static void answer(ToolExecutor executor, ToolSession session) {
    try {
      Optional<ToolResult> answered = executor.answer("ask", Answer.approveAlways(), session);
      assertThat(answered).isNotNull();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageEndingWith("failed");
    }
  }

  private void check(ToolSession session) {
    assertThat(runs.values()).allMatch(times -> times == 1);
    assertThat(settled()).containsExactlyInAnyOrderElementsOf(called());
    RuleState state = session.refresh().rules();
    for (String tool : List.of("begin", "one", "two", "ask", "end")) {
      long ran = runs.keySet().stream().filter(key -> key.startsWith(tool + "/")).count();
      assertThat((long) state.conversation().of(tool).started()).isGreaterThanOrEqualTo(ran);
    }
  }

  private List<String> called() {
    return events.stream()
        .filter(Event.ToolCalled.class::isInstance)
        .map(event -> ((Event.ToolCalled) event).call().id())
        .toList();
  }

  private List<String> settled() {
    return events.stream()
        .filter(Event.ToolSettled.class::isInstance)
        .map(event -> String.valueOf(((Event.ToolSettled) event).result().callId()))
        .toList();
  }

  @Test
  void refusedCallSpendsNothingIfAgentStateIsNotStored() {
    AtomicInteger replaces = new AtomicInteger();
    KeptConversations store =
        new KeptConversations() {
          @Override
          void before(String operation) {
            // The agent's alone: the conversation's is written with what belongs to it.
            if (operation.equals("replace") && replaces.incrementAndGet() == 1) {
              throw new IllegalStateException("full");
            }
          }
        };
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(tool("one"), tool("two"))
            .rules(
                ToolRule.oneOf("one", "two"),
                ToolRule.maxCalls("one", 1).scope(ToolRule.Scope.AGENT))
            .store(store)
            .time(time)
            .build();
    ToolSession session = ToolSession.builder("c").store(store).build();
    assertThat(executor.execute(ToolCall.of("a", "one", "{}"), session).success()).isFalse();
    assertThat(runs).isEmpty();
    assertThat(executor.execute(ToolCall.of("b", "two", "{}"), session).success()).isTrue();
  }
}
