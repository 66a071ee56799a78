package dev.switchboard.phone.carrier.twilio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.CarrierEvent.Disconnected;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.carrier.relay.RelayLine;
import dev.switchboard.phone.carrier.relay.SocketQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RelayLineTest {
  private final Exchange exchange = new Exchange();

  /// A socket that sends a message when it is told to.
  private static final class SlowChannel implements Mount.Channel {
    final List<String> sent = new ArrayList<>();
    final Queue<CompletableFuture<Object>> pending = new ArrayDeque<>();
    int code;

    @Override
    public CompletableFuture<?> send(String text) {
      sent.add(text);
      CompletableFuture<Object> done = new CompletableFuture<>();
      pending.add(done);
      return done;
    }

    void progress() {
      pending.remove().complete("");
    }

    @Override
    public void close(int why, String reason) {
      code = why;
    }
  }

  @Test
  void wordsAreSentAsTheyCome() {
    Exchange.Socket socket = exchange.setUp(exchange.announced());
    TextLine line = exchange.words();
    line.say("This call is recorded. ", false, false);
    line.say("Say \"hi\"\n", false, true);
    line.say("", false, true);
    line.say("", true, true);

    assertThat(socket.sent)
        .containsExactly(
            """
            {"type":"text","token":"This call is recorded. ","last":false,"interruptible":false}\
            """,
            """
            {"type":"text","token":"Say \\"hi\\"\\n","last":false,"interruptible":true}\
            """,
            """
            {"type":"text","token":"","last":true,"interruptible":true}\
            """);
  }

  @Test
  void whateverIsSaidIsSentAsJson() {
    Exchange.Socket socket = exchange.setUp(exchange.announced());
    TextLine line = exchange.words();
    for (int code = 0; code <= 0xffff; code += 7) {
      line.say("a" + (char) code, false, true);
    }
    line.say("\ud83d", true, true);
    line.say("😀</Say>\u2028", true, true);

    assertThat(socket.sent).allSatisfy(sent -> Json.text(sent).tree());
    assertThat(socket.sent.get(socket.sent.size() - 2)).contains("\"\ufffd\"");
    assertThat(Json.text(socket.sent.getLast()).tree().path("token").stringValue())
        .isEqualTo("😀</Say>\u2028");
    assertThat(socket.code).isZero();
  }

  @Test
  void aMessageWaitsForTheOneBefore() {
    SlowChannel channel = new SlowChannel();
    RelayLine line = new RelayLine(new SocketQueue(channel));
    line.say("one", false, true);
    line.say("two", false, true);
    line.say("three", true, true);
    assertThat(channel.sent).singleElement().asString().contains("one");
    channel.progress();
    channel.progress();

    assertThat(channel.sent).hasSize(3);
    assertThat(channel.sent.getLast()).contains("three");
  }

  @Test
  void aCarrierThatDoesNotReadIsGivenUp() {
    SlowChannel channel = new SlowChannel();
    RelayLine line = new RelayLine(new SocketQueue(channel));
    int said = 0;
    while (channel.code == 0 && said < 1_000_000) {
      line.say("word ", false, true);
      said++;
    }
    assertThat(channel.code).isEqualTo(1013);
    assertThat(said).isBetween(5_000, 50_000);

    line.say("more", true, true);
    channel.progress();
    assertThat(channel.sent).hasSize(1);
  }

  @Test
  void aLineThatIsClosedSendsNothing() {
    Exchange.Socket socket = exchange.setUp(exchange.announced());
    exchange.words().close(1000, "done");
    exchange.words().say("too late", true, true);
    exchange.words().close(1011, "again");

    assertThat(socket.code).isEqualTo(1000);
    assertThat(socket.sent).isEmpty();
    assertThat(exchange.told(Disconnected.class)).hasSize(1);
  }

  @Test
  void aSocketThatFailsEndsTheLine() {
    Exchange.Socket socket = exchange.setUp(exchange.announced());
    socket.deaf = true;
    exchange.words().say("hello", true, true);

    assertThat(exchange.told(Disconnected.class)).hasSize(1);
  }
}
