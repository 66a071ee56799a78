package dev.switchboard.cli.demo;

import dev.switchboard.model.RecordedModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The files of the demonstration.
public final class Resources {
  private static final String RECORDING = "model.jsonl";

  private Resources() {}

  /// The recorded model of the demonstration.
  public static RecordedModel model() {
    try {
      return RecordedModel.read(new StringReader(text(RECORDING)), "demo/" + RECORDING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String file) {
    try (InputStream in = Resources.class.getResourceAsStream("/demo/" + file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
