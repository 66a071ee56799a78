package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.carrier.relay.RelayLine;
import dev.switchboard.phone.carrier.relay.RelayMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The messages of a relay socket: Twilio's ConversationRelay.
final class RelaySocket implements CallSocket.Protocol {
  /// Nothing arrives while no one speaks.
  @Override
  public @Nullable Duration longestSilence() {
    return null;
  }

  @Override
  public boolean take(String text, CallSocket socket) {
    return switch (RelayMessage.parse(text)) {
      case null -> false;
      case RelayMessage.Setup(String call, String token) ->
          !socket.isOpen() && setUp(call, token, socket);
      case RelayMessage.Happened(var event) -> socket.isOpen() && socket.post(event);
      case RelayMessage.TokensPlayed ignored -> socket.isOpen();
    };
  }

  private static boolean setUp(String call, String token, CallSocket socket) {
    socket.start(call, token, new RelayLine(socket.queue()));
    return true;
  }
}
