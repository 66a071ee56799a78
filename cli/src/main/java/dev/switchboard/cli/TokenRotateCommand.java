package dev.switchboard.cli;

import dev.switchboard.server.access.Tokens;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard token rotate`: issues another token for a name.
@Command(
    name = "rotate",
    description = {
      "Create another token for a name and print it once; the earlier one ends a while later.",
      "",
      "So clients can change to the new token one after the other. It has the same roles."
    },
    footer = {
      "  switchboard token rotate ada",
      "  switchboard token rotate ada --grace 0s      # the earlier token ends at once"
    })
final class TokenRotateCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(paramLabel = "NAME", description = "Whose token.")
  private String name;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description = "How long the earlier token stays valid, such as 10m or 0s (default: 1h).")
  private String grace = "1h";

  @Mixin private TokensOption tokens;

  TokenRotateCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    Duration length = Durations.parse(grace);
    if (length == null || length.compareTo(Duration.ofDays(365)) > 0) {
      throw Failure.usage(
          "--grace must be " + Durations.FORMS + " of at most 365d, not '" + grace + "'.", null);
    }
    Tokens all = tokens.open(folder);
    tokens.checkKnown(all, name);
    all.rotate(name, length, token -> TokensOption.show(terminal, token));
    String end = length.isZero() ? "is no longer valid" : "is valid until " + end(length);
    terminal
        .err()
        .println(
            "This is shown once; %s holds its hash. The earlier token %s."
                .formatted(tokens.file(folder), end));
  }

  private static String end(Duration length) {
    return Moments.text(Time.SYSTEM.now().plus(length));
  }
}
