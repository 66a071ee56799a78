package dev.switchboard.cli;

import dev.switchboard.text.PrincipalName;
import picocli.CommandLine.Option;

/// The option that names whose memory a command looks at.
final class PrincipalOption {
  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description =
          "Whose memory it is: the name of a token, 'call:ID' or 'tel:NUMBER'; by default that of"
              + " whoever uses this machine.")
  private String name = PrincipalName.LOCAL;

  /// @throws Failure when it cannot be the name of a principal
  String name() {
    try {
      return PrincipalName.checked(name);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--principal: " + e.getMessage() + ".", e);
    }
  }
}
