package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is left of items when the words or the calls are no longer the model's, and who sees them.
class ProviderItemsTest {
  private static final ProviderItems ITEMS =
      ProviderItems.of("api/host/m", List.of(Json.text("{\"text\":2}"), Json.text("{\"call\":0}")));
  private static final RequestedCall CALL = RequestedCall.of("c", "t", "{}");

  @Test
  void aChangedReplyIsStillAFreshOne() {
    assertThat(left(ITEMS)).hasSize(3).containsOnlyNulls();
    assertThat(left(ITEMS.freshly()))
        .hasSize(3)
        .containsOnly(new ProviderItems("api/host/m", ProviderItems.VERSION, true, List.of()));
    assertThat(left(null)).hasSize(3).containsOnlyNulls();
  }

  @Test
  void areKeptByTheSameWordsAndCalls() {
    ModelReply reply = reply(ITEMS);

    assertThat(reply.withText("Hi").withCalls(List.of(CALL))).isEqualTo(reply);
    assertThat(new Message.Assistant("Hi", List.of(CALL), ITEMS).items()).isEqualTo(ITEMS);
  }

  @Test
  void nobodyIsShownWhatIsForTheProvider() {
    Json extra = Json.text("{\"signature\":\"secret\"}");
    RequestedCall call = new RequestedCall("c", "t", Json.EMPTY_OBJECT, extra);
    ProviderItems items = ProviderItems.of("api/host/m", List.of(extra));

    assertThat(call).hasToString("RequestedCall[id=c, name=t, arguments={}]");
    assertThat(ModelReply.calls(call).withItems(items).toString()).doesNotContain("secret");
    assertThat(new Message.Assistant("Hi", List.of(call), items).toString())
        .doesNotContain("secret");
    assertThat(items.toString()).doesNotContain("secret");
  }

  private static List<@Nullable ProviderItems> left(@Nullable ProviderItems items) {
    ModelReply reply = reply(items);
    RequestedCall unreadable = RequestedCall.of("c", "t", "{");
    return Stream.of(
            reply.withText("Ho").items(),
            reply.withCalls(List.of()).items(),
            new Message.Assistant("Hi", List.of(unreadable), items).items())
        .toList();
  }

  private static ModelReply reply(@Nullable ProviderItems items) {
    return ModelReply.calls(CALL).withText("Hi").withItems(items);
  }
}
