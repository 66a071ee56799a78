package dev.switchboard.wasm;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import run.endive.runtime.Memory;
import run.endive.runtime.WasmInterruptedException;

/// The environment of a module during one call: its input, two output streams, environment
/// variables, a clock that does not advance, and random numbers that the call determines.
///
/// Used only by the module's thread; its output is read after the end. Nothing here takes a lock,
/// since a call may end anywhere by a stack overflow.
final class WasiEnvironment {
  static final int SUCCESS = 0;
  static final int UNKNOWN_DESCRIPTOR = 8;
  static final int NOT_A_FILE = 70;
  static final int NOT_CAPABLE = 76;
  private static final int BAD_ADDRESS = 21;
  private static final int INVALID = 28;
  private static final int UNSUPPORTED = 58;

  private static final int IN = 0;
  private static final int OUT = 1;
  private static final int MOST_VECTORS = 1_024;
  private static final int MOST_SUBSCRIPTIONS = 1_024;
  private static final int CHUNK = 4_096;
  private static final int REALTIME = 0;
  private static final int MONOTONIC = 1;
  private static final long RIGHT_TO_READ = 2;
  private static final long RIGHT_TO_WRITE = 64;

  /// The streams of a module.
  record Streams(String input, Output output, Output errors) {}

  private final byte[] input;
  private final Output output;
  private final Output errors;
  private final List<byte[]> arguments;
  private final List<byte[]> variables;
  private final long began;
  private final SplittableRandom random;
  private final boolean[] open = {true, true, true};
  private int read;
  private long slept;
  private boolean tooMuch;

  /// @param variables `NAME=value` each
  /// @param seed of the random numbers
  WasiEnvironment(Streams streams, String name, List<String> variables, Instant now, String seed) {
    input = streams.input.getBytes(StandardCharsets.UTF_8);
    output = streams.output;
    errors = streams.errors;
    arguments = terminated(List.of(name));
    this.variables = terminated(variables);
    began = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    random = new SplittableRandom(number(seed));
  }

  private static List<byte[]> terminated(List<String> texts) {
    List<byte[]> all = new ArrayList<>();
    for (String text : texts) {
      all.add((text + '\0').getBytes(StandardCharsets.UTF_8));
    }
    return all;
  }

  private static long number(String seed) {
    long number = 0;
    for (int i = 0; i < seed.length(); i++) {
      number = 1_000_003 * number + seed.charAt(i);
    }
    return number;
  }

  /// Whether its output exceeded the limit.
  boolean tooMuch() {
    return tooMuch;
  }

  boolean isOpen(int descriptor) {
    return descriptor >= 0 && descriptor < open.length && open[descriptor];
  }

  int close(int descriptor) {
    if (!isOpen(descriptor)) {
      return UNKNOWN_DESCRIPTOR;
    }
    open[descriptor] = false;
    return SUCCESS;
  }

  /// Whether that range is within the memory.
  private static boolean holds(@Nullable Memory memory, int address, long length) {
    long end = Integer.toUnsignedLong(address) + length;
    return memory != null && end <= (long) memory.pages() * Memory.PAGE_SIZE;
  }

  int argumentSizes(@Nullable Memory memory, int count, int size) {
    return sizes(arguments, memory, count, size);
  }

  int arguments(@Nullable Memory memory, int addresses, int texts) {
    return texts(arguments, memory, addresses, texts);
  }

  int variableSizes(@Nullable Memory memory, int count, int size) {
    return sizes(variables, memory, count, size);
  }

  int variables(@Nullable Memory memory, int addresses, int texts) {
    return texts(variables, memory, addresses, texts);
  }

  private static int sizes(List<byte[]> texts, @Nullable Memory memory, int count, int size) {
    if (memory == null || !holds(memory, count, 4) || !holds(memory, size, 4)) {
      return BAD_ADDRESS;
    }
    memory.writeI32(count, texts.size());
    memory.writeI32(size, length(texts));
    return SUCCESS;
  }

  private static int length(List<byte[]> texts) {
    int length = 0;
    for (byte[] text : texts) {
      length += text.length;
    }
    return length;
  }

  private static int texts(List<byte[]> texts, @Nullable Memory memory, int addresses, int at) {
    if (memory == null
        || !holds(memory, addresses, 4L * texts.size())
        || !holds(memory, at, length(texts))) {
      return BAD_ADDRESS;
    }
    int next = at;
    for (int i = 0; i < texts.size(); i++) {
      byte[] text = texts.get(i);
      memory.writeI32(addresses + 4 * i, next);
      memory.write(next, text, 0, text.length);
      next += text.length;
    }
    return SUCCESS;
  }

  int resolution(@Nullable Memory memory, int clock, int to) {
    if (clock != REALTIME && clock != MONOTONIC) {
      return UNSUPPORTED;
    }
    return number(memory, to, 1);
  }

  /// A clock does not advance while the module runs, so that it cannot measure time; a sleep ends
  /// at once.
  int clock(@Nullable Memory memory, int clock, int to) {
    if (clock != REALTIME && clock != MONOTONIC) {
      return UNSUPPORTED;
    }
    return number(memory, to, now(clock));
  }

  private long now(int clock) {
    return (clock == REALTIME ? began : TimeUnit.SECONDS.toNanos(1)) + slept;
  }

  private static int number(@Nullable Memory memory, int to, long number) {
    if (memory == null || !holds(memory, to, 8)) {
      return BAD_ADDRESS;
    }
    memory.writeLong(to, number);
    return SUCCESS;
  }

