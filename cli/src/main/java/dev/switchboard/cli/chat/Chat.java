package dev.switchboard.cli.chat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.model.Message;
import dev.switchboard.model.Message.Attachment;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent, line by line: it reads messages, commands and answers, and shows
/// the conversation in a view.
///
/// Thread-safe, so that a signal can end a turn, or the whole chat.
public final class Chat implements AutoCloseable {
  private static final Duration CANCEL_AGAIN = Duration.ofMillis(20);

  private final Agent agent;
  private final Supplier<Conversation> opening;
  private final View view;
  private final ChatOptions manner;
  private final ReentrantLock turnLock = new ReentrantLock();
  private volatile Conversation conversation; // another one after a conflict
  private volatile boolean over;
  private volatile boolean cut; // whether the current line was cancelled
  private volatile boolean failed;
  private final ShownRequests asked; // of the talking thread
  private final List<Attachment> attached = new ArrayList<>(); // of the talking thread
  private final Deque<ToolCall> undos = new ConcurrentLinkedDeque<>(); // the latest first
  private volatile @Nullable String undoing; // the call that undoes a change

  /// A chat in a conversation of the agent.
  ///
  /// @param opening opens the conversation, also after another process has continued it
  public Chat(Agent agent, Supplier<Conversation> opening, View view, ChatOptions manner) {
    this.agent = agent;
    this.opening = opening;
    conversation = opening.get();
    this.view = view;
    this.manner = manner;
    asked = new ShownRequests(view, manner);
  }

  /// Runs a turn; returns whether it succeeded.
  public boolean message(String text) {
    return message(text, List.of());
  }

  /// Runs a turn; returns whether it succeeded.
  ///
  /// @param files sent with the text
  public boolean message(String text, List<Attachment> files) {
    attached.addAll(files);
    try {
      resume();
      boolean ignored = take(text);
    } catch (ConversationConflictException e) {
      if (!freed(e)) {
        throw e;
      }
      return message(text);
    }
    return finish();
  }

  /// Handles every line of the input; returns whether all turns succeeded.
  ///
  /// @throws IOException when the input cannot be read
  public boolean all(UserInput input) throws IOException {
    boolean open = taken(input, "", this::begin);
    while (open) {
      String line = next(input);
      open = line != null && taken(input, line, () -> line.isBlank() || take(line));
    }
    return finish();
  }

  private @Nullable String next(UserInput input) throws IOException {
    if (over || view.broken()) {
      return null;
    }
    return manner.typed() && asked.first() != null
        ? input.answer(asked.prompt())
        : input.next("> ");
  }

  /// Runs that work; returns whether a next line may follow. A conflict ends the chat, unless a
  /// person can repeat the line.
  private boolean taken(UserInput input, String line, BooleanSupplier work) {
    input.working(true);
    view.working(true);
    cut = false;
    try {
      return work.getAsBoolean();
    } catch (ConversationConflictException e) {
      if (freed(e)) {
        return taken(input, line, work);
      }
      if (!manner.typed()) {
        throw e;
      }
      reopen(line);
      return true;
    } finally {
      view.working(false);
      input.working(false);
    }
  }

  /// Waits for a conversation that another process holds; returns whether it has become free.
  private boolean freed(ConversationConflictException conflict) {
    if (conflict.held() == null) {
      return false;
    }
    reopen();
    boolean free = new HeldConversation(view, () -> over || cut).free(conversation);
    if (free) {
      reopen();
    }
    return free;
  }

  private void reopen() {
    conversation.close();
    conversation = opening.get();
  }

  private void reopen(String lost) {
    reopen();
    asked.clear();
    view.rest("");
    view.say(
        (cut
                ? "Another process still has this conversation"
                : "Another process has continued this conversation. It is open again as it"
                    + " stands now")
            + (lost.isEmpty() ? "." : "; this was not taken, say it again: " + lost));
    asked.show(conversation.waiting());
  }

  /// Cancels the running turn, if any.
  public void cancelTurn() {
    cut = true;
    view.cancelling();
    conversation.cancel();
  }

  /// Ends the chat; returns when the running turn has ended.
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

  private boolean begin() {
    resume();
    turn(() -> {
      String ignored = conversation.greet(this::show);
      return null;
    });
    return true;
  }

