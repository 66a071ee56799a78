package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFolder;
import dev.switchboard.phone.call.CallSettings.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table `phone` of an agent that is called in the browser.
class BrowserOfAFileTest {
  private static final String PHONE =
      """
      [phone]
      carrier = "browser"
      engine = "relay"
      """;

  @TempDir private Path folder;

  private AgentFolder folder() {
    return new AgentFolder(folder, Map.of());
  }

  @Test
  void needsNeitherNumberNorPublicUrlNorDestinations() {
    assertThat(folder().faults(PHONE)).isEmpty();
    assertThat(folder().faults(PHONE.replace("\"browser\"", "{ name = \"browser\" }"))).isEmpty();

    PhoneSettings phone = folder().read(PHONE).table(PhoneSettings.class);
    assertThat(phone.faults()).isEmpty();
    assertThat(phone.calls().number()).isEmpty();
    assertThat(phone.calls().systemTools()).containsExactly("end_call");
  }

  @Test
  void whatATelephoneNeedsMayStayInTheFile() {
    String both =
        PHONE
            + """
            number = "+15550001234"
            public_url = "https://phone.example.com"
            transfer = { to = { owner = "+15550001111" } }
            system_tools = ["end_call", "transfer_call"]
            """;
    PhoneSettings phone = folder().read(both).table(PhoneSettings.class);

    assertThat(folder().faults(both)).isEmpty();
    assertThat(phone.calls().transfer()).isEqualTo(Transfer.NONE);
    assertThat(phone.calls().systemTools()).containsExactly("end_call");
  }

  @Test
  void anotherEngineIsAnErrorOfItsPlace() {
    assertThat(folder().faults(PHONE.replace("relay", "openai-realtime")))
        .containsExactly(
            "agent.toml:3:1: error: phone.engine must be \"relay\" with the carrier \"browser\","
                + " where callers type");
  }

  @Test
  void agentsOfSeveralFilesShareTheBrowser() throws IOException {
    Phones phones = new Phones();
    Phone desk = phone(phones, "Desk");
    Phone kitchen = phone(phones, "Kitchen");

    assertThat(desk.carrier()).isSameAs(kitchen.carrier());
    assertThat(desk.number()).isEmpty();
    assertThat(desk.warnings()).isEmpty();
  }

  private Phone phone(Phones phones, String name) throws IOException {
    Path file = folder.resolve(name + ".toml");
    Files.writeString(file, "[agent]\nname = \"" + name + "\"\n" + PHONE);
    return phones.of(AgentFile.read(file));
  }
}
