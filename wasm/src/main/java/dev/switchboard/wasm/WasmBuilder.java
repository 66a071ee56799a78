package dev.switchboard.wasm;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.text.Durations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import run.endive.runtime.Memory;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.MemoryLimits;

/// A builder of a [WasmModule]. [#build()] parses, checks and compiles it.
public final class WasmBuilder {
  private static final long MOST_MEMORY = 1L << 30;
  private static final int NAMES_SHOWN = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long STACK = 64 << 20;
  private static final Outline.Signature PLAIN = new Outline.Signature("", "");
  private static final Outline.Signature WITH_CODE = new Outline.Signature("", "i");

  private final Callable<byte[]> module;
  final String name;
  private long memory = WasmModule.DEFAULT_MEMORY;
  Duration timeout = WasmModule.DEFAULT_TIMEOUT;
  private String function = "_start";
  Map<String, String> environment = Map.of();
  int outputLimit = WasmModule.DEFAULT_OUTPUT_LIMIT;
  @Nullable ModuleThreads guests;

  private WasmBuilder(String name, Callable<byte[]> module) {
    this.name = name;
    this.module = module;
  }

  static WasmBuilder of(Path file) {
    return new WasmBuilder(String.valueOf(file.getFileName()), () -> read(file));
  }

  static WasmBuilder of(byte[] module) {
    byte[] copy = module.clone();
    return new WasmBuilder("module", () -> copy);
  }

  /// Sets the memory of a call in bytes: 16 MiB by default, at most 1 GiB.
  public WasmBuilder memory(long bytes) {
    memory = bytes;
    return this;
  }

  /// Sets the time limit of a call: a second by default. Waiting for a thread does not count.
  public WasmBuilder timeout(Duration length) {
    timeout = Durations.bounded(length);
    return this;
  }

  /// Sets the function to call: `_start` by default. Any other takes no parameters; if it returns a
  /// number, that is the exit code.
  public WasmBuilder function(String exported) {
    function = exported;
    return this;
  }

  /// Sets the environment variables of the module: none by default.
  public WasmBuilder environment(Map<String, String> variables) {
    environment = Map.copyOf(variables);
    return this;
  }

  /// Limits the bytes of standard output: 1 MiB by default.
  public WasmBuilder outputLimit(int bytes) {
    outputLimit = bytes;
    return this;
  }

  /// Sets the threads of its calls; modules that share them have a common limit.
  WasmBuilder guests(ModuleThreads shared) {
    guests = shared;
    return this;
  }

  /// The module, compiled.
  ///
  /// @throws IllegalArgumentException when it cannot be run, with a sentence that begins with the
  ///   invalid option, such as `memory`
  public WasmModule build() {
    checkSettings();
    return new WasmModule(this, bounded(this::compiled));
  }