  /// Continues a turn that was interrupted, or answered elsewhere.
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
      boolean waits = turn == null && conversation.state().waiting();
      if (!waits && !(turn instanceof Turn.Pending)) {
        asked.clear();
      }
      switch (turn) {
        case null -> view.rest("");
        case Turn.Reply(var text) -> view.rest(text);
        case Turn.Pending(var requests) -> asked.show(requests);
        case Turn.Stopped(var reason, var text, var cause, var faults) -> {
          failed = true;
          view.rest("");
          if (reason == StopReason.CANCELLED) {
            view.say(text);
          } else if (reason == StopReason.MODEL_TIMEOUT) {
            view.say(manner.late());
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
    if (event instanceof Event.ToolSettled(var result, var tool) && result.success()) {
      remember(result);
    }
    view.show(event);
    if (event instanceof Event.Failed(var message, var code, var details)
        && code.equals("consent_pending")) {
      asked.hint();
    }
  }

  /// Remembers how to undo a change; an undone change cannot be undone again.
  private void remember(ToolResult result) {
    ToolCall undo = result.undo();
    if (String.valueOf(result.callId()).equals(undoing)) {
      ToolCall unusedDone = undos.poll();
    } else if (undo != null) {
      undos.push(undo);
    }
  }

  private boolean take(String line) {
    ConsentRequest prompted = asked.first();
    catchUp();
    SlashCommand command = SlashCommand.read(line);
    if (command != null) {
      return obey(command);
    }
    Answer word = manner.typed() && prompted != null ? AnsweredRequest.word(line) : null;
    if (word == null || prompted == null) {
      say(line);
    } else if (asked.contains(prompted)) {
      answer(() -> new AnsweredRequest(prompted, word));
    }
    return true;
  }

  private void say(String line) {
    Message.User said = new Message.User(line, attached);
    String full = conversation.noRoomFor(attached);
    if (full != null) {
      attached.clear();
      mistake(full.substring(0, full.length() - 1));
      return;
    }
    turn(() -> conversation.say(said, this::show));
    attached.clear();
  }

  private void attach(SlashCommand.Attach attach) {
    try {
      if (attached.size() == Attachment.MOST) {
        throw new IllegalArgumentException("a sentence has at most 10 files");
      }
      Attachment file = Attachment.read(Path.of(attach.file()));
      attached.add(file);
      view.say("With your next sentence: " + file.placeholder());
    } catch (UncheckedIOException e) {
      mistake("'" + attach.file() + "' cannot be read");
    } catch (IllegalArgumentException e) {
      mistake(String.valueOf(e.getMessage()));
    }
  }

  /// Reports requests that were answered elsewhere, and continues their turn.
  private void catchUp() {
    if (!conversation.state().waiting()) {
      return;
    }
    asked.reportStored();
    turn(() -> conversation.resume(asked.reporting(this::show)));
  }

  private boolean obey(SlashCommand command) {
    switch (command) {
      case SlashCommand.Tools() -> Listing.tools(agent, conversation).forEach(view::list);
      case SlashCommand.Rules() -> Listing.rules(agent).forEach(view::list);
      case SlashCommand.Memory() -> Listing.memory(agent).forEach(view::list);
      case SlashCommand.History() -> Listing.history(conversation).forEach(view::list);
      case SlashCommand.Help() -> SlashCommand.HELP.lines().forEach(view::list);
      case SlashCommand.Approve approve ->
          answer(() -> AnsweredRequest.of(approve, conversation.waiting()));
      case SlashCommand.Deny deny -> answer(() -> AnsweredRequest.of(deny, conversation.waiting()));
      case SlashCommand.Undo() -> undo();
      case SlashCommand.Attach attach -> attach(attach);
      case SlashCommand.Unknown unknown -> mistake(unknown.sentence());
      case SlashCommand.Quit() -> {
        return false;
      }
    }
    return true;
  }

  private void answer(Supplier<AnsweredRequest> read) {
    try {
      answer(read.get());
    } catch (IllegalArgumentException e) {
      mistake(String.valueOf(e.getMessage()));
      catchUp();
    }
  }

  private void mistake(String why) {
    failed = true;
    view.say("Not done: " + why + (why.endsWith("?") ? "" : "."));
  }

  /// Makes the call that undoes the latest change.
  private void undo() {
    ToolCall latest = undos.peek();
    if (latest == null) {
      mistake("there is nothing to undo");
      return;
    }
    ToolCall call = ToolCall.of(latest.name(), latest.arguments());
    undoing = call.id();
    try {
      turn(() -> conversation.call(call, this::show));
    } catch (IllegalStateException e) {
      mistake(String.valueOf(e.getMessage()));
    }
  }

  private void answer(AnsweredRequest answer) {
    turn(() -> {
      view.answered(answer.request());
      Answer named = answer.answer().by(ChatOptions.person());
      return conversation.answer(answer.request().id(), named, this::show);
    });
  }

  /// Without a store, unanswered requests are denied at the end; with one, the user reads how to
  /// answer them.
  private boolean finish() {
    if (manner.typed()) {
      conversation.waiting().forEach(asked::remedy);
    }
    while (!over
        && !manner.typed()
        && manner.remedy() == null
        && !conversation.waiting().isEmpty()) {
      answer(new AnsweredRequest(conversation.waiting().getFirst(), new Answer.Nobody()));
    }
    return manner.typed() || !failed && !view.broken();
  }

  /// Closes the conversation.
  @Override
  public void close() {
    conversation.close();
  }
}
