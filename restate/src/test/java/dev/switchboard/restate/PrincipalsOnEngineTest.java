package dev.switchboard.restate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.restate.sdk.common.TerminalException;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.PrincipalsWalk;
import dev.switchboard.agent.PrincipalsWalk.Way;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.loop.Input;
import dev.switchboard.store.InProcessConversations;
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
  private final class ByEngine implements Way {
    private final String name;

    ByEngine(String name) {
      this.name = name;
    }

    @Override
    public String principal(String id) {
      return name;
    }

    @Override
    public String say(String id, String words) {
      Input said = new Input.Said("i-" + words, words);
      EngineInProcess engine =
          new EngineInProcess(
              new ConversationObject(agent, storage, Duration.ofMinutes(1), new Turns())
                  .definition(),
              id,
              said);
      Throwable thrown = engine.attempt(new Request(name, said).text());
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
  }

  private final class InJava implements Way {
    @Override
    public String principal(String id) {
      return "ann";
    }

    @Override
    public String say(String id, String words) {
      var options = ConversationOptions.NONE.withPrincipal("ann");
      try (Conversation talk = agent.conversation(id, options)) {
        return talk.say(words) + " " + talk.history();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingOfOneIsReadRunOrAnsweredByAnother(long seed) {
    walk.on(new ByEngine("ann"))
        .on(new ByEngine("ben"))
        .on(new ByEngine("local"))
        .on(new InJava())
        .go(seed, STEPS);
    agent.close();
  }
}
