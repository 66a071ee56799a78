package dev.switchboard.server;

import dev.switchboard.server.dialect.Encoder;
import dev.switchboard.tool.Event;

/// An encoder with additional frames after the beginning of its stream.
final class PrefixedEncoder implements Encoder {
  private final Encoder encoder;
  private final StringBuilder more;

  PrefixedEncoder(Encoder encoder, String more) {
    this.encoder = encoder;
    this.more = new StringBuilder(more);
  }

  void add(String frames) {
    more.append(frames);
  }

  @Override
  public void seen(Event.Logged event) {
    encoder.seen(event);
  }

  @Override
  public String ofTurnBefore(Event.Logged event) {
    return encoder.ofTurnBefore(event);
  }

  @Override
  public String begin() {
    return encoder.begin() + more;
  }

  @Override
  public String encode(Event.Logged event) {
    return encoder.encode(event);
  }

  @Override
  public String end() {
    return encoder.end();
  }
}
