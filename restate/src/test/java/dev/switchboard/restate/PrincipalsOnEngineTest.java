package dev.switchboard.restate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.restate.sdk.common.TerminalException;
import dev.switchboard.agent.Agent;
import dev.switchboard.contract.PrincipalsWalk;
import dev.switchboard.contract.PrincipalsWalk.Way;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.loop.Input;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Principals whose inputs an engine carries to the agent, and others in Java, with one store.
class PrincipalsOnEngineTest {
  private static final int STEPS = 200;

  private final InProcessConversations storage = new InProcessConversations();
  private final PrincipalsWalk walk = new PrincipalsWalk(storage);
  private final Agent agent = walk.agent().build();

  /// An input that the engine hands over.
  private String take(String principal, String id, String words) {
    Input said = new Input.Said("i-" + words, words);
    var conversation =
        new ConversationObject(agent, storage, Duration.ofMinutes(1), new RunningTurns())
            .definition();
    EngineInProcess engine = new EngineInProcess(conversation, id, said);
    Throwable thrown = engine.attempt(new Request(principal, said).text());
    if (thrown instanceof TerminalException) {
      throw new ConversationNotFoundException(id);
    }
    if (thrown != null) {
      throw new AssertionError(thrown);
    }
    StringBuilder journal = new StringBuilder("taken ");
    engine.journal.forEach(entry -> journal.append(new String(entry, UTF_8)));
    return journal.toString();
  }

  private Way byEngine(String principal) {
    return PrincipalsWalk.as(principal, (id, words) -> take(principal, id, words));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingOfOneIsReadRunOrAnsweredByAnother(long seed) {
    walk.on(byEngine("ann"))
        .on(byEngine("ben"))
        .on(byEngine("local"))
        .on(PrincipalsWalk.inJava(agent, "ann"))
        .go(seed, STEPS);
    agent.close();
  }
}
