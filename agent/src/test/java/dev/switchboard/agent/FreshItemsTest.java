package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.testing.ScriptedModel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// That a reply was made without refused items is kept where its own are not, or the refused ones
/// would be sent with each later request.
class FreshItemsTest {
  private static final ProviderItems FRESH =
      ProviderItems.of("me", List.of(Json.text("{\"item\":{\"a\":1}}"))).freshly();

  private final ScriptedModel model = new ScriptedModel();

  record Rate(int rate) {}

  /// A model that has no means of its own for structured replies.
  private record Plain(ChatModel model) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return model.reply(request, stream);
    }
  }

  private void expectOnlyFresh(ModelRequest request) {
    assertThat(request.messages())
        .filteredOn(Message.Assistant.class::isInstance)
        .flatExtracting(
            message -> Stream.ofNullable(((Message.Assistant) message).items()).toList())
        .containsExactly(new ProviderItems("me", ProviderItems.VERSION, true, List.of()));
  }

  @Test
  void ofAStructuredReply() {
    model
        .replies(
            ModelReply.calls(RequestedCall.of("c", "final_reply", "{\"rate\":3}")).withItems(FRESH))
        .calls("final_reply", "{\"rate\":4}");
    try (Agent agent = Agent.builder("Desk").model(new Plain(model)).build()) {
      Conversation talk = agent.conversation("c");

      assertThat(talk.ask("Rate?", Rate.class)).isEqualTo(new Rate(3));
      assertThat(talk.ask("And now?", Rate.class)).isEqualTo(new Rate(4));
    }
    expectOnlyFresh(model.lastRequest());
  }

  @Test
  void ofABlockedReply() {
    model.replies(ModelReply.text("Bad").withItems(FRESH)).says("Bye.");
    try (Agent agent =
        Agent.builder("Desk")
            .model(model)
            .guardrails(Guardrail.words("bad", "bad").block("No."))
            .build()) {
      Conversation talk = agent.conversation("c");

      assertThat(talk.say("Hello")).isEqualTo(new Turn.Reply("No."));
      talk.say("Goodbye");
    }
    expectOnlyFresh(model.lastRequest());
  }

  @Test
  void ofACorrectedMessage() {
    RequestedCall plain = RequestedCall.of("c", "t", "{}");
    RequestedCall call = new RequestedCall("c", "t", Json.EMPTY_OBJECT, Json.text("{\"s\":1}"));
    Message said = new Message.Assistant("Bad", List.of(call), FRESH);

    assertThat(new TranscriptEntry.Corrected("line", "B").of(said))
        .isEqualTo(
            new Message.Assistant(
                "B",
                List.of(plain),
                new ProviderItems("me", ProviderItems.VERSION, true, List.of())));
  }
}
