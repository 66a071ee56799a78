package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.carrier.Carrier;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `switchboard phone check`: checks whether an agent can be called.
@Command(
    name = "check",
    description = {
      "Check that calls to an agent's phone come in and can be answered.",
      "",
      "Asks the carrier for the number's settings, calls the public URL as the carrier does, and"
          + " opens a session with the engine; 'switchboard serve' has to run for the agent"
          + " meanwhile. No call is made. Exits with 1 if something is wrong."
    },
    footer = "  switchboard phone check agent.toml")
final class PhoneCheckCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  PhoneCheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AgentFile file = agent.read(terminal);
    Phone phone = new ServedPhones(terminal).of(agent.file(), file);
    if (phone == null) {
      throw Failure.usage(agent.file() + " has no table [phone].", null);
    }
    List<Carrier.Finding> findings =
        phone.check(file.tools().stream().map(Tool::definition).toList());
    for (Carrier.Finding finding : findings) {
      terminal
          .out()
          .println(
              "%-5s  %-10s  %s"
                  .formatted(
                      finding.fine() ? "ok" : "fault",
                      finding.subject(),
                      Plain.line(finding.sentence())));
    }
    return findings.stream().allMatch(Carrier.Finding::fine) ? 0 : 1;
  }
}
