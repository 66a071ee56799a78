package dev.switchboard.cli.chat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent, line by line: sentences, commands and answers in, a view of it
/// out.
///
/// Safe for use by several threads, so that a signal can end a turn, or all of it.
public final class Chat {
  private static final Duration CANCEL_AGAIN = Duration.ofMillis(20);

  private final Agent agent;
  private final Conversation conversation;
  private final View view;
  private final Manner manner;
  private final ReentrantLock turnLock = new ReentrantLock();
  private volatile boolean over;
  private volatile boolean failed;

  /// How it goes about.
  ///
  /// @param typed whether a person sits there, who is asked at once
  /// @param remedy how a request is answered from elsewhere, `%s` for its id; null where nothing is
  ///   stored, so that the end of the input denies it
  public record Manner(boolean typed, @Nullable String remedy) {}

  /// A chat in that conversation of the agent's.
  public Chat(Agent agent, Conversation conversation, View view, Manner manner) {
    this.agent = agent;
    this.conversation = conversation;
    this.view = view;
    this.manner = manner;
  }

  /// One turn; whether it went well.
  public boolean message(String text) {
    resume();
    turn(() -> conversation.say(text, this::show));
    return finish();
  }

  /// Takes every line of the input; whether all turns went well.
  ///
  /// @throws IOException when the input cannot be read
  public boolean all(Input input) throws IOException {
    input.working(true);
    resume();
    greet();
    input.working(false);
    String line = next(input);
    while (line != null && taken(line, input)) {
      line = next(input);
    }
    return finish();
  }

  private @Nullable String next(Input input) throws IOException {
    if (over || view.broken()) {
      return null;
    }
    return input.next(manner.typed && conversation.waiting().size() == 1 ? "y/n/always> " : "> ");
  }

  /// Whether there may be a next line.
  private boolean taken(String line, Input input) {
    input.working(true);
    try {
      return line.isBlank() || take(line);
    } finally {
      input.working(false);
    }
  }

  /// Ends the turn that runs, if one does.
  public void cancelTurn() {
    view.cancelling();
    conversation.cancel();
  }

  /// Ends all of it; returns when the turn that runs has come to rest.
  public void end() {
    over = true;
    boolean rests = false;
    while (!rests) {
      conversation.cancel();
      try {
        rests = turnLock.tryLock(CANCEL_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    turnLock.unlock();
  }

  private void greet() {
    turn(() -> {
      String ignored = conversation.greet(this::show);
      return null;
    });
  }

  /// Goes on with what was cut off, or answered elsewhere.
  private void resume() {
    turn(() -> {
      Turn turn = conversation.resume(this::show);
      if (turn instanceof Turn.Pending(var requests)) {
        requests.forEach(request -> show(new Event.AgentEvent("consent_request", request.json())));
      }
      return turn;
    });
  }

  private void turn(Supplier<@Nullable Turn> work) {
    turnLock.lock();
    try {
      Turn turn = over ? null : work.get();
      switch (turn) {
        case null -> view.rest("");
        case Turn.Reply(var text) -> view.rest(text);
        case Turn.Pending(var requests) -> pending(requests);
        case Turn.Stopped(var reason, var text) -> {
          failed = true;
          view.rest("");
          if (reason == StopReason.CANCELLED) {
            view.say(text);
          }
        }
      }
    } finally {
      turnLock.unlock();
    }
  }

  private void show(Event event) {
    if (event instanceof Event.Failed(var message, var code, var details)
        && code.equals("consent_pending")) {
      failed = true;
    }
    view.show(event);
  }

  private void pending(List<ConsentRequest> requests) {
    for (ConsentRequest request : requests) {
      view.ask(request);
      if (manner.remedy != null && !manner.typed) {
        view.say("  " + manner.remedy.formatted(request.id()));
      }
    }
    if (manner.typed) {
      String bare = requests.size() == 1 ? "y, n or always; or " : "";
      view.say("  " + bare + "/approve [ID] [--for 10m|--always], /deny [ID] [REASON]");
    }
    view.rest("");
  }

  private boolean take(String line) {
    if (conversation.state().waiting() && conversation.waiting().isEmpty()) {
      resume();
    }
    Slash command = Slash.read(line);
    if (command != null) {
      return obey(command);
    }
    Answers answer = manner.typed ? Answers.ofWord(line, conversation.waiting()) : null;
    if (answer != null) {
      answer(answer);
    } else {
      turn(() -> conversation.say(line, this::show));
    }
    return true;
  }

  private boolean obey(Slash command) {
    switch (command) {
      case Slash.Tools() -> Listing.tools(agent, conversation).forEach(view::say);
      case Slash.Rules() -> Listing.rules(agent).forEach(view::say);
      case Slash.Memory() -> Listing.memory(agent).forEach(view::say);
      case Slash.History() -> Listing.history(conversation).forEach(view::say);
      case Slash.Help() -> Slash.HELP.lines().forEach(view::say);
      case Slash.Approve approve -> answer(() -> Answers.of(approve, conversation.waiting()));
      case Slash.Deny deny -> answer(() -> Answers.of(deny, conversation.waiting()));
      case Slash.Unknown(var word) -> mistake("there is no " + word + ", only " + Slash.ALL);
      case Slash.Quit() -> {
        return false;
      }
    }
    return true;
  }

  private void answer(Supplier<Answers> read) {
    try {
      answer(read.get());
    } catch (IllegalArgumentException e) {
      mistake(String.valueOf(e.getMessage()));
    }
  }

  private void mistake(String why) {
    failed = true;
    view.say("Not done: " + why + ".");
  }

  private void answer(Answers answer) {
    turn(() -> {
      view.answered(answer.request());
      return conversation.answer(answer.request().id(), answer.answer(), this::show);
    });
  }

  /// Without a store, what nobody has answered is denied before the end.
  private boolean finish() {
    while (!over && !manner.typed && manner.remedy == null && !conversation.waiting().isEmpty()) {
      answer(new Answers(conversation.waiting().getFirst(), new Answer.Nobody()));
    }
    return manner.typed || !failed && !view.broken();
  }
}
