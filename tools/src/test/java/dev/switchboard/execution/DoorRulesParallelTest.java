package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.NaiveRules;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.ruling.Tally;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.ruling.Violation;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random rules and calls that overlap, on several threads: whatever comes first, no handler starts
/// that the rules forbid by then, and the books say what happened.
class DoorRulesParallelTest {
  private static final int SEQUENCES = 40;
  private static final int ROUNDS = 4;

  /// Those that hold at the very start of a handler too; a success of another tool may come between
  /// a decision and that.
  private static final Set<Violation> STRICT =
      Set.of(
          Violation.MAX_CALLS_EXCEEDED,
          Violation.COOLDOWN_ACTIVE,
          Violation.EXCLUSIVE_GROUP,
          Violation.PREREQUISITES_NOT_MET,
          Violation.OPERATION_NOT_ALLOWED);

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"one session", "two conversations", "two processes"})
  void startsNothingThatTheRulesForbid(String kind) {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + SEQUENCES; seed++) {
      try {
        new Sequence(new Random(seed), kind).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(kind + ", seed " + seed, e);
      }
    }
  }

  /// A host: its executor, its session.
  private record Host(ToolExecutor executor, ToolSession session) {}

  private static final class Sequence {
    private final Random random;
    private final RandomRules lots;
    private final List<ToolRule> rules;
    private final RuleSet compiled;
    private final ManualTime time = new ManualTime();
    private final KeptConversations store = new KeptConversations();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Map<String, NaiveRules> naive = new HashMap<>(); // guarded by this
    private final NaiveRules ofAgent; // guarded by this
    private final Map<String, Integer> starts = new ConcurrentHashMap<>();
    private final List<Host> hosts = new ArrayList<>();

    Sequence(Random random, String kind) {
      this.random = random;
      lots = new RandomRules(random);
      rules = lots.rules(7);
      compiled = RuleSet.of(rules, List.of(), Map.of(), RandomRules.TOOLS);
      ofAgent = new NaiveRules(ofAgent(true));
      ToolExecutor executor = executor();
      hosts.add(host(executor, "c1"));
      switch (kind) {
        case "two conversations" -> hosts.add(host(executor, "c2"));
        case "two processes" -> hosts.add(host(executor(), "c1"));
        default -> {}
      }
    }

    private ToolExecutor executor() {
      return RandomRules.executor(rules, store, time, this::work);
    }

    private Host host(ToolExecutor executor, String conversation) {
      naive.put(conversation, new NaiveRules(ofAgent(false)));
      return new Host(
          executor, ToolSession.builder(conversation).store(store).events(events::add).build());
    }

    private List<ToolRule> ofAgent(boolean is) {
      return rules.stream().filter(rule -> (rule.scope() == ToolRule.Scope.AGENT) == is).toList();
    }

    void run() {
      for (int i = 0; i < ROUNDS; i++) {
        round();
        assertThat(faults).isEmpty();
        hosts.forEach(this::checkBooks);
        time.advance(Duration.ofMillis(random.nextInt(900)));
        if (random.nextBoolean()) {
          nextTurn();
        }
      }
      checkEvents();
    }

    private void nextTurn() {
      Set<String> begun =
          hosts.stream().map(host -> host.session.conversationId()).collect(Collectors.toSet());
      for (Host host : hosts) {
        if (begun.remove(host.session.conversationId())) {
          host.session.nextTurn();
        }
      }
      naive.values().forEach(NaiveRules::nextTurn);
    }

    private void round() {
      List<Thread> threads = new ArrayList<>();
      for (Host host : hosts) {
        threads.add(calling(4, calls -> host.executor.executeAll(calls, host.session)));
        threads.add(calling(2, calls -> oneByOne(host, calls)));
        threads.add(calling(2, calls -> oneByOne(host, calls)));
      }
      threads.forEach(Thread::start);
      threads.forEach(DoorRulesParallelTest::join);
    }

    private static List<ToolResult> oneByOne(Host host, List<ToolCall> calls) {
      return calls.stream().map(call -> host.executor.execute(call, host.session)).toList();
    }

    private Thread calling(int count, Function<List<ToolCall>, List<ToolResult>> run) {
      List<ToolCall> calls = Stream.generate(lots::call).limit(count).toList();
      return Thread.ofPlatform()
          .unstarted(() -> {
            try {
              assertThat(run.apply(calls))
                  .extracting(ToolResult::callId)
                  .isEqualTo(calls.stream().map(ToolCall::id).toList());
            } catch (Throwable thrown) {
              faults.add(thrown);
            }
          });
    }

    private void work(String tool, Json arguments, ToolContext context) {
      String conversation = context.conversationId();
      ToolCall call = ToolCall.of(tool, arguments);
      int here;
      int everywhere;
      synchronized (this) {
        here = start(naive(conversation), call);
        everywhere = start(ofAgent, call);
        starts.merge(conversation + tool, 1, Integer::sum);
      }
      Thread.yield();
      String inner = arguments.tree().path("inner").asString("");
      if (!inner.isEmpty()) {
        context.tools().call(inner, RandomRules.innerArguments(arguments));
      }
      synchronized (this) {
        boolean success = !arguments.tree().path("fails").asBoolean();
        naive(conversation).end(here, success);
        ofAgent.end(everywhere, success);
      }
    }

    private NaiveRules naive(String conversation) {
      return Objects.requireNonNull(naive.get(conversation));
    }

    private int start(NaiveRules known, ToolCall call) {
      List<Violation> broken =
          known.violations(call, time.now()).stream().filter(STRICT::contains).toList();
      if (!broken.isEmpty()) {
        faults.add(new AssertionError(call.name() + " started against " + broken));
      }
      return known.start(call.name(), time.now());
    }

    /// All rests: each start is counted once, and has its end.
    private void checkBooks(Host host) {
      Tallies here = host.session.refresh().rules().conversation();
      Tallies everywhere = store.agent().load().value().uses();
      for (String tool : RandomRules.TOOLS) {
        ToolChecks checks = compiled.checks(tool);
        if (checks.counted()) {
          check(here.of(tool), starts.getOrDefault(host.session.conversationId() + tool, 0));
        }
        if (checks.countedByAgent()) {
          int all = starts.getOrDefault("c1" + tool, 0) + starts.getOrDefault("c2" + tool, 0);
          check(everywhere.of(tool), all);
        }
      }
    }

    private static void check(Tally tally, int handlers) {
      assertThat(tally.started()).isEqualTo(handlers);
      assertThat(tally.succeeded() + tally.failed()).isEqualTo(handlers);
    }

    private void checkEvents() {
      List<String> asked = new ArrayList<>();
      List<String> told = new ArrayList<>();
      for (Event event : events) {
        switch (event) {
          case Event.ToolCalled called -> asked.add(called.call().id());
          case Event.ToolSettled settled -> told.add(settled.result().callId());
          default -> {}
        }
      }
      assertThat(asked).doesNotHaveDuplicates();
      assertThat(told).containsExactlyInAnyOrderElementsOf(asked);
    }
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofMinutes(5))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
