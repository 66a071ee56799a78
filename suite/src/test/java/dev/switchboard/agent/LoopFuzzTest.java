package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Records;
import dev.switchboard.loop.Input;
import dev.switchboard.state.LoopState;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random agents in random conversations, with a model that says anything, whose process dies now
/// and then: what must always hold does.
class LoopFuzzTest {
  private static final int RUNS = Integer.getInteger("switchboard.fuzz", 12);

  @TempDir Path folder;

  @Test
  void holdsInMemory() {
    for (int seed = 1; seed <= RUNS; seed++) {
      new Run(seed, new InProcessConversations()).play();
    }
  }

  @Test
  void holdsInSqlite() {
    for (int seed = 10_001; seed <= 10_000 + RUNS / 6; seed++) {
      try (ConversationStore store = Storage.sqlite(folder.resolve(seed + ".db"), "fuzz")) {
        new Run(seed, store).play();
      }
    }
  }

  /// One conversation from its beginning, through deaths, to its end.
  private static final class Run {
    private final Random random;
    private final FuzzedAgent agents;
    private final String name;
    private final List<Input> inputs = new ArrayList<>();

    Run(int seed, ConversationStore durable) {
      random = new Random(seed);
      agents = new FuzzedAgent(seed, durable);
      name = "seed " + seed;
    }

    void play() {
      for (int life = 0; life < 6; life++) {
        int writes = random.nextInt(3) == 0 ? -1 : 1 + random.nextInt(40);
        try (Agent agent = agents.agent(new DyingStore(agents.durable, writes))) {
          live(agent.conversation("c"));
        } catch (DyingStore.Killed e) {
          // The next life goes on.
          agents.time.advance(Duration.ofMinutes(1));
        }
      }
      try (Agent agent = agents.agent(new DyingStore(agents.durable, -1))) {
        end(agent);
      }
      assertThat(agents.deeds.values()).as(name).allMatch(times -> times == 1);
    }

    private void live(Conversation talk) {
      if (talk.resume(event -> {}) == null && random.nextBoolean()) {
        talk.greet(event -> {});
      }
      for (int step = 0; step < 5; step++) {
        List<Event> events = Collections.synchronizedList(new ArrayList<>());
        Turn turn = step(talk, events);
        if (turn != null) {
          check(talk, events, turn);
        }
      }
    }

    private @Nullable Turn step(Conversation talk, List<Event> events) {
      List<ConsentRequest> waiting = talk.waiting();
      if (!waiting.isEmpty() && random.nextInt(3) > 0) {
        ConsentRequest one = waiting.get(random.nextInt(waiting.size()));
        return take(talk, Input.Answered.of(one.id(), answer()), events);
      }
      return switch (random.nextInt(12)) {
        case 0 -> {
          agents.time.advance(Duration.ofHours(25));
          yield talk.resume(events::add);
        }
        case 1 -> {
          yield talk.hangUp(events::add);
        }
        case 2 ->
            inputs.isEmpty()
                ? null
                : talk.take(inputs.get(random.nextInt(inputs.size())), events::add);
        case 3 -> take(talk, Input.Answered.of("call_9_9_9", Answer.approveOnce()), events);
        default -> take(talk, Input.Said.of("Words " + random.nextInt(9)), events);
      };
    }

    private Turn take(Conversation talk, Input input, List<Event> events) {
      inputs.add(input);
      return talk.take(input, events::add);
    }

    private Answer answer() {
      return switch (random.nextInt(4)) {
        case 0 -> Answer.deny("no");
        case 1 -> Answer.approveFor(Duration.ofMinutes(10));
        default -> Answer.approveOnce();
      };
    }

    private void check(Conversation talk, List<Event> events, Turn turn) {
      String story = name + " " + events;
      // What was settled elsewhere is shown also where no turn goes on.
      if (!events.stream().allMatch(Run::isOfElsewhere)) {
        assertThat(events.getLast()).as(story).isInstanceOf(Event.Done.class);
        assertThat(events).as(story).filteredOn(Event.Done.class::isInstance).hasSizeLessThan(4);
      }
      assertThat(Records.read(Records.write(talk.state()).tree(), LoopState.class))
          .isEqualTo(talk.state());
      assertThat(talk.state().waiting()).as(story).isEqualTo(turn instanceof Turn.Pending);
      if (!talk.state().waiting()) {
        FuzzedAgent.checkHistory(name, talk.history(), false);
        settled(story, events);
      }
    }

    private static boolean isOfElsewhere(Event event) {
      return event instanceof Event.ToolSettled
          || event instanceof Event.AgentEvent(var word, var payload)
              && word.equals("consent_answer");
    }

    /// Every call has one result.
    private void settled(String story, List<Event> events) {
      Map<String, Integer> open = new HashMap<>();
      for (Event event : events) {
        if (event instanceof Event.ToolCalled(var call, boolean auto, var mode)) {
          open.merge(call.id(), 1, Integer::sum);
        }
        if (event instanceof Event.ToolSettled(var result, var tool)
            && open.containsKey(result.callId())) {
          open.merge(String.valueOf(result.callId()), -1, Integer::sum);
        }
      }
      assertThat(open.values()).as(story).allMatch(count -> count == 0);
    }

    private void end(Agent agent) {
      Conversation talk = agent.conversation("c");
      Turn turn = talk.resume();
      while (turn instanceof Turn.Pending(var requests)) {
        agents.time.advance(Duration.ofHours(25));
        turn = talk.resume();
        assertThat(requests).as(name).isNotEmpty();
      }
      talk.say("The end.");
      if (talk.state().waiting()) {
        talk.hangUp();
      }
      assertThat(talk.waiting()).as(name).isEmpty();
      FuzzedAgent.checkHistory(name, talk.history(), false);
      Transcript again =
          new Transcript(
              ToolSession.builder("c").store(agents.durable).build(),
              tool -> false,
              agents.durable,
              agents.time,
              null);
      assertThat(again.history().messages()).as(name).isEqualTo(talk.history());
      agent.close();
      assertThat(agent.conversation("c").state()).as(name).isEqualTo(talk.state());
    }
  }
}
