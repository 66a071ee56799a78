package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Of a conversation of which nothing is stored, the store is asked for its state alone, once; and
/// what begins its turn is written together.
class NewConversationTest {
  private static final Set<String> QUESTIONS =
      Set.of("load", "lines", "settledCalls", "settledCall");

  @TempDir private Path folder;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Writing> written = new CopyOnWriteArrayList<>();

  private ConversationStore watched(ConversationStore store) {
    return (ConversationStore)
        Proxy.newProxyInstance(
            NewConversationTest.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              if (QUESTIONS.contains(method.getName())) {
                asked.add(method.getName());
              }
              if (method.getName().equals("write")) {
                written.add((Writing) arguments[arguments.length - 1]);
              }
              return method.invoke(store, arguments);
            });
  }

  private Agent agent(Storage storage) {
    return Agent.builder("desk")
        .model(
            ScriptedModel.answering(request ->
                request.messages().getLast() instanceof Message.User
                    ? ModelReply.calls(RequestedCall.of("same id", "look_up", "{}"))
                    : ModelReply.text("It is on its way.")))
        .tools(Tool.dynamic("look_up").handler((arguments, context) -> "on its way"))
        .store(watched(storage.conversations("desk")))
        .time(new ManualTime()) // events are gathered for a moment, which does not end here
        .build();
  }

  @Test
  void isNotReadInItsFirstTurn() {
    try (Storage storage = Storage.open("sqlite:conversations.db", folder);
        Agent agent = agent(storage);
        Conversation conversation = agent.conversation("new")) {
      assertThat(conversation.say("Where is it?")).isEqualTo(new Turn.Reply("It is on its way."));
      assertThat(asked).containsExactly("load");
      asked.clear();
      assertThat(conversation.say("Where is it?")).isEqualTo(new Turn.Reply("It is on its way."));
      assertThat(asked).containsExactly("load", "settledCall");
      assertThat(storage.conversations("desk").settledCalls("new", 1)).hasSize(1);
      assertThat(storage.conversations("desk").settledCalls("new", 2)).hasSize(1);
    }
  }

  @Test
  void isReadWholeWhereItExists() {
    try (Storage storage = Storage.open("sqlite:conversations.db", folder);
        Agent agent = agent(storage)) {
      try (Conversation first = agent.conversation("known")) {
        assertThat(first.say("Where is it?")).isInstanceOf(Turn.Reply.class);
      }
      asked.clear();
      try (Conversation again = agent.conversation("known")) {
        assertThat(again.say("Where is it?")).isInstanceOf(Turn.Reply.class);
      }
      assertThat(asked).containsExactly("load", "settledCalls", "lines", "settledCall");
    }
  }

  @Test
  void logsWhatTheUserSaidTogetherWithItsLine() {
    ConversationOptions logged = ConversationOptions.NONE.withLog(event -> {});
    try (Storage storage = Storage.open("sqlite:conversations.db", folder);
        Agent agent = agent(storage);
        Conversation conversation = agent.conversation("new", logged)) {
      assertThat(conversation.sayOnce("said", "Where is it?", null)).isInstanceOf(Turn.Reply.class);

      Writing told =
          written.stream()
              .filter(
                  one -> one.events().stream().anyMatch(event -> "user/said".equals(event.key())))
              .findFirst()
              .orElseThrow();
      assertThat(told.lines())
          .extracting(ConversationStore.Line::key)
          .containsExactly("turn1/input");
    }
  }
}
