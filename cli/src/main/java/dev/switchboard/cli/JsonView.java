package dev.switchboard.cli;

import dev.switchboard.cli.chat.View;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.Event;
import java.time.Duration;

/// Shows a conversation as its events; everything else goes to standard error.
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
    // There is no event for it.
  }

  @Override
  public void say(String line) {
    terminal.err().println(line);
  }

  @Override
  public void ask(ConsentRequest request) {
    // Its event was shown.
  }

  @Override
  public void answered(ConsentRequest request) {
    // Its result shows it.
  }

  @Override
  public void rest(String words) {
    // They were in the events.
  }

  @Override
  public boolean broken() {
    return events.broken();
  }
}
