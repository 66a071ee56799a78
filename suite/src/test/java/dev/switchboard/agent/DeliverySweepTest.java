package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolOptions.Delivery.Found;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The process dies behind every single write, and before and after every deed, in calls of tools
/// that may run once only: none is made twice, each has one result, and the model reads the truth.
class DeliverySweepTest {
  private static final int MOST_WRITES = 200;
  private static final List<String> TOOLS =
      List.of("delete_it", "pay_once", "pay_known", "local_pay");

  /// Where a handler dies.
  private enum Moment {
    BEFORE,
    AFTER
  }

  private static final class World {
    final InProcessConversations durable = new InProcessConversations();
    final ManualTime time = new ManualTime();
    // By tool and idempotency key.
    final Map<String, Integer> begun = new TreeMap<>();
    final Map<String, Integer> deeds = new TreeMap<>();
    final List<String> notDone = new ArrayList<>();
  }

  private static final class Life {
    private final World world;
    private final DyingStore store;
    private final @Nullable Moment moment;
    private final String mortal;

    Life(World world, int writes, @Nullable Moment moment, String mortal) {
      this.world = world;
      this.moment = moment;
      this.mortal = mortal;
      store = new DyingStore(world.durable, writes);
    }

    private String work(String name, ToolContext context) {
      String key = name + " " + context.idempotencyKey();
      store.alive();
      synchronized (world) {
        world.begun.merge(key, 1, Integer::sum);
      }
      dies(name, Moment.BEFORE);
      synchronized (world) {
        world.deeds.merge(key, 1, Integer::sum);
      }
      dies(name, Moment.AFTER);
      return name + " done";
    }

    private void dies(String name, Moment now) {
      if (now == moment && name.equals(mortal)) {
        store.die();
        store.alive();
      }
    }

    private Found find(String name, ToolContext context) {
      String key = name + " " + context.idempotencyKey();
      synchronized (world) {
        if (world.deeds.containsKey(key)) {
          return Found.done(name + " done");
        }
        world.notDone.add(key);
        return Found.NOT_DONE;
      }
    }

    private Tool tool(String name) {
      Tool.DynamicBuilder tool = Tool.dynamic(name).parallel(true);
      switch (name) {
        case "pay_once" -> tool.atMostOnce();
        case "pay_known" -> tool.reconcile((arguments, context) -> find(name, context));
        case "local_pay" -> tool.mode(ToolMode.LOCAL).atMostOnce();
        default -> {}
      }
      return tool.handler((arguments, context) -> work(name, context));
    }

    private ModelReply reply(ModelRequest request) {
      store.alive();
      return request.messages().getLast() instanceof Message.Result
          ? ModelReply.text("Done.")
          : ModelReply.calls(
              TOOLS.stream()
                  .map(name -> RequestedCall.of("", name, "{}"))
                  .toArray(RequestedCall[]::new));
    }

    boolean talk() {
      Agent agent =
          Agent.builder("sweep")
              .model(ScriptedModel.answering(this::reply))
              .tools(TOOLS.stream().map(this::tool).toList())
              .rules(ToolRule.maxCalls("pay_known", 1))
              .store(store)
              .time(world.time)
              .build();
      try (Conversation talk =
          agent.conversation("c", ConversationOptions.NONE.withLog(event -> {}))) {
        Turn turn = talk.resume(event -> {});
        while (turn instanceof Turn.Pending || talk.state().turn() < 1) {
          turn =
              turn instanceof Turn.Pending pending
                  ? talk.answer(pending.requests().getFirst().id(), Answer.approveOnce())
                  : talk.say("Do it all.");
        }
        return true;
      } catch (DyingStore.Killed e) {
        return false;
      }
    }
  }

  /// Lives on until the conversation is at rest, in as many processes as that takes.
  private static void goOn(World world, String as) {
    for (int lives = 0; lives < 3; lives++) {
      world.time.advance(Duration.ofMinutes(2));
      if (new Life(world, -1, null, "").talk()) {
        return;
      }
    }
    throw new AssertionError("does not go on: " + as);
  }

  /// The tools of whose calls the model has read that their outcome is unknown.
  private static List<String> check(World world, String as) {
    assertThat(world.deeds.values()).as("deeds, %s", as).allMatch(times -> times == 1);
    world.begun.forEach((key, times) -> {
      long allowed =
          key.startsWith("pay_known") ? 1 + world.notDone.stream().filter(key::equals).count() : 1;
      assertThat((long) times).as("calls of %s, %s", key, as).isLessThanOrEqualTo(allowed);
    });
    List<SettledCall> settled = world.durable.settledCalls("c", 1);
    assertThat(settled)
        .as("results, %s", as)
        .extracting(call -> call.call().name())
        .containsExactlyInAnyOrderElementsOf(TOOLS);
    List<String> unknown = new ArrayList<>();
    for (SettledCall call : settled) {
      String name = call.call().name();
      boolean done = world.deeds.keySet().stream().anyMatch(key -> key.startsWith(name + " "));
      if (call.result().success()) {
        assertThat(done).as("%s, %s", name, as).isTrue();
      } else {
        assertThat(call.result().code())
            .as("%s, %s", name, as)
            .isEqualTo(ResultCode.OUTCOME_UNKNOWN);
        assertThat(name).as(as).isNotEqualTo("pay_known");
        unknown.add(name);
      }
    }
    assertThat(world.durable.state("c").load().value().begun()).as(as).isEmpty();
    return unknown;
  }

  @Test
  void noCallIsMadeTwiceWhereverTheProcessDies() {
    int unknown = 0;
    int writes = 1;
    for (boolean survived = false; !survived && writes < MOST_WRITES; writes++) {
      World world = new World();
      survived = new Life(world, writes, null, "").talk();
      String as = "killed after write " + writes;
      if (!survived) {
        goOn(world, as);
      }
      int now = check(world, as).size();
      assertThat(survived && now > 0).as(as).isFalse();
      unknown += now;
    }
    assertThat(writes).isBetween(10, MOST_WRITES - 1);
    assertThat(unknown).isPositive();
  }

  @Test
  void noCallIsMadeTwiceWhereItsHandlerDies() {
    for (String tool : TOOLS) {
      for (Moment moment : Moment.values()) {
        World world = new World();
        String as = "killed " + moment + " the deed of " + tool;
        assertThat(new Life(world, -1, moment, tool).talk()).as(as).isFalse();
        goOn(world, as);
        assertThat(check(world, as).contains(tool)).as(as).isEqualTo(!tool.equals("pay_known"));
        assertThat(world.deeds.keySet().stream().anyMatch(key -> key.startsWith(tool)))
            .as(as)
            .isEqualTo(moment == Moment.AFTER || tool.equals("pay_known"));
      }
    }
  }
}
