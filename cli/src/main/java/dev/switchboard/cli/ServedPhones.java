package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.phone.Calls;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.Phones;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The phones that served agents answer.
final class ServedPhones {
  private final Terminal terminal;
  private final Phones phones = new Phones();
  private final List<Calls.Answering> answering = new ArrayList<>();

  ServedPhones(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The phone of that file, null if it has none.
  ///
  /// @throws Failure when it cannot be answered
  @Nullable Phone of(Path path, AgentFile file) {
    try {
      return phones.of(file);
    } catch (ConfigException e) {
      throw AgentArgument.failure(path, e, terminal);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(path + ": phone: " + e.getMessage() + ".", e);
    }
  }

  /// Makes that agent answer the phone.
  void answer(Phone phone, Agent agent) {
    answering.add(new Calls.Answering(phone, agent));
  }

  /// The calls to all of them.
  ///
  /// @throws Failure when they cannot be answered together
  Calls calls() {
    try {
      return Calls.of(answering);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The phones cannot be answered: " + e.getMessage() + ".", e);
    }
  }

  /// Prints who answers which number, and which URL the carrier has to call.
  void tell() {
    for (Calls.Answering one : answering) {
      terminal
          .out()
          .println(
              "Answering %s as '%s'; the carrier's voice URL for it: %s"
                  .formatted(one.phone().number(), one.agent().name(), one.phone().voiceUrl()));
    }
  }

  /// Accepts no new calls, and waits for running ones.
  void drain(Calls calls) {
    int on = calls.count();
    if (on > 0) {
      terminal
          .err()
          .println(
              "Waiting for " + AgentArgument.count(on, "call") + "; no new ones are accepted.");
      terminal.err().flush();
    }
    calls.drain();
  }
}
