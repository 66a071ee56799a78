package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyPartTest {
  private static final String BY = "api/host/m";
  private static final List<String> WORDS =
      List.of("a", "\n\n", "\n\nb", "c\n\n", "\ud83d\ude00", " ");

  /// The pieces may begin or end as what stands between them.
  @Test
  void readsThePartsThatItHasWritten() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      List<ReplyPart> parts = parts(random);
      ModelReply reply = ReplyPart.withItems(reply(parts), parts, BY, false);
      Message.Assistant said = new Message.Assistant(reply.text(), reply.calls(), reply.items());

      boolean items = reply.items() != null;
      assertThat(ReplyPart.of(said, BY)).isEqualTo(items ? parts : plain(reply));
      assertThat(ReplyPart.of(said, "api/host/other")).isEqualTo(plain(reply));
    }
  }

  private static List<ReplyPart> parts(Random random) {
    List<ReplyPart> parts = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      parts.add(
          switch (random.nextInt(4)) {
            case 0 -> new ReplyPart.Item(Json.text("{\"n\":" + i + "}").tree());
            case 1 -> new ReplyPart.Requested(RequestedCall.of("c" + i, "t", "{}"));
            case 2 -> new ReplyPart.Words(word(random), "final_answer");
            default -> new ReplyPart.Words(word(random), null);
          });
    }
    return parts;
  }

  private static String word(Random random) {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private static ModelReply reply(List<ReplyPart> parts) {
    List<String> words = new ArrayList<>();
    List<RequestedCall> calls = new ArrayList<>();
    for (ReplyPart part : parts) {
      switch (part) {
        case ReplyPart.Words(String text, var phase) -> words.add(text);
        case ReplyPart.Requested(RequestedCall call) -> calls.add(call);
        case ReplyPart.Item item -> {}
      }
    }
    String text = String.join(ReplyPart.BETWEEN, words);
    return new ModelReply(text, calls, ModelReply.FinishReason.STOP, ModelReply.Usage.NONE);
  }

  private static List<ReplyPart> plain(ModelReply reply) {
    return Stream.concat(
            Stream.of(reply.text())
                .filter(text -> !text.isEmpty())
                .map(text -> (ReplyPart) new ReplyPart.Words(text, null)),
            reply.calls().stream().map(ReplyPart.Requested::new))
        .toList();
  }

  /// Whatever a store holds, nothing is lost or invented.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"text\":1}]",
        "[{\"text\":3}]",
        "[{\"text\":-1},{\"text\":2}]",
        "[{\"text\":1},{\"text\":1},{\"call\":0}]",
        "[{\"text\":2},{\"call\":1}]",
        "[{\"text\":2},{\"call\":0},{\"call\":0}]",
        "[{\"text\":2}]",
        "[{\"call\":0}]",
        "[{\"odd\":1},{\"text\":2},{\"call\":0}]",
        "[]"
      })
  void ignoresEntriesThatDoNotFitTheMessage(String entries) {
    List<Json> list = Json.text(entries).tree().valueStream().map(Json::of).toList();
    Message.Assistant said =
        new Message.Assistant(
            "Hi", List.of(RequestedCall.of("c", "t", "{}")), ProviderItems.of(BY, list));

    assertThat(ReplyPart.of(said, BY))
        .containsExactly(
            new ReplyPart.Words("Hi", null), new ReplyPart.Requested(said.calls().getFirst()));
  }

  /// A store adds levels of its own.
  @Test
  void leavesOutItemsThatNestTooDeep() {
    List<ReplyPart> parts =
        List.of(deep(195), deep(Codec.MAX_PART_DEPTH), new ReplyPart.Words("Hi", null));
    ModelReply reply = ReplyPart.withItems(ModelReply.text("Hi"), parts, BY, false);

    assertThat(ReplyPart.of(new Message.Assistant("Hi", List.of(), reply.items()), BY))
        .isEqualTo(parts.subList(1, 3));
    Json stored = Records.write(new TranscriptEntry.Replied(reply, List.of()));
    assertThat(Records.read(stored, TranscriptEntry.Replied.class).reply()).isEqualTo(reply);
    assertThat(ReplyPart.withItems(reply.withItems(null), List.of(deep(195)), BY, false).items())
        .isNull();
  }

  private static ReplyPart deep(int levels) {
    return new ReplyPart.Item(Json.text("[".repeat(levels) + "]".repeat(levels)).tree());
  }

  @Test
  void ofAReplyWithoutItemsOnlyThatItWasFreshIsKept() {
    List<ReplyPart> parts = List.of(new ReplyPart.Words("Hi", null));

    assertThat(ReplyPart.withItems(ModelReply.text("Hi"), parts, BY, false).items()).isNull();
    assertThat(ReplyPart.withItems(ModelReply.text("Hi"), parts, BY, true).items())
        .isEqualTo(ProviderItems.of(BY, List.of()).freshly());
  }
}
