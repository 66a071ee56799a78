package dev.switchboard.phone;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallRecorder;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.process.CallRecords;
import dev.switchboard.process.OwnerFile;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Writes the records of a call, `call.json`, `events.jsonl` and `transcript.md`, into its own
/// folder, during the call and on another thread.
final class CallFiles implements CallRecorder {
  private static final System.Logger LOG = System.getLogger(CallFiles.class.getName());
  private static final Pattern KEYS = Pattern.compile("^\\[DTMF: [0-9*#]+]$");
  private static final int MOST_WAITING = 10_000;
  private static final long MOST_CHARACTERS = 8 << 20; // that wait

  private final Path log; // of all calls
  private final Path folder;
  private final Carrier.Arrival arrival;
  private final String agent;
  private final Time time;
  private final Instant started;
  private final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>();
  private final AtomicLong characters = new AtomicLong(); // that wait
  private final AtomicBoolean late = new AtomicBoolean(); // whether entries were dropped
  private @Nullable Thread writer; // the latest that writes; for one thread
  private volatile boolean broken; // whether writing has failed

  private sealed interface Entry {
    record Happened(Json event) implements Entry {}

    record Line(String text) implements Entry {}

    record Ended(Json event, String reason, Instant at, ModelReply.Usage usage) implements Entry {}

    default long characters() {
      return switch (this) {
        case Happened(Json event) -> event.text().length();
        case Line(String text) -> text.length();
        case Ended ended -> 0;
      };
    }
  }

  private CallFiles(Path log, Path folder, Carrier.Arrival arrival, String agent, Time time) {
    this.log = log;
    this.folder = folder;
    this.arrival = arrival;
    this.agent = agent;
    this.time = time;
    started = time.now();
  }

  /// The recorder of a call.
  ///
  /// @param log the folder of all calls, null if no files are written
  static CallRecorder recorder(
      @Nullable Path log, Carrier.Arrival arrival, String agent, Time time) {
    if (log == null) {
      return NOTHING;
    }
    Path folder = new CallRecords(log).folder(arrival.id(), time.now());
    CallFiles files = new CallFiles(log, folder, arrival, agent, time);
    files.writer = Thread.ofVirtual().name("call files").start(files::write);
    return files;
  }

  private static final CallRecorder NOTHING =
      new CallRecorder() {
        @Override
        public void happened(String type, Json details) {}

        @Override
        public void line(String role, String text) {}

        @Override
        public void ended(String reason, ModelReply.Usage usage) {}
      };

  @Override
  public void happened(String type, Json details) {
    add(new Entry.Happened(note(type, details)));
  }

  /// A slow disk must not block the call or fill the memory.
  private void add(Entry entry) {
    if (broken) {
      return;
    }
    boolean isRoom =
        entries.size() < MOST_WAITING && characters.get() + entry.characters() <= MOST_CHARACTERS;
    if (isRoom || entry instanceof Entry.Ended) {
      characters.addAndGet(entry.characters());
      entries.add(entry);
    } else if (!late.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          "the disk is too slow for the records of a call: some events are left out");
    }
  }

  /// Whether writing has failed; then nothing more is written.
  boolean isBroken() {
    return broken;
  }

  /// The number of entries that wait to be written.
  int waiting() {
    return entries.size();
  }

  private Json note(String type, Json details) {
    ObjectNode event = Codec.object().put("type", type).put("at", now());
    details.tree().properties().forEach(member -> event.set(member.getKey(), member.getValue()));
    return Json.of(event);
  }

  private String now() {
    return time.now().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  @Override
  public void line(String role, String text) {
    // Pressed keys have events of their own.
    String shown = KEYS.matcher(text).replaceFirst("[DTMF]");
    ObjectNode said = Codec.object().put("role", role).put("text", shown);
    add(new Entry.Happened(note("said", Json.of(said))));
    // On one line, so that the text cannot imitate another speaker.
    add(
        new Entry.Line(
            "**" + role + "**: " + InvisibleCharacters.shown(text.replaceAll("\\R", " "))));
  }

  @Override
  public void ended(String reason, ModelReply.Usage usage) {
    ObjectNode how = Codec.object().put("reason", reason);
    add(new Entry.Ended(note("ended", Json.of(how)), reason, time.now(), usage));
  }

  @Override
  public void late(Json details) {
    Thread before = writer;
    String line = line(note("late_result", details));
    writer = Thread.ofVirtual().name("call files").start(() -> append(before, line));
  }

  /// Adds a line after the file was closed.
  private void append(@Nullable Thread before, String line) {
    try {
      if (before != null) {
        before.join();
      }
      if (!broken) {
        try (Writer events = append("events.jsonl")) {
          events.write(line);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      broken = true;
      ExceptionLog.warn(LOG, "the records of a call cannot be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String line(Json event) {
    return PhoneNumber.maskedIn(InvisibleCharacters.shown(event.text())) + "\n";
  }

  private void write() {
    try {
      // The folder of all calls too, so that no one sees who called when.
      OwnerFile.folder(log);
      OwnerFile.folder(Objects.requireNonNullElse(folder.getParent(), log));
      OwnerFile.folder(folder);
      record(null);
      try (Writer events = append("events.jsonl");
          Writer transcript = append("transcript.md")) {
        write(events, transcript);
      }
    } catch (IOException | UncheckedIOException e) {
      broken = true;
      entries.clear();
      ExceptionLog.warn(LOG, "the records of a call cannot be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Writer append(String name) throws IOException {
    return new OwnerFile(folder.resolve(name)).append();
  }

  private void write(Writer events, Writer transcript) throws IOException, InterruptedException {
    boolean on = true;
    while (on) {
      Entry next = entries.take();
      characters.addAndGet(-next.characters());
      switch (next) {
        case Entry.Happened(Json event) -> events.write(line(event));
        case Entry.Line(String text) -> transcript.write(PhoneNumber.maskedIn(text) + "\n\n");
        case Entry.Ended ended -> {
          events.write(ended.event().text() + "\n");
          transcript.write("Call ended: " + ended.reason() + "\n");
          // Who reads that the call has ended finds all of it.
          events.flush();
          transcript.flush();
          record(ended);
          on = false;
        }
      }
      if (entries.isEmpty()) {
        events.flush();
        transcript.flush();
      }
    }
  }

  private void record(Entry.@Nullable Ended ended) throws IOException {
    ObjectNode call = Codec.object().put("id", arrival.id()).put("agent", agent);
    call.put("from", PhoneNumber.masked(arrival.from()))
        .put("to", PhoneNumber.masked(arrival.to()));
    call.put("direction", arrival.direction()).put("startedAt", started.toString());
    if (ended != null) {
      call.put("endedAt", ended.at().toString()).put("reason", ended.reason());
      call.putObject("tokens")
          .put("input", ended.usage().input())
          .put("output", ended.usage().output());
    }
    try (Writer record = new OwnerFile(folder.resolve("call.json")).overwrite()) {
      record.write(InvisibleCharacters.shown(Json.of(call).text()) + "\n");
    }
  }
}
