package dev.switchboard.cli;

import dev.switchboard.phone.testing.TwilioSimulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of an agent that answers the phone, without a model.
final class PhoneToml {
  static final String ACCOUNT = "AC" + "0a".repeat(16);
  static final String TOKEN = "test_auth_token";
  static final String NUMBER = "+15550001234";

  private PhoneToml() {}

  /// A file of the simulator's account.
  static String of(
      Path folder, String publicUrl, TwilioSimulator twilio, String engine, String more) {
    String agent = of(folder, publicUrl, twilio.url(), engine, more);
    replace(Path.of(agent), ACCOUNT, twilio.accountSid());
    replace(folder.resolve(".env"), TOKEN, twilio.authToken());
    return agent;
  }

  private static void replace(Path file, String what, String by) {
    try {
      Files.writeString(file, Files.readString(file).replace(what, by));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A file with its secrets beside it.
  ///
  /// @param rest where the carrier's orders go
  /// @param engine the base URL of the engine
  /// @param more further tables
  static String of(Path folder, String publicUrl, String rest, String engine, String more) {
    try {
      Files.writeString(folder.resolve(".env"), "TEST_TOKEN=" + TOKEN + "\nTEST_KEY=key-1\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return AgentToml.write(
        folder,
        """
        [agent]
        name = "Shop"
        system_prompt = "You sell."

        [phone]
        carrier = { name = "twilio", account_sid = "%s", auth_token_env = "TEST_TOKEN", base_url = "%s" }
        number = "%s"
        public_url = "%s"
        engine = { provider = "openai-realtime", name = "gpt-realtime-2.1", base_url = "%s", api_key_env = "TEST_KEY" }

        %s
        """
            .formatted(ACCOUNT, rest, NUMBER, publicUrl, engine, more));
  }
}
