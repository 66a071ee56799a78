package dev.switchboard.wasm;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import run.endive.runtime.Memory;

/// The functions of WASI preview 1, and their answers to a module. There are no files and no
/// sockets, so most only report that.
enum SystemCall {
  ARGS_GET("ii", (world, memory, a) -> world.arguments(memory, (int) a[0], (int) a[1])),
  ARGS_SIZES_GET("ii", (world, memory, a) -> world.argumentSizes(memory, (int) a[0], (int) a[1])),
  ENVIRON_GET("ii", (world, memory, a) -> world.variables(memory, (int) a[0], (int) a[1])),
  ENVIRON_SIZES_GET(
      "ii", (world, memory, a) -> world.variableSizes(memory, (int) a[0], (int) a[1])),
  CLOCK_RES_GET("ii", (world, memory, a) -> world.resolution(memory, (int) a[0], (int) a[1])),
  CLOCK_TIME_GET("iIi", (world, memory, a) -> world.clock(memory, (int) a[0], (int) a[2])),
  FD_ADVISE("iIIi", SystemCall::notAFile),
  FD_ALLOCATE("iII", SystemCall::notAFile),
  FD_CLOSE("i", (world, memory, a) -> world.close((int) a[0])),
  FD_DATASYNC("i", SystemCall::notAFile),
  FD_FDSTAT_GET("ii", (world, memory, a) -> world.state(memory, (int) a[0], (int) a[1])),
  FD_FDSTAT_SET_FLAGS("ii", SystemCall::notAFile),
  FD_FDSTAT_SET_RIGHTS("iII", SystemCall::notAFile),
  FD_FILESTAT_GET("ii", (world, memory, a) -> world.facts(memory, (int) a[0], (int) a[1])),
  FD_FILESTAT_SET_SIZE("iI", SystemCall::notAFile),
  FD_FILESTAT_SET_TIMES("iIIi", SystemCall::notAFile),
  FD_PREAD("iiiIi", SystemCall::notAFile),
  FD_PRESTAT_GET("ii", SystemCall::unknown),
  FD_PRESTAT_DIR_NAME("iii", SystemCall::unknown),
  FD_PWRITE("iiiIi", SystemCall::notAFile),
  FD_READ(
      "iiii",
      (world, memory, a) -> world.read(memory, (int) a[0], (int) a[1], (int) a[2], (int) a[3])),
  FD_READDIR("iiiIi", SystemCall::unknown),
  FD_RENUMBER("ii", SystemCall::refused),
  FD_SEEK("iIii", SystemCall::notAFile),
  FD_SYNC("i", SystemCall::notAFile),
  FD_TELL("ii", SystemCall::notAFile),
  FD_WRITE(
      "iiii",
      (world, memory, a) -> world.write(memory, (int) a[0], (int) a[1], (int) a[2], (int) a[3])),
  PATH_CREATE_DIRECTORY("iii", SystemCall::refused),
  PATH_FILESTAT_GET("iiiii", SystemCall::refused),
  PATH_FILESTAT_SET_TIMES("iiiiIIi", SystemCall::refused),
  PATH_LINK("iiiiiii", SystemCall::refused),
  PATH_OPEN("iiiiiIIii", SystemCall::refused),
  PATH_READLINK("iiiiii", SystemCall::refused),
  PATH_REMOVE_DIRECTORY("iii", SystemCall::refused),
  PATH_RENAME("iiiiii", SystemCall::refused),
  PATH_SYMLINK("iiiii", SystemCall::refused),
  PATH_UNLINK_FILE("iii", SystemCall::refused),
  POLL_ONEOFF(
      "iiii",
      (world, memory, a) -> world.poll(memory, (int) a[0], (int) a[1], (int) a[2], (int) a[3])),
  PROC_EXIT(
      "i",
      (world, memory, a) -> {
        throw new Exit((int) a[0]);
      }),
  PROC_RAISE("i", SystemCall::refused),
  RANDOM_GET("ii", (world, memory, a) -> world.random(memory, (int) a[0], (int) a[1])),
  SCHED_YIELD("", (world, memory, a) -> WasiEnvironment.SUCCESS),
  SOCK_ACCEPT("iii", SystemCall::refused),
  SOCK_RECV("iiiiii", SystemCall::refused),
  SOCK_SEND("iiiii", SystemCall::refused),
  SOCK_SHUTDOWN("ii", SystemCall::refused);

  /// The module name of these imports.
  static final String MODULE = "wasi_snapshot_preview1";

  private static final Map<String, SystemCall> BY_NAME = byName();

  /// The answer to a call, an error number of WASI.
  interface Answer {
    int to(WasiEnvironment world, @Nullable Memory memory, long[] arguments);
  }

  private final Outline.Signature signature;
  private final Answer answer;

  SystemCall(String parameters, Answer answer) {
    signature = new Outline.Signature(parameters, name().equals("PROC_EXIT") ? "" : "i");
    this.answer = answer;
  }

  private static Map<String, SystemCall> byName() {
    Map<String, SystemCall> all = new HashMap<>();
    for (SystemCall call : values()) {
      all.put(call.name().toLowerCase(Locale.ROOT), call);
    }
    return Map.copyOf(all);
  }

  /// The function of that import, null if there is none.
  static @Nullable SystemCall of(Outline.Import wanted) {
    return wanted.module().equals(MODULE) ? BY_NAME.get(wanted.name()) : null;
  }

  Outline.Signature signature() {
    return signature;
  }

  Answer answer() {
    return answer;
  }

  private static int notAFile(WasiEnvironment world, @Nullable Memory memory, long[] arguments) {
    return world.isOpen((int) arguments[0])
        ? WasiEnvironment.NOT_A_FILE
        : WasiEnvironment.UNKNOWN_DESCRIPTOR;
  }

  private static int unknown(WasiEnvironment world, @Nullable Memory memory, long[] arguments) {
    return WasiEnvironment.UNKNOWN_DESCRIPTOR;
  }

  private static int refused(WasiEnvironment world, @Nullable Memory memory, long[] arguments) {
    return WasiEnvironment.NOT_CAPABLE;
  }
}
