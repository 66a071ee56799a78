package dev.switchboard.observe;

import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.tool.ToolResult;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a JSON object on a line for every settled call: `at`, `conversation`, `principal`,
/// `actor` if someone acts for the principal, `call`, `tool`, `mode`, `success`, `code`,
/// `answered_by` if someone answered the request for consent to it, `attempts`, `took_ms`,
/// `arguments`, `digest`.
///
/// By default the arguments are masked: their names, the types of their values, and a digest of
/// them all to find known ones. Thread-safe.
public final class AuditLog implements ExecutionListener {
  private final Appendable out;
  private final boolean showArguments;
  private final ReentrantLock lock = new ReentrantLock();

  private AuditLog(Appendable out, boolean showArguments) {
    this.out = out;
    this.showArguments = showArguments;
  }

  /// A log to that writer, with masked arguments; each line is flushed if the writer supports it.
  public static AuditLog to(Appendable out) {
    return new AuditLog(out, false);
  }

  /// A log at the end of that file, with masked arguments. The file is open only during a write,
  /// and several processes may write to it.
  public static AuditLog to(Path file) {
    return to(new AppendedFile(file));
  }

  /// Checks that a log can be written there, and writes nothing.
  ///
  /// @throws IOException with a clause, when it cannot
  public static void check(Path file) throws IOException {
    AppendedFile.check(file);
  }

  /// This log, which also writes the arguments.
  public AuditLog showingArguments() {
    return new AuditLog(out, true);
  }

  @Override
  public void settled(ExecutionListener.CallRecord call) {
    write(line(call));
  }

  /// Writes a line for an action of a guardrail: `at`, `conversation`, `guardrail`, `on`, `then`,
  /// `found` or `error`, and for a call `call` and `tool`.
  @Override
  public void guarded(ExecutionListener.GuardRecord found) {
    ObjectNode line = Codec.object();
    line.put("at", found.at().toString());
    line.put("conversation", found.conversationId());
    line.put("guardrail", found.guardrail());
    line.put("on", found.on().word());
    line.put("then", found.then());
    if (found.error() == null) {
      line.put("found", found.found());
    } else {
      line.put("error", found.error());
    }
    if (found.call() != null) {
      line.put("call", found.call()).put("tool", found.tool());
    }
    write(Json.of(line));
  }

  private void write(Json entry) {
    String line = entry.text() + "\n";
    lock.lock();
    try {
      out.append(line);
      if (out instanceof Flushable flushable) {
        flushable.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the audit log cannot be written", e);
    } finally {
      lock.unlock();
    }
  }

  private Json line(ExecutionListener.CallRecord call) {
    ToolResult result = call.result();
    ObjectNode line = Codec.object();
    line.put("at", call.at().toString());
    line.put("conversation", call.conversationId());
    line.put("principal", PhoneNumber.maskedIn(call.principal()));
    if (call.actor() != null) {
      line.put("actor", PhoneNumber.maskedIn(call.actor()));
    }
    line.put("call", call.call().id());
    line.put("tool", call.call().name());
    line.put("mode", call.mode().word());
    line.put("success", result.success());
    if (result.code() != null) {
      line.put("code", result.code().word());
    }
    if (call.answeredBy() != null) {
      line.put("answered_by", PhoneNumber.maskedIn(call.answeredBy()));
    }
    line.put("attempts", call.attempts());
    line.put("took_ms", call.took().toMillis());
    line.set("arguments", arguments(call.call().arguments()));
    if (!showArguments) {
      line.put("digest", call.call().arguments().digest());
    }
    return Json.of(line);
  }

  private JsonNode arguments(Json arguments) {
    ObjectNode masked = Codec.object();
    try {
      JsonNode tree = arguments.tree();
      if (showArguments) {
        return tree;
      }
      tree.forEachEntry((name, value) -> masked.put(name, kind(value)));
    } catch (JsonException e) {
      masked.put("unreadable", arguments.text().length() + " characters");
    }
    return masked;
  }

  private static String kind(JsonNode value) {
    return "<" + value.getNodeType().name().toLowerCase(Locale.ROOT) + ">";
  }
}
