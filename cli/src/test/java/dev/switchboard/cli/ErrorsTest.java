package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ErrorsTest {
  private final StringWriter err = new StringWriter();
  private final RootCommand root = new RootCommand();
  private final CommandLine line = new CommandLine(root).setErr(new PrintWriter(err, true));

  @Test
  void aFailureOfTheWorkExitsWithOneAndItsSentence() {
    assertThat(exit(Failure.work("The model did not answer.", null))).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("switchboard: The model did not answer.");
  }

  @Test
  void wrongConfigurationExitsWithTwo() {
    assertThat(exit(Failure.usage("agent.toml:3:1: unknown key.", null))).isEqualTo(2);
  }

  @Test
  void anUnexpectedExceptionExitsWithOneAndNamesItsKind() {
    assertThat(exit(new IllegalStateException("gone"))).isEqualTo(1);
    assertThat(err.toString()).contains("IllegalStateException: gone", "--debug").hasLineCount(1);
  }

  @Test
  void debugAddsTheStackTrace() {
    line.parseArgs("--debug");

    assertThat(exit(Failure.work("No.", new IllegalStateException("why")))).isEqualTo(1);
    assertThat(err.toString()).contains("switchboard: No.", "\tat ", "Caused by: ", "why");
  }

  private int exit(Exception e) {
    return new Errors(root).execution(e, line, line.getParseResult());
  }
}
