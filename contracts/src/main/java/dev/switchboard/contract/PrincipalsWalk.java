package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.DerivedId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/// Several principals on all ways that lead to an agent, with ids of all kinds: nothing of one is
/// run in, read by, answered by or found by another.
public final class PrincipalsWalk {
  private static final Pattern SECRET = Pattern.compile("SECRET-(\\w+)-\\d+");
  private static final List<String> STARTS = List.of("", "", "NOTE ", "NOTE ", "PAY ");
  private static final int RECENT = 60;

  private final ConversationStore store;
  private final List<Way> ways = new ArrayList<>();
  private final List<String> ids = new ArrayList<>(List.of("agent:Desk", "~x", "mcp-ada", "none"));
  // In which conversations the tool ran, and with what.
  private final List<Map.Entry<String, String>> ran = new CopyOnWriteArrayList<>();
  private int number;

  public PrincipalsWalk(ConversationStore store) {
    this.store = store;
  }

  /// A way to an agent.
  public interface Way {
    /// Who comes on it into the conversation of that id.
    String principal(String id);

    /// Says those words there, and returns what comes back: replies, history, results.
    ///
    /// @param words that begin with `NOTE` or `PAY`, where the model is to call that tool
    /// @throws ConversationNotFoundException or IllegalArgumentException when the id is refused
    String say(String id, String words);
  }

  /// As [Way#say].
  public interface Saying {
    String say(String id, String words);
  }

  /// An agent whose model repeats the latest words, or calls a tool with them: one that runs, and
  /// one that a person has to approve.
  public AgentBuilder agent() {
    return Agent.builder("Desk")
        .model(ScriptedModel.answering(PrincipalsWalk::reply))
        .store(store)
        .tools(tool("get_note"), tool("local_pay"));
  }

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .handler((arguments, context) -> {
          ran.add(Map.entry(context.conversationId(), arguments.text()));
          return "did " + arguments.text();
        });
  }

  private static ModelReply reply(ModelRequest request) {
    Message last = request.messages().getLast();
    String words = last instanceof Message.User user ? user.text() : "done";
    return switch (words.substring(0, words.indexOf(' ') + 1)) {
      case "NOTE " -> calls("get_note", words);
      case "PAY " -> calls("local_pay", words);
      default -> ModelReply.text("You said " + words);
    };
  }

  private static ModelReply calls(String tool, String words) {
    return ModelReply.calls(RequestedCall.of("c", tool, "{\"to\":\"" + words + "\"}"));
  }

  /// The agent's conversations of that principal in Java.
  public static Way inJava(Agent agent, String principal) {
    ConversationOptions options = ConversationOptions.NONE.withPrincipal(principal);
    return as(
        principal,
        (id, words) -> {
          try (Conversation talk = agent.conversation(id, options)) {
            return talk.say(words) + " " + talk.history();
          }
        });
  }

  /// A way of one principal.
  public static Way as(String principal, Saying saying) {
    return new Way() {
      @Override
      public String principal(String id) {
        return principal;
      }

      @Override
      public String say(String id, String words) {
        return saying.say(id, words);
      }
    };
  }

  public PrincipalsWalk on(Way way) {
    ways.add(way);
    return this;
  }

  /// Goes so many steps, and looks at all that is stored then.
  public void go(long seed, int steps) {
    Random random = new Random(seed);
    ids.add(DerivedId.of("mcp", "Desk", "ada", ""));
    int answered = 0;
    for (int i = 0; i < steps; i++) {
      Way way = ways.get(random.nextInt(ways.size()));
      String id = random.nextInt(3) == 0 ? "c" + i : ids.get(random.nextInt(ids.size()));
      answered += step(way, id, STARTS.get(random.nextInt(STARTS.size()))) ? 1 : 0;
      store.directory().conversations().stream()
          .map(Summary::id)
          .filter(one -> !ids.contains(one))
          .forEach(ids::add);
      if (ids.size() > 2 * RECENT) {
        ids.subList(5, ids.size() - RECENT).clear();
      }
    }
    check();
    assertThat(ran).isNotEmpty();
    assertThat(answered).isBetween(steps / 10, steps - 1);
  }

  /// Whether anything came back.
  private boolean step(Way way, String id, String start) {
    String own = mark(way.principal(id));
    String words = start + "SECRET-" + own + "-" + ++number;
    String answer;
    try {
      answer = way.say(id, words);
    } catch (ConversationNotFoundException | IllegalArgumentException refused) {
      answer = "";
    }
    assertThat(marks(answer)).as(way.principal(id) + " in " + id).isSubsetOf(own);
    return !answer.isEmpty();
  }

  private void check() {
    for (Summary one : store.directory().conversations()) {
      StringBuilder all = new StringBuilder();
      store.events(one.id(), 0, 10_000).forEach(event -> all.append(event.event().text()));
      String owner = one.header().principal();
      assertThat(one.id()).doesNotContain("~"); // nobody here has the runtime derive one
      assertThat(marks(all.toString())).as(owner + "'s " + one.id()).isSubsetOf(mark(owner));
    }
    for (Map.Entry<String, String> one : ran) {
      Summary known = store.directory().conversation(one.getKey());
      if (known != null) {
        assertThat(marks(one.getValue())).containsExactly(mark(known.header().principal()));
      }
    }
  }

  private static String mark(String principal) {
    return principal.replaceAll("\\W", "_");
  }

  private static List<String> marks(String text) {
    return SECRET.matcher(text).results().map(found -> found.group(1)).distinct().toList();
  }
}
