package dev.switchboard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Replies that take a while, and many at once.
class ScriptedModelTimeTest {
  private static final ModelRequest HELLO = ModelRequest.of(new Message.User("hello"));

  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel(time);
  private final ReplyStream stream = ReplyStream.unheard();

  private CompletableFuture<ModelReply> asking() {
    CompletableFuture<ModelReply> reply = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        reply.complete(model.reply(HELLO, stream));
      } catch (Throwable failure) {
        reply.completeExceptionally(failure);
      }
    });
    return reply;
  }

  private static void assertCancelled(Future<ModelReply> reply) {
    assertThatThrownBy(() -> reply.get(5, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ModelException.class,
            failure -> assertThat(failure.kind()).isEqualTo(ModelException.Kind.CANCELLED));
  }

  @Test
  void takesItsTime() throws Exception {
    model.waits(Duration.ofSeconds(5)).and().says("Done.");
    Future<ModelReply> reply = asking();
    time.awaitSleepers(1);
    assertThat(reply.isDone()).isFalse();

    time.advance(Duration.ofSeconds(5));

    assertThat(reply.get(5, TimeUnit.MINUTES).text()).isEqualTo("Done.");
  }

  @Test
  void blocksUntilItIsReleased() throws Exception {
    model.blocks().and().says("Done.");
    Future<ModelReply> reply = asking();
    time.awaitSleepers(1);
    time.advance(Duration.ofDays(1));
    assertThat(reply.isDone()).isFalse();

    model.release();

    assertThat(reply.get(5, TimeUnit.MINUTES).text()).isEqualTo("Done.");
  }

  @Test
  void doesNotBlockWhereItWasReleasedBefore() {
    model.blocks().and().says("Done.");
    model.release();

    assertThat(model.reply(HELLO, stream).text()).isEqualTo("Done.");
  }

  @Test
  void endsWhenItIsCancelledWhileItWaits() {
    model.waits(Duration.ofSeconds(5)).and().says("Done.");
    Future<ModelReply> reply = asking();
    time.awaitSleepers(1);

    stream.cancel();

    assertCancelled(reply);
  }

  @Test
  void endsWhenItIsCancelledWhileItBlocks() {
    model.blocks();
    Future<ModelReply> reply = asking();
    model.awaitRequests(1);

    stream.cancel();

    assertCancelled(reply);
  }

  @Test
  void keepsNoReleaseForACancelledBlock() throws Exception {
    model.blocks().blocks().and().says("Second.");
    ReplyStream cancelled = ReplyStream.unheard();
    cancelled.cancel();
    assertThatThrownBy(() -> model.reply(HELLO, cancelled)).isInstanceOf(ModelException.class);
    Future<ModelReply> second = asking();
    time.awaitSleepers(1);

    model.release();

    assertThat(second.get(5, TimeUnit.MINUTES).text()).isEqualTo("Second.");
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    model.waits(Duration.ofSeconds(5));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> model.reply(HELLO, stream)).isInstanceOf(ModelException.class);
    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
  }

  @Test
  void saysNoMoreThanWasHeardBeforeItWasCancelled() {
    model.says("One ", "two ", "three.");
    List<String> heard = new ArrayList<>();
    ReplyStream[] own = new ReplyStream[1];
    own[0] =
        new ReplyStream(fragment -> {
          heard.add(fragment);
          own[0].cancel();
        });

    assertThatThrownBy(() -> model.reply(HELLO, own[0])).isInstanceOf(ModelException.class);
    assertThat(heard).containsExactly("One ");
  }

  @Test
  void answersFiveThousandAtOnce() throws Exception {
    ScriptedModel echo =
        ScriptedModel.answering(
            request -> ModelReply.text(((Message.User) request.messages().getLast()).text()));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> replies = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        ModelRequest request = ModelRequest.of(new Message.User("caller " + i));
        replies.add(threads.submit(() -> echo.reply(request, ReplyStream.unheard()).text()));
      }
      for (int i = 0; i < 5_000; i++) {
        assertThat(replies.get(i).get()).isEqualTo("caller " + i);
      }
    }
    assertThat(echo.requests()).hasSize(5_000);
  }

  @Test
  void usesEachReplyOnceHoweverManyAsk() throws Exception {
    ScriptedModel many = new ScriptedModel();
    for (int i = 0; i < 500; i++) {
      many.says("reply " + i);
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> replies = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        replies.add(threads.submit(() -> many.reply(HELLO, ReplyStream.unheard()).text()));
      }
      List<String> texts = new ArrayList<>();
      for (Future<String> reply : replies) {
        texts.add(reply.get());
      }
      assertThat(texts).doesNotHaveDuplicates();
    }
    many.assertDone();
  }
}
