package dev.switchboard.wasm;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import run.endive.wasm.WasmEngineException;

/// A handler that runs a WebAssembly module, which may be untrusted. It reads the arguments, a JSON
/// object, on its standard input and writes the answer to its standard output. It has limited
/// memory and time, and no access to files or the network; its clock does not advance.
///
/// ```java
/// Tool.dynamic("price", schema).answeredBy(WasmModule.of(Path.of("price.wasm")))
/// ```
///
/// It is compiled once, when it is built, and each call begins with a new memory. Such a tool has
/// the mode `read` by default. Immutable and thread-safe.
public final class WasmModule implements ToolHandler {
  /// The default memory of a call: 16 MiB.
  public static final long DEFAULT_MEMORY = 16L << 20;

  /// The default time limit of a call: a second.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

  /// The maximum size of a module: 20 MiB.
  public static final int MOST_BYTES = 20 << 20;

  /// The default limit of standard output: 1 MiB.
  public static final int DEFAULT_OUTPUT_LIMIT = 1 << 20;

  private static final System.Logger LOG = System.getLogger(WasmModule.class.getName());
  private static final int ERROR_LIMIT = 64 << 10;
  private static final int ERROR_SHOWN = 500;
  private static final int TRAP_SHOWN = 200;

  private final String name;
  private final Program program;
  private final ModuleThreads guests;
  private final Duration timeout;
  private final List<String> variables;
  private final int outputLimit;

  WasmModule(WasmBuilder built, Program program) {
    this.program = program;
    name = built.name;
    guests = built.guests == null ? new ModuleThreads() : built.guests;
    timeout = built.timeout;
    variables =
        built.environment.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .sorted()
            .toList();
    outputLimit = built.outputLimit;
  }

  /// The module of that file.
  ///
  /// @throws IllegalArgumentException when it cannot be run
  public static WasmModule of(Path file) {
    return builder(file).build();
  }

  /// A builder of the module of that file.
  public static WasmBuilder builder(Path file) {
    return WasmBuilder.of(file);
  }

  /// A builder of the module with these bytes.
  public static WasmBuilder builder(byte[] module) {
    return WasmBuilder.of(module);
  }

  @Override
  public ToolMode mode() {
    return ToolMode.READ;
  }

  /// True: a repeated call has the same effect.
  @Override
  public boolean mayRepeat(ToolMode mode) {
    return false;
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public Object handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    Output output = new Output(outputLimit);
    Output errors = new Output(ERROR_LIMIT);
    WasiEnvironment world = world(arguments.json(), context, output, errors);
    ModuleCall guest = new ModuleCall(program, world, context.time(), timeout);
    context.onCancel(() -> guests.dismiss(guest));
    guests.admit(guest);
    try {
      guest.await();
    } finally {
      guests.dismiss(guest);
    }
    int exit = exitCode(guest);
    log(errors);
    if (world.tooMuch()) {
      throw ToolException.last(
          ResultCode.RESPONSE_TOO_LARGE,
          "response too large (more than " + outputLimit + " bytes)");
    }
    if (exit != 0) {
      throw failed("exit code " + exit + said(errors));
    }
    return answer(output.text().strip());
  }

  private WasiEnvironment world(Json arguments, ToolContext context, Output output, Output errors) {
    return new WasiEnvironment(
        new WasiEnvironment.Streams(arguments.text(), output, errors),
        name,
        variables,
        context.time().now(),
        context.idempotencyKey());
  }

  private int exitCode(ModuleCall guest) throws InterruptedException {
    if (guest.timedOut()) {
      throw ToolException.last(
          ResultCode.TIMEOUT,
          "the module ran longer than " + Durations.text(timeout) + " and was stopped");
    }
    if (guest.isCancelled()) {
      throw ToolException.last(ResultCode.CANCELLED, "the call was cancelled");
    }
    try {
      return guest.get();
    } catch (ExecutionException e) {
      Throwable thrown = requireNonNullElse(e.getCause(), e);
      LOG.log(Level.DEBUG, name + " failed", thrown);
      throw thrown instanceof ToolException said ? said : failed(trap(thrown));
    }
  }

  /// Why a module failed, as a clause.
  private static String trap(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    return switch (thrown) {
      case StackOverflowError deep -> "the module's calls were nested too deeply";
      case OutOfMemoryError full -> "this process has too little memory for the module";
      case WasmEngineException deep when message.startsWith("call stack exhausted") ->
          "the module's calls were nested too deeply";
      case WasmEngineException trap ->
          "the module was stopped: " + message.substring(0, Math.min(TRAP_SHOWN, message.length()));
      default -> "the module was stopped (" + thrown.getClass().getSimpleName() + ")";
    };
  }

  private static ToolException failed(String message) {
    return ToolException.last(ResultCode.FAILED, message);
  }

  private static String said(Output errors) {
    String end = errors.end(ERROR_SHOWN).strip();
    return end.isEmpty() ? "" : ": " + end;
  }

  private void log(Output errors) {
    if (LOG.isLoggable(Level.DEBUG) && !errors.text().isBlank()) {
      LOG.log(Level.DEBUG, name + ": " + InvisibleCharacters.shown(errors.text().strip()));
    }
  }

  /// A JSON object is parsed, other output is text.
  private static Object answer(String output) {
    if (!output.startsWith("{")) {
      return output;
    }
    Json json = Json.text(output);
    try {
      json.check();
      return json;
    } catch (JsonException e) {
      return output;
    }
  }

  /// The name of its file.
  @Override
  public String toString() {
    return name;
  }
}