  private void checkSettings() {
    if (memory < Memory.PAGE_SIZE || memory > MOST_MEMORY) {
      throw new IllegalArgumentException("memory must be 64KiB to 1GiB");
    }
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("timeout must be more than 0");
    }
    if (outputLimit < 1) {
      throw new IllegalArgumentException("an output limit must be at least 1");
    }
    environment.forEach((variable, value) -> {
      if (variable.isEmpty() || variable.contains("=") || (variable + value).indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "env cannot hold '%s'".formatted(variable.replace('\0', ' ')));
      }
    });
  }

  private static byte[] read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(WasmModule.MOST_BYTES + 1);
      if (bytes.length > WasmModule.MOST_BYTES) {
        throw new IllegalArgumentException(
            "file is larger than %d MiB".formatted(WasmModule.MOST_BYTES >> 20));
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("file does not exist", e);
    } catch (AccessDeniedException e) {
      throw new IllegalArgumentException("file may not be read: permission denied", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "file cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  private Program compiled() throws Exception {
    byte[] bytes = module.call();
    Outline outline = Outline.of(bytes);
    checkImports(outline.imports());
    checkFunction(outline, function);
    boolean initializes =
        !function.equals("_start") && outline.exported(Program.Entry.INITIALIZE) != null;
    if (initializes) {
      checkFunction(outline, Program.Entry.INITIALIZE);
    }
    MemoryLimits limits = limits(outline, memory, Runtime.getRuntime().maxMemory());
    return new Program(outline, limits, new Program.Entry(function, initializes));
  }

  private static void checkImports(List<Outline.Import> imports) {
    List<String> missing =
        imports.stream()
            .filter(wanted -> SystemCall.of(wanted) == null)
            .map(Outline.Import::toString)
            .distinct()
            .toList();
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "file needs what no tool is given: %s; only functions of %s can be imported"
              .formatted(list(missing), SystemCall.MODULE));
    }
    for (Outline.Import wanted : imports) {
      SystemCall call = SystemCall.of(wanted);
      if (call == null || !call.signature().equals(wanted.signature())) {
        throw new IllegalArgumentException(
            "file imports '%s' with other parameters or results than it has".formatted(wanted));
      }
    }
  }

  private static String list(List<String> names) {
    String shown =
        "'" + String.join("', '", names.subList(0, Math.min(NAMES_SHOWN, names.size()))) + "'";
    return names.size() > NAMES_SHOWN
        ? "%s and %,d more".formatted(shown, names.size() - NAMES_SHOWN)
        : shown;
  }

  private static void checkFunction(Outline outline, String function) {
    Outline.Signature signature = outline.exported(function);
    if (signature == null) {
      List<String> names = outline.exports();
      throw new IllegalArgumentException(
          "function names '%s', which the module does not export%s"
              .formatted(function, names.isEmpty() ? "" : "; it exports " + list(names)));
    }
    if (!signature.equals(PLAIN) && !signature.equals(WITH_CODE)) {
      throw new IllegalArgumentException(
          "function names '%s', which must take no parameters and give nothing or an i32"
              .formatted(function));
    }
  }

  /// @param heap the maximum heap of this process in bytes
  static MemoryLimits limits(Outline outline, long memory, long heap) {
    int most = (int) (memory / Memory.PAGE_SIZE);
    if (outline.pages() > most) {
      throw new IllegalArgumentException(
          "memory is %,d KiB, but the module needs %,d KiB to begin with"
              .formatted(memory >> 10, (long) outline.pages() * Memory.PAGE_SIZE >> 10));
    }
    int asked = Math.min(most, Math.max(outline.pages(), outline.mostPages()));
    if ((long) asked * Memory.PAGE_SIZE > heap / 2) {
      throw new IllegalArgumentException(
          "memory is %,d KiB, more than half of the %,d KiB that this process has"
              .formatted(memory >> 10, heap >> 10));
    }
    return new MemoryLimits(outline.pages(), asked);
  }

  /// Parses or compiles a module on a thread with a large stack for deep nesting, and waits a
  /// minute for it. The library cannot be interrupted: after that the work ends with its current
  /// part.
  private static <T> T bounded(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread unused = Thread.ofPlatform().daemon().name("wasm build").stackSize(STACK).start(task);
    try {
      return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      boolean unusedFirst = task.cancel(true);
      Thread.currentThread().interrupt();
      throw new IllegalArgumentException("file was not compiled: interrupted");
    } catch (TimeoutException e) {
      boolean unusedFirst = task.cancel(true);
      throw new IllegalArgumentException("file takes longer than a minute to be compiled");
    } catch (ExecutionException e) {
      throw fault(requireNonNullElse(e.getCause(), e));
    }
  }

  private static boolean isOurs(IllegalArgumentException refused) {
    return String.valueOf(refused.getMessage()).matches("(?s)(file|function|memory) .*");
  }

  private static IllegalArgumentException fault(Throwable thrown) {
    return switch (thrown) {
      case WasmEngineException invalid ->
          new IllegalArgumentException("file is not valid: " + invalid.getMessage());
      case IllegalArgumentException refused when isOurs(refused) -> refused;
      case StackOverflowError deep -> new IllegalArgumentException("file is nested too deeply");
      case OutOfMemoryError full ->
          new IllegalArgumentException(
              "file needs more memory to be compiled than this process has");
      default ->
          new IllegalArgumentException(
              "file cannot be compiled (" + thrown.getClass().getSimpleName() + ")");
    };
  }
}
