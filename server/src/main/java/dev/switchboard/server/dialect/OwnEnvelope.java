package dev.switchboard.server.dialect;

import dev.switchboard.tool.Event;

/// The events as they are, each under its number: what `exec` prints, as server-sent events.
public final class OwnEnvelope implements Encoder {
  /// An encoder, which remembers nothing.
  public OwnEnvelope() {}

  @Override
  public void seen(Event.Logged event) {}

  @Override
  public String begin() {
    return "";
  }

  @Override
  public String encode(Event.Logged event) {
    String id = event.number() > 0 ? "id: " + event.number() + "\n" : "";
    return id + "data: " + Frames.text(event) + "\n\n";
  }

  @Override
  public String ofTurnBefore(Event.Logged event) {
    return encode(event);
  }

  @Override
  public String end() {
    return Frames.DONE;
  }
}
