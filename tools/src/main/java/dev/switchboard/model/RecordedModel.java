package dev.switchboard.model;

import dev.switchboard.model.Exchange.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A model that replies from a recording, as long as the requests equal the recorded ones.
///
/// It replays one conversation in order and without waiting: text in the recorded fragments,
/// failures as failures. Thread-safe, but for one conversation.
public final class RecordedModel implements ChatModel {
  private final Recording recording;
  private final boolean ignoringSystem;
  private final AtomicInteger next = new AtomicInteger();

  private RecordedModel(Recording recording, boolean ignoringSystem) {
    this.recording = recording;
    this.ignoringSystem = ignoringSystem;
  }

  /// The model of that recording.
  ///
  /// @throws UncheckedIOException when the file cannot be read
  /// @throws IllegalArgumentException when it is not a recording, with the line and what is wrong
  public static RecordedModel read(Path file) {
    try (Reader in = Files.newBufferedReader(file)) {
      return read(in, String.valueOf(file.getFileName()));
    } catch (IOException e) {
      throw new UncheckedIOException("the recording " + file + " cannot be read", e);
    }
  }

  /// The model of the recording in that text, such as a resource.
  ///
  /// @param name for messages
  /// @throws IOException when it cannot be read
  /// @throws IllegalArgumentException when it is not a recording, with the line and what is wrong
  public static RecordedModel read(Reader in, String name) throws IOException {
    BufferedReader lines = new BufferedReader(in);
    try {
      return new RecordedModel(Recording.read(name, lines.lines().toList()), false);
    } catch (UncheckedIOException e) {
      throw new IOException(name + " cannot be read", e.getCause());
    }
  }

  /// This recording from its beginning, with any system prompt, such as one that contains a date.
  public RecordedModel ignoringSystem() {
    return new RecordedModel(recording, true);
  }

  /// @throws MismatchException when the request differs, or the recording has ended
  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    Exchange exchange = take(request);
    play(exchange, stream);
    return switch (exchange.outcome()) {
      case Outcome.Replied(ModelReply reply) -> reply;
      case Outcome.Failed(
              ModelException.Kind kind,
              String message,
              @Nullable Duration retryAfter) ->
          throw new ModelException(kind, message, retryAfter, null);
    };
  }

  /// The next exchange; a request that differs does not consume it.
  private Exchange take(ModelRequest request) {
    int index = next.get();
    if (index >= recording.entries().size()) {
      throw new MismatchException(Difference.beyond(recording, request));
    }
    Recording.RecordedExchange entry = recording.entries().get(index);
    String difference = new Difference(entry.exchange(), request, ignoringSystem).text();
    if (difference != null) {
      throw new MismatchException(
          "%s:%d: exchange %d was recorded of another request\n%s"
              .formatted(recording.name(), entry.line(), index + 1, difference));
    }
    if (!next.compareAndSet(index, index + 1)) {
      throw new MismatchException(
          "%s:%d: exchange %d was asked for by two threads at once; a recording is of one conversation"
              .formatted(recording.name(), entry.line(), index + 1));
    }
    return entry.exchange();
  }

  private static void play(Exchange exchange, ReplyStream stream) {
    if (exchange.fragments().isEmpty()
        && exchange.outcome() instanceof Outcome.Replied(ModelReply reply)) {
      stream.text(reply.text());
    }
    exchange.fragments().forEach(stream::text);
    if (stream.cancelled()) {
      throw new ModelException(ModelException.Kind.CANCELLED, "the reply was cancelled", null);
    }
  }

  /// Checks that the whole recording was replayed.
  ///
  /// @throws MismatchException when it was not
  public void assertDone() {
    int played = next.get();
    int recorded = recording.entries().size();
    if (played < recorded) {
      throw new MismatchException(
          "%s:%d: exchange %d of %d was not asked for"
              .formatted(
                  recording.name(), recording.entries().get(played).line(), played + 1, recorded));
    }
  }

  /// True: it never waits.
  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  /// Whether the next recorded reply has that format.
  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    int index = next.get();
    return index < recording.entries().size()
        && recording.entries().get(index).exchange().format() != null;
  }

  /// The name of the recorded model.
  @Override
  public String name() {
    return recording.model();
  }

  /// A request that differs from the recorded one; the message shows the difference.
  ///
  /// It is an [AssertionError], so that no loop treats it as a failed model.
  public static final class MismatchException extends AssertionError {
    @Serial private static final long serialVersionUID = 1;

    MismatchException(String message) {
      super(message);
    }
  }
}
