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

/// The phones of served agents.
final class ServedPhones {
  private final Terminal terminal;
  private final Phones phones = new Phones();
  private final List<Calls.Answering> answering = new ArrayList<>();

  ServedPhones(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The phone of that file, null if it has none.
  ///
  /// @throws Failure when it cannot be served
  @Nullable Phone of(Path path, AgentFile file) {
    try {
      Phone phone = phones.of(file);
      if (phone != null) {
        phone.warnings().forEach(one -> terminal.err().println(path + ": warning: " + one + "."));
      }
      return phone;
    } catch (ConfigException e) {
      throw AgentArgument.failure(path, e, terminal);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(path + ": phone: " + e.getMessage() + ".", e);
    }
  }

  /// Adds that agent and its phone.
  void answer(Phone phone, Agent agent) {
    answering.add(new Calls.Answering(phone, agent));
  }

  /// The calls of all phones.
  ///
  /// @throws Failure when the phones conflict
  Calls calls() {
    try {
      return Calls.of(answering);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The phones cannot be answered: " + e.getMessage() + ".", e);
    }
  }

  /// Prints how the agents are called: their numbers, with the URLs for the carrier, or the
  /// console.
  void printNumbers() {
    for (Calls.Answering answered : answering) {
      String agent = answered.agent().name();
      if (answered.phone().number().isEmpty()) {
        terminal.out().println("Answering calls from the console as '" + agent + "'.");
        continue;
      }
      terminal
          .out()
          .println(
              "Answering %s as '%s'; the carrier's voice URL for it: %s"
                  .formatted(answered.phone().number(), agent, answered.phone().voiceUrl()));
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
