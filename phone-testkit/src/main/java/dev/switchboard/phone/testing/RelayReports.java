package dev.switchboard.phone.testing;

import dev.switchboard.json.Codec;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What the carrier sends in a relay session
/// (twilio.com/docs/voice/conversationrelay/websocket-messages, of August 2026). Its events of
/// speakers and of played tokens have no documented form; theirs is the one that public
/// applications read.
///
/// Thread-safe.
final class RelayReports {
  private final SimulatedCall call;
  private final RelaySettings settings;
  private volatile @Nullable CarrierSocket socket;

  RelayReports(SimulatedCall call, RelaySettings settings) {
    this.call = call;
    this.settings = settings;
  }

  /// The first message.
  void setUp(CarrierSocket opened, String session, Map<String, String> parameters) {
    socket = opened;
    ObjectNode setup =
        of("setup")
            .put("sessionId", session)
            .put("accountSid", call.account())
            .put("parentCallSid", "")
            .put("callSid", call.id())
            .put("from", call.from())
            .put("to", call.to())
            .put("forwardedFrom", "")
            .put("callType", "PSTN")
            .put("callerName", "")
            .put("direction", "inbound")
            .put("callStatus", "RINGING");
    ObjectNode custom = setup.putObject("customParameters");
    parameters.forEach(custom::put);
    send(setup);
  }

  /// Words of the caller.
  void prompt(String words, boolean last) {
    send(
        of("prompt")
            .put("voicePrompt", words)
            .put("lang", settings.promptLanguage())
            .put("last", last));
  }

  /// The caller has interrupted the agent.
  void interrupt(String spoken, long milliseconds) {
    send(
        of("interrupt")
            .put("utteranceUntilInterrupt", spoken)
            .put("durationUntilInterruptMs", milliseconds));
  }

  void key(char key) {
    send(of("dtmf").put("digit", String.valueOf(key)));
  }

  /// A side begins to speak or ends.
  ///
  /// @param name `agentSpeaking` or `clientSpeaking`
  void speaker(String name, boolean on) {
    if (settings.sends("speaker-events")) {
      long at = call.recorder().at(System.nanoTime());
      send(of("info").put("name", name).put("value", on ? "on" : "off").put("ts", at));
    }
  }

  /// The caller has heard words of the agent.
  void played(String words) {
    if (settings.sends("tokens-played")) {
      send(of("info").put("name", "tokensPlayed").put("value", words));
    }
  }

  /// A message was refused.
  void invalid(String text) {
    send(of("error").put("description", "Invalid message received: " + text));
  }

  private static ObjectNode of(String type) {
    return Codec.object().put("type", type);
  }

  private void send(ObjectNode message) {
    CarrierSocket open = socket;
    if (open != null) {
      open.send(message.toString());
    }
  }
}
