package dev.switchboard.model;

import dev.switchboard.model.Exchange.Outcome;
import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Records every exchange with another model, for replay by [RecordedModel].
///
/// A recording has one conversation: exchanges are replayed in the order in which they ended, so
/// those of concurrent conversations would not match. Failures of the other model are recorded if
/// they are [ModelException]s. Thread-safe.
///
/// The recording contains the whole conversation, including arguments and results, so only its
/// owner can read the file.
public final class RecordingModel implements ChatModel.Forwarding, AutoCloseable {
  private final ChatModel model;
  private final Writer out;
  private final ReentrantLock lock = new ReentrantLock();
  private final ExchangeLines lines = new ExchangeLines(); // guarded by lock

  /// That model, recorded to a file, which is overwritten.
  ///
  /// @throws UncheckedIOException when it cannot be written
  public RecordingModel(ChatModel model, Path file) {
    this(model, open(file));
  }

  /// That model, recorded to a writer, which is flushed after each line.
  public RecordingModel(ChatModel model, Writer out) {
    this.model = model;
    this.out = out;
    append(ExchangeLines.header(model.name()));
  }

  private static Writer open(Path file) {
    try {
      return new OwnerFile(file).overwrite();
    } catch (IOException e) {
      throw new UncheckedIOException("the recording " + file + " cannot be written", e);
    }
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    List<String> fragments = new ArrayList<>();
    ReplyStream heard = stream.wanted() ? listening(stream, fragments) : stream;
    try {
      ModelReply reply = model.reply(request, heard);
      heard.end();
      record(Exchange.of(request, fragments, new Outcome.Replied(reply)));
      return reply;
    } catch (ModelException e) {
      Outcome failed = new Outcome.Failed(e.kind(), String.valueOf(e.getMessage()), e.retryAfter());
      record(Exchange.of(request, fragments, failed));
      throw e;
    }
  }

  /// A stream that passes text on and records it.
  private static ReplyStream listening(ReplyStream stream, List<String> fragments) {
    ReplyStream heard =
        new ReplyStream(fragment -> {
          fragments.add(fragment);
          stream.text(fragment);
        });
    stream.onCancel(heard::cancel);
    heard.onLife(stream::alive);
    heard.onDropped(stream::dropped);
    return heard;
  }

  private void record(Exchange exchange) {
    lock.lock();
    try {
      append(lines.write(exchange));
    } finally {
      lock.unlock();
    }
  }

  private void append(String line) {
    try {
      out.write(line);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the recording cannot be written", e);
    }
  }

  /// The model that is recorded.
  @Override
  public ChatModel model() {
    return model;
  }

  /// Closes the recording.
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the recording cannot be closed", e);
    }
  }
}
