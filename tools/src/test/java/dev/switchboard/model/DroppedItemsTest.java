package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.ScriptedModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is left for the provider of a reply that is no longer as the model made it.
class DroppedItemsTest {
  private static final ProviderItems ITEMS =
      ProviderItems.of("chat/h/m", List.of(Json.text("{\"call\":0}")));
  private static final RequestedCall CALL =
      new RequestedCall("c1", "a", Json.EMPTY_OBJECT, Json.text("{\"extra_content\":{\"x\":1}}"));
  private static final ModelReply REPLY = ModelReply.calls(CALL).withItems(ITEMS);
  private static final RequestedCall BROKEN =
      new RequestedCall("c1", "a", Json.text("{"), CALL.extra());

  @Test
  void ofOtherWordsOrCallsNothingIsLeft() {
    ModelReply spoken = REPLY.withText("Hi.");
    ModelReply called = REPLY.withCalls(List.of(CALL, CALL));

    assertThat(spoken.items()).isNull();
    assertThat(spoken.calls()).containsExactly(CALL.withoutExtra());
    assertThat(called.items()).isNull();
    assertThat(called.calls()).containsExactly(CALL.withoutExtra(), CALL.withoutExtra());
  }

  @Test
  void ofAMessageWithoutItsItemsNothingIsLeft() {
    Message.Assistant said = new Message.Assistant("", List.of(CALL), ITEMS);

    assertThat(said.items()).isEqualTo(ITEMS);
    assertThat(said.withoutItems())
        .isEqualTo(new Message.Assistant("", List.of(CALL.withoutExtra())));
    assertThat(new Message.Assistant("", List.of(BROKEN), ITEMS)).isEqualTo(said.withoutItems());
  }

  @Test
  void callsUnderOtherIdsAreTheModels() {
    ModelReply reply = REPLY.withText("").withCalls(List.of(CALL.withId("c2")));

    assertThat(reply.items()).isEqualTo(ITEMS);
    assertThat(reply.calls()).containsExactly(CALL.withId("c2"));
  }

  @Test
  void whatNeverHadItemsKeepsWhatItHas() {
    ModelReply reply = ModelReply.calls(CALL);

    assertThat(reply.withText("Hi.").calls()).containsExactly(CALL);
    assertThat(reply.withCalls(List.of(CALL, CALL)).calls()).containsExactly(CALL, CALL);
    assertThat(new Message.Assistant("", List.of(CALL)).withoutItems().calls())
        .containsExactly(CALL);
    assertThat(new Message.Assistant("", List.of(BROKEN)).calls()).containsExactly(CALL);
  }

  @Test
  void recordingsFitWithAndWithoutIt() {
    Message result = new Message.Result("c1", "a", "1", true);
    ModelRequest kept = Talk.request(new Message.Assistant("", List.of(CALL)), result);
    ModelRequest plain =
        Talk.request(new Message.Assistant("", List.of(CALL.withoutExtra())), result);
    String recorded = Talk.recorded(new ScriptedModel().says("One.").says("Two."), kept, plain);
    RecordedModel model = Talk.replay(recorded);

    assertThat(recorded).containsOnlyOnce("extra_content");
    assertThat(model.reply(plain, ReplyStream.unheard()).text()).isEqualTo("One.");
    assertThat(model.reply(kept, ReplyStream.unheard()).text()).isEqualTo("Two.");
  }
}
