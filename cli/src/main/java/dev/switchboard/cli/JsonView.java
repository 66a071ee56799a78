package dev.switchboard.cli;

import dev.switchboard.cli.chat.View;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.Event;
import java.time.Duration;

/// A conversation as its events, with everything else on standard error.
final class JsonView implements View {
  private final Terminal terminal;
  private final EventLines events;

  JsonView(Terminal terminal) {
    this.terminal = terminal;
    events = new EventLines(terminal.out());
  }

  @Override
  public void show(Event event) {
    events.show(event);
  }

  @Override
  public void took(String call, Duration length) {
    // No event tells it.
  }

  @Override
  public void say(String line) {
    terminal.err().println(line);
  }

  @Override
  public void ask(ConsentRequest request) {
    // There was an event of it.
  }

  @Override
  public void answered(ConsentRequest request) {
    // Its result says so.
  }

  @Override
  public void rest(String words) {
    // They stood in the events.
  }

  @Override
  public boolean broken() {
    return events.broken();
  }
}