  int state(@Nullable Memory memory, int descriptor, int to) {
    if (!isOpen(descriptor)) {
      return UNKNOWN_DESCRIPTOR;
    }
    if (memory == null || !holds(memory, to, 24)) {
      return BAD_ADDRESS;
    }
    memory.writeLong(to, 0);
    memory.writeLong(to + 8, descriptor == IN ? RIGHT_TO_READ : RIGHT_TO_WRITE);
    memory.writeLong(to + 16, 0);
    return SUCCESS;
  }

  int facts(@Nullable Memory memory, int descriptor, int to) {
    if (!isOpen(descriptor)) {
      return UNKNOWN_DESCRIPTOR;
    }
    if (memory == null || !holds(memory, to, 64)) {
      return BAD_ADDRESS;
    }
    memory.write(to, new byte[64], 0, 64);
    return SUCCESS;
  }

  int read(@Nullable Memory memory, int descriptor, int vectors, int count, int to) {
    if (descriptor != IN || !isOpen(IN)) {
      return UNKNOWN_DESCRIPTOR;
    }
    int fault = vectorFault(memory, vectors, count, to);
    if (memory == null || fault != SUCCESS) {
      return fault;
    }
    int before = read;
    for (int i = 0; i < count; i++) {
      int room = Math.min(memory.readInt(vectors + 8 * i + 4), input.length - read);
      memory.write(memory.readInt(vectors + 8 * i), input, read, room);
      read += room;
    }
    memory.writeI32(to, read - before);
    return SUCCESS;
  }

  int write(@Nullable Memory memory, int descriptor, int vectors, int count, int to) {
    if (descriptor == IN || !isOpen(descriptor)) {
      return UNKNOWN_DESCRIPTOR;
    }
    int fault = vectorFault(memory, vectors, count, to);
    if (memory == null || fault != SUCCESS) {
      return fault;
    }
    int written = 0;
    for (int i = 0; i < count; i++) {
      int length = memory.readInt(vectors + 8 * i + 4);
      boolean all =
          (descriptor == OUT ? output : errors)
              .add(memory, memory.readInt(vectors + 8 * i), length);
      written += length;
      if (!all && descriptor == OUT) {
        tooMuch = true;
        throw new Exit(1);
      }
    }
    memory.writeI32(to, written);
    return SUCCESS;
  }

  /// The fault of a list of ranges, or of the address for their total; 0 for none.
  private static int vectorFault(@Nullable Memory memory, int vectors, int count, int to) {
    if (count < 0 || count > MOST_VECTORS) {
      return INVALID;
    }
    if (memory == null || !holds(memory, vectors, 8L * count) || !holds(memory, to, 4)) {
      return BAD_ADDRESS;
    }
    long all = 0;
    for (int i = 0; i < count; i++) {
      int length = memory.readInt(vectors + 8 * i + 4);
      all += length;
      if (length < 0 || all > Integer.MAX_VALUE) {
        return INVALID;
      }
      if (!holds(memory, memory.readInt(vectors + 8 * i), length)) {
        return BAD_ADDRESS;
      }
    }
    return SUCCESS;
  }

  int random(@Nullable Memory memory, int address, int count) {
    if (memory == null || count < 0 || !holds(memory, address, count)) {
      return BAD_ADDRESS;
    }
    for (int done = 0; done < count; done += CHUNK) {
      if (Thread.currentThread().isInterrupted()) {
        throw new WasmInterruptedException("interrupted");
      }
      byte[] bytes = new byte[Math.min(CHUNK, count - done)];
      random.nextBytes(bytes);
      memory.write(address + done, bytes, 0, bytes.length);
    }
    return SUCCESS;
  }

  /// Reports which of the awaited events have occurred. A stream is always ready. If only clocks
  /// are awaited, the earliest occurs at once, and the clocks advance to it.
  int poll(@Nullable Memory memory, int from, int to, int count, int number) {
    if (count <= 0 || count > MOST_SUBSCRIPTIONS) {
      return INVALID;
    }
    if (memory == null
        || !holds(memory, from, 48L * count)
        || !holds(memory, to, 32L * count)
        || !holds(memory, number, 4)) {
      return BAD_ADDRESS;
    }
    long earliest = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      boolean clock = memory.read(from + 48 * i + 8) == 0;
      earliest = Math.min(earliest, clock ? left(memory, from + 48 * i) : -1);
    }
    int events = 0;
    for (int i = 0; i < count; i++) {
      int asked = from + 48 * i;
      byte kind = memory.read(asked + 8);
      if (kind != 0 || left(memory, asked) <= Math.max(0, earliest)) {
        event(memory, to + 32 * events++, memory.readLong(asked), kind);
      }
    }
    memory.writeI32(number, events);
    slept += Math.max(0, Math.min(earliest, TimeUnit.DAYS.toNanos(1)));
    return SUCCESS;
  }

  /// The nanoseconds until a clock subscription is due.
  private long left(Memory memory, int asked) {
    long timeout = memory.readLong(asked + 24);
    boolean absolute = (memory.readShort(asked + 40) & 1) != 0;
    long left = absolute ? timeout - now(memory.readInt(asked + 16)) : timeout;
    return left < 0 && !absolute ? Long.MAX_VALUE : Math.max(0, left);
  }

  private static void event(Memory memory, int at, long userData, byte kind) {
    memory.write(at, new byte[32], 0, 32);
    memory.writeLong(at, userData);
    memory.writeByte(at + 10, kind);
  }
}
