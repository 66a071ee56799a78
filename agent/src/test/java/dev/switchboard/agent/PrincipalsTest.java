package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.DerivedId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrincipalsTest {
  private static final ConversationOptions ANN = ConversationOptions.NONE.withPrincipal("ann");
  private static final ConversationOptions BEN = ConversationOptions.NONE.withPrincipal("ben");

  private static final ChatModel MODEL =
      ScriptedModel.answering(request -> ModelReply.text("Hello."));

  private final InProcessConversations store = new InProcessConversations();

  private Agent agent() {
    return Agent.builder("Desk").model(MODEL).store(store).build();
  }

  @Test
  void aConversationIsNotFoundByOthersWhileItIsOpen() {
    try (Agent agent = agent()) {
      agent.conversation("c", ANN).say("Hi");

      assertThatThrownBy(() -> agent.conversation("c", BEN))
          .isInstanceOf(ConversationNotFoundException.class)
          .hasMessage("conversation 'c' was not found");
      assertThatThrownBy(() -> agent.conversation("c"))
          .isInstanceOf(ConversationNotFoundException.class);
      assertThatThrownBy(() -> agent.live("c", BEN, event -> {}))
          .isInstanceOf(ConversationNotFoundException.class);
      assertThat(agent.conversation("c", ANN).id()).isEqualTo("c");
    }
  }

  @Test
  void aConversationIsNotFoundByOthersAfterARestart() {
    try (Agent agent = agent()) {
      agent.conversation("c", ANN).say("Hi");
      agent.conversation("own").say("Hi");
    }
    try (Agent agent = agent()) {
      assertThatThrownBy(() -> agent.conversation("c", BEN))
          .isInstanceOf(ConversationNotFoundException.class);
      assertThatThrownBy(() -> agent.conversation("own", ANN))
          .isInstanceOf(ConversationNotFoundException.class);
      assertThat(agent.conversation("c", ANN).state().turn()).isEqualTo(1);
      assertThat(agent.conversation("own").state().turn()).isEqualTo(1);
    }
    assertThat(store.conversation("own").header().principal()).isEqualTo("local");
  }

  @Test
  void aConversationThatIsNotStoredIsNotFoundByOthersEither() {
    try (Agent agent = Agent.builder("Desk").model(MODEL).build()) {
      agent.conversation("c", ANN).say("Hi");

      assertThatThrownBy(() -> agent.conversation("c", BEN))
          .isInstanceOf(ConversationNotFoundException.class);
    }
  }

  @Test
  void aSessionOfTheExecutorBelongsToItsPrincipal() {
    ToolSession.builder("c").principal("ann").store(store).build().nextTurn();

    assertThatThrownBy(() -> ToolSession.builder("c").principal("ben").store(store).build())
        .isInstanceOf(ConversationNotFoundException.class);
    assertThatThrownBy(() -> ToolSession.builder("c").store(store).build())
        .isInstanceOf(ConversationNotFoundException.class);
    assertThat(ToolSession.builder("c").principal("ann").store(store).build().principal())
        .isEqualTo("ann");
  }

  @Test
  void onlyTheRuntimeBeginsConversationsWithATilde() {
    try (Agent agent = agent()) {
      String derived = DerivedId.of("mcp", "Desk", "ann", "");
      for (String id : List.of("~x", "a~b", derived)) {
        assertThatThrownBy(() -> agent.conversation(id, ANN))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("the id of a new conversation must not contain '~': '" + id + "'");
      }
      agent.conversation(derived, ANN.withDerivedId()).say("Hi");
      agent.conversation(derived, ANN).close();

      assertThat(agent.conversation(derived, ANN).state().turn()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "a\u001Fb", "\uD800"})
  void aPrincipalHasAName(String name) {
    assertThatThrownBy(() -> ConversationOptions.NONE.withPrincipal(name))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void derivedIdsOfDifferentPartsDiffer() {
    assertThat(
            List.of(
                DerivedId.of("mcp", "ab", "c", ""),
                DerivedId.of("mcp", "a", "bc", ""),
                DerivedId.of("mcp", "a", "b", "c"),
                DerivedId.of("mcp", "", "abc", ""),
                DerivedId.of("agent", "a", "b", "c")))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("~(mcp|agent)\\.[A-Za-z0-9_-]{43}"));
  }
}
