package dev.switchboard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/// The output of `--version`: the version of this build, and that of Java.
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      build.load(file);
    }
    return new String[] {
      "switchboard %s (Java %s)".formatted(build.getProperty("version"), Runtime.version())
    };
  }
}
