package dev.switchboard.phone.carrier.browser;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.carrier.relay.RelayLine;
import dev.switchboard.phone.carrier.relay.RelayMessage;
import dev.switchboard.phone.carrier.relay.SocketQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/// The socket of a page that calls an agent: the messages of a relay socket, and at the end
/// `{"type":"end","reason":".."}`. Words count as spoken when they are sent.
///
/// Thread-safe.
final class BrowserSocket implements Mount.Listener {
  private static final int LONGEST_MESSAGE = 64 * 1024;

  private final String call;
  private final Carrier.Switch calls;
  private final Runnable onEnd;
  private final SocketQueue queue;
  private final RelayLine words;
  private final AtomicBoolean over = new AtomicBoolean();

  /// A message that ends the call.
  private record End(String text) implements SocketQueue.Message {
    static End of(String reason) {
      return new End(Json.of(Codec.object().put("type", "end").put("reason", reason)).text());
    }

    @Override
    public int size() {
      return text.length();
    }
  }

  /// @param onEnd runs once, when the call has ended or its socket is closed
  BrowserSocket(String call, Mount.Channel channel, Carrier.Switch calls, Runnable onEnd) {
    this.call = call;
    this.calls = calls;
    this.onEnd = onEnd;
    queue = new SocketQueue(channel);
    words = new RelayLine(queue);
  }

  /// Connects the page to the call, which has been accepted.
  void connect() {
    calls.post(call, new CarrierEvent.Connected(new Screen()));
  }

  /// Says why there is no call, and closes the socket.
  void refuse(String reason, String sentence) {
    over.set(true);
    say(sentence);
    end(reason);
  }

  /// Says words that belong to no response.
  void say(String sentence) {
    words.say(sentence, true, false);
  }

  private void end(String reason) {
    queue.add(End.of(reason));
    queue.finish(reason);
  }

  @Override
  public void message(String text) {
    RelayMessage message = text.length() > LONGEST_MESSAGE ? null : RelayMessage.parse(text);
    switch (message) {
      case null -> {}
      case RelayMessage.Setup setup -> {}
      case RelayMessage.TokensPlayed played -> {}
      case RelayMessage.Happened(CarrierEvent event) -> {
        if (!over.get()) {
          calls.post(call, event);
        }
      }
    }
  }

  @Override
  public void closed(int code) {
    boolean unused = queue.end();
    if (!over.getAndSet(true)) {
      calls.post(call, new CarrierEvent.Disconnected());
      onEnd.run();
    }
  }

  /// Shows what the agent says.
  private final class Screen implements TextLine {
    @Override
    public void say(String more, boolean last, boolean interruptible) {
      words.say(more, last, interruptible);
      if (last) {
        calls.post(call, new CarrierEvent.Sounding(Side.AGENT, false));
      }
    }

    @Override
    public boolean speaksAtOnce() {
      return true;
    }

    @Override
    public void close(int code, String reason) {
      if (!over.getAndSet(true)) {
        onEnd.run();
        end(reason);
      }
    }
  }
}
