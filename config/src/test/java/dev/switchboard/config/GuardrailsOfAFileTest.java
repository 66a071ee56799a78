package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardrailsOfAFileTest {
  @TempDir private Path folder;

  private List<Guardrail> read(String toml) {
    return new AgentFolder(folder, Map.of()).read(toml).agent().guardrails();
  }

  @Test
  void readsTheExampleOfTheContract() {
    assertThat(
            read(
                """
                [[agent.guardrails]]
                name = "no_cards"
                on = ["output", "result"]
                check = "card_number"
                then = "redact"
                on_error = "allow"
                window = 200
                """))
        .containsExactly(
            new Guardrail(
                "no_cards",
                Set.of(Place.OUTPUT, Place.RESULT),
                Known.CARD_NUMBER,
                new Guardrail.Redact(null),
                false,
                200,
                Guardrail.DEFAULT_TIMEOUT));
  }

  @Test
  void readsNamesOfChecks() {
    assertThat(read("[agent]\nguardrails = [\"card_number\", \"instructions\"]"))
        .containsExactly(Guardrail.known(Known.CARD_NUMBER), Guardrail.known(Known.INSTRUCTIONS));
  }

  @Test
  void readsEveryKindOfCheck() {
    assertThat(
            read(
                """
                [agent]
                model = "openai:x"
                guardrails = [
                  { name = "a", words = ["guarantee"], say = "No." },
                  { name = "b", pattern = "A-[0-9]+", then = "redact", with = "X" },
                  { name = "c", links_outside = ["example.com"], on = "result" },
                  { name = "d", max_length = 500 },
                  { secrets = true },
                  { name = "e", question = "Is this rude?", timeout = "2s", on_error = "block" },
                  { check = "email", then = "ask" },
                ]
                """))
        .containsExactly(
            Guardrail.words("a", "guarantee").block("No."),
            new Guardrail(
                "b",
                Set.of(Place.OUTPUT),
                new Guardrail.Pattern("A-[0-9]+"),
                new Guardrail.Redact("X"),
                false,
                200,
                Guardrail.DEFAULT_TIMEOUT),
            Guardrail.linksOutside("c", "example.com").on(Place.RESULT),
            Guardrail.maxLength("d", 500),
            Guardrail.known(Known.SECRETS),
            Guardrail.question("e", "Is this rude?").timeout(Duration.ofSeconds(2)).blockOnError(),
            Guardrail.known(Known.EMAIL).ask());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "card_numbr"  | agent.guardrails[0] is not a built-in check; did you mean 'card_number'? There are card_number, iban, email, phone_number, secrets, instructions; for words, state { name = '..', words = ['..'] }
          { name = "a" } | agent.guardrails[0] needs one of check, words, pattern, links_outside, max_length, question
          { check = "email", words = ["a"] } | agent.guardrails[0] needs one of check, words, pattern, links_outside, max_length, question, and only one
          { words = ["a"] } | agent.guardrails[0] needs 'name'
          { check = "emails" } | agent.guardrails[0].check must be one of 'card_number', 'iban', 'email', 'phone_number', 'secrets', 'instructions', not 'emails'; did you mean 'email'?
          { name = "a", words = [] } | agent.guardrails[0].words must name at least one word
          { name = "a", question = "Is it?" } | agent.guardrails[0].question needs a model to ask: state agent.model
          { name = "a", links_outside = ["https://example.com/"] } | agent.guardrails[0].links_outside is faulty: links_outside takes hosts, such as example.com, not 'https://example.com/'
          { check = "email", on = [] } | agent.guardrails[0].on must name at least one of input, output, call, result
          { check = "email", on = "output", then = "ask" } | agent.guardrails[0]: only a call can be asked about: on must be call alone
          { check = "email", say = "No." } | agent.guardrails[0].say must be left out: it is said where then = "block"
          { name = "a", words = ["b"], with = "X" } | agent.guardrails[0].with must be left out: it replaces where then = "redact"
          { check = "email", window = 20000 } | agent.guardrails[0].window must be 0 to 10000, not 20000
          "email", "email" | agent.guardrails[1] is named 'email', as another guardrail is
          """)
  void namesWhatIsWrong(String stated, String message) {
    assertThat(new AgentFolder(folder, Map.of()).all("[agent]\nguardrails = [" + stated + "]"))
        .extracting(Fault::message)
        .containsExactly(message);
  }

  @Test
  void namesAPatternThatIsNone() {
    assertThat(
            new AgentFolder(folder, Map.of())
                .all("[agent]\nguardrails = [{ name = \"a\", pattern = \"(\" }]"))
        .extracting(Fault::message)
        .singleElement()
        .asString()
        .startsWith("agent.guardrails[0]: guardrail 'a': not a regular expression of RE2");
  }

  @Test
  void knowsWhichVariablesHoldSecrets() {
    String toml =
        """
        [agent]
        model = { provider = "openai", name = "x", api_key_env = "MINE" }
        [[tools]]
        name = "t"
        webhook_url = "https://example.com/t"
        secret_env = "SIGNING"
        headers = { Authorization = "Bearer ${TICKET}" }
        """;
    assertThat(
            new AgentFolder(folder, Map.of("MINE", "1", "SIGNING", "2", "TICKET", "3"))
                .read(toml)
                .agent()
                .secretNames())
        .contains("MINE", "SIGNING", "TICKET", "OPENAI_API_KEY");
  }
}
