package dev.switchboard.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The processes that a program has started, whether their parents still run or not: those that are
/// its descendants; on Linux also those that have its mark in their environment, or are in the
/// session that it leads.
final class Descendants {
  /// The variable that descendants inherit. Within a program that has one, it holds both marks.
  static final String VARIABLE = "SWITCHBOARD_PROCESS";

  private static final Path PROCESSES = Path.of("/proc");
  // A limit for programs that fork faster than they are found.
  private static final int MOST_LOOKS = 1000;
  // Of the fields after the name in `stat`.
  private static final int STATE = 0;
  private static final int SESSION = 3;
  private static final int MEMORY = 20;
  private static final int END_OF_ENVIRONMENT = 48;

  private final ProcessHandle program;
  private final String mark;
  private final Set<Long> killed = new HashSet<>();
  private boolean again; // whether something was found since the last look, or is not certain

  private enum Kin {
    YES,
    NO,
    UNCERTAIN
  }

  /// @param program which may lead a session of its own
  /// @param mark unique, in the variable [#VARIABLE] of its environment
  Descendants(ProcessHandle program, String mark) {
    this.program = program;
    this.mark = mark;
  }

  /// The value of the variable for a program of that mark.
  static String variable(String mark) {
    String outer = System.getenv(VARIABLE);
    return outer == null ? mark : outer + ":" + mark;
  }

  /// Kills them, until no other is found: one that forks may be missed at first.
  synchronized void kill() {
    again = true;
    for (int looks = 0; again && looks < MOST_LOOKS; looks++) {
      again = false;
      program.descendants().forEach(this::kill);
      numbers().forEach(this::killKin);
    }
  }

  private void killKin(long pid) {
    if (pid == program.pid() || killed.contains(pid)) {
      return;
    }
    Kin kin = kin(pid);
    again |= kin == Kin.UNCERTAIN;
    ProcessHandle process = kin == Kin.YES ? ProcessHandle.of(pid).orElse(null) : null;
    // Looked at again: the number may have gone to another process.
    if (process != null && kin(pid) == Kin.YES) {
      List<ProcessHandle> below = process.descendants().toList();
      kill(process);
      below.forEach(this::kill);
    }
  }

  private void kill(ProcessHandle process) {
    again |= killed.add(process.pid());
    process.destroyForcibly();
  }

  /// The numbers of all processes; none on other systems than Linux.
  private static List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      all.forEach(one -> numbers.add(Long.parseLong(one.getFileName().toString())));
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
    return numbers;
  }

  private Kin kin(long pid) {
    Path process = PROCESSES.resolve(String.valueOf(pid));
    try {
      String stat = text(process.resolve("stat"));
      // The name of the program may hold spaces and parentheses.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      if (fields[STATE].equals("Z") || fields[STATE].equals("X")) {
        return Kin.NO;
      }
      String environment = text(process.resolve("environ"));
      if (fields[SESSION].equals(String.valueOf(program.pid())) || isMarked(environment)) {
        return Kin.YES;
      }
      // A process that replaces its program has no environment for a moment; the kernel's have no
      // memory.
      boolean replaced =
          environment.isEmpty()
              && !fields[MEMORY].equals("0")
              && fields[END_OF_ENVIRONMENT].equals("0");
      return replaced ? Kin.UNCERTAIN : Kin.NO;
    } catch (IOException | RuntimeException e) {
      return Kin.NO; // it has ended, or another user owns it
    }
  }

  private boolean isMarked(String environment) {
    int at = ("\0" + environment).indexOf("\0" + VARIABLE + "=");
    return at >= 0 && environment.substring(at).split("\0", 2)[0].contains(mark);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
