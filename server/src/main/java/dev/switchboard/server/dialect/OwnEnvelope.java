package dev.switchboard.server.dialect;

import dev.switchboard.tool.Event;

/// The events unchanged, each under its number: the output of `exec`, as server-sent events.
public final class OwnEnvelope implements Encoder {
  /// An encoder; it has no state.
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
