package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultsOfAFileTest {
  @TempDir private Path folder;

  @Test
  void syntaxFaultsStandAlone() {
    assertThat(faults("[agent]\nnam = 1\nx = \n[[tools]\n"))
        .hasSize(2)
        .satisfies(all -> assertThat(all.get(0)).startsWith("agent.toml:3:5: error: "))
        .satisfies(all -> assertThat(all.get(1)).startsWith("agent.toml:4:8: error: "));
    assertThat(folder().all("x = "))
        .extracting(ConfigException.Fault::kind)
        .containsOnly(FaultClass.SYNTAX);
  }

  @Test
  void aFileThatIsNotTomlNamesItsFirstFaults() {
    List<String> faults = faults("[agent]\nm = \"a" + "he\"\n".repeat(5_000));

    assertThat(faults).hasSize(21);
    assertThat(faults.getLast())
        .isEqualTo("agent.toml: error: further faults are not listed; correct these first");
  }

  @Test
  void aMisspeltToolIsAnErrorUnlessToolsAreMadeInJava() {
    String tools =
        """

        [[tools]]
        name = "check_slots"
        webhook_url = "https://api.example.com/x"
        """;

    assertThat(faults("agent = { tools = [\"check_slot\"] }" + tools))
        .containsExactly(
            "agent.toml:1:20: error: agent.tools names 'check_slot', which no tool has;"
                + " did you mean 'check_slots'?");
    assertThat(
            faults(
                """
                [[agent.tool_rules]]
                tool_name = "check_slots"
                rule_type = { RequiresPreceding = ["check_slotz"] }
                """
                    + tools))
        .containsExactly(
            "agent.toml:3:1: error: RequiresPreceding of 'check_slots' names 'check_slotz', but no"
                + " tool has that name; did you mean 'check_slots'?");
    assertThat(faults("agent = { tools = [\"check_slot\", \"made_in_java\"] }" + tools))
        .hasSize(2)
        .allMatch(fault -> fault.contains(": warning: "));
  }

  @Test
  void aPlaceholderThatNoVariableFillsIsAWarning() {
    assertThat(
            faults(
                """
                [agent]
                system_prompt = "Today is {tody}, {caller} calls. Answer {\\"a\\": 1}."
                first_message = "Hi {name}!"
                variables = { today = "Monday" }
                """))
        .containsExactly(
            "agent.toml:2:1: warning: agent.system_prompt has {tody}, which is not in"
                + " agent.variables: it stays as it is, unless the host of the conversation states"
                + " it; did you mean 'today'?",
            "agent.toml:3:1: warning: agent.first_message has {name}, which is not in"
                + " agent.variables: it stays as it is, unless the host of the conversation states"
                + " it");
  }

  @Test
  void anUnknownFormatIsAWarning() {
    String tool =
        """
        [[tools]]
        name = "check"
        webhook_url = "https://api.example.com/x"
        parameters = { type = "object", properties = { d = { type = "string", format = "%s" } } }
        """;

    assertThat(faults(tool.formatted("datetime")))
        .containsExactly(
            "agent.toml:4:71: warning: tool 'check': `parameters.properties.d['format']` is"
                + " \"datetime\", which is not a known format, so it is not checked (did you mean"
                + " 'date-time'?); checked are date, time, date-time, duration, email, uri, uuid,"
                + " ipv4, ipv6.");
    assertThat(faults(tool.formatted("hostname"))).isEmpty();
    assertThat(faults(tool.formatted("date"))).isEmpty();
  }

  @Test
  void infinityIsNotANumber() {
    assertThat(faults("[[tools]]\ntimeout = inf"))
        .containsExactly("agent.toml:2:1: error: inf and nan are not numbers here");
  }

  @Test
  void gathersAllFaultsInTheOrderOfTheFile() {
    assertThat(
            faults(
                """
                [agent]
                nmae = "x"
                limits = { iterations = 0 }

                [[tools]]
                webhook_ulr = "https://api.example.com/x"
                timeout = "10 parsecs"

                [[tools]]
                name = "end_call"
                webhook_url = "http://169.254.169.254/latest"
                strict = "yes"

                [extra]
                """))
        .containsExactly(
            "agent.toml:2:1: error: unknown key 'nmae' in agent; did you mean 'name'?",
            "agent.toml:3:12: error: agent.limits.iterations must be 1 to 1000, not 0",
            "agent.toml:5:1: error: tools[0] requires a 'name'",
            "agent.toml:5:1: error: tools[0] requires either 'webhook_url' or 'handler'; a tool"
                + " made in Java has no entry here, only its name in agent.tools; 'http', 'command'"
                + " and 'wasm' answer too",
            "agent.toml:6:1: error: unknown key 'webhook_ulr' in tools[0];"
                + " did you mean 'webhook_url'?",
            "agent.toml:7:1: error: tools[0].timeout must be a duration such as \"500ms\","
                + " \"30s\", \"5m\" or a number of seconds, not \"10 parsecs\"",
            "agent.toml:10:1: error: 'end_call' is a reserved name",
            "agent.toml:11:1: error: tool 'end_call': webhook_url is blocked: 169.254.169.254 is"
                + " link-local (169.254.0.0/16); if you trust this service, write allow ="
                + " [\"169.254.169.254:80\"] below [network]",
            "agent.toml:12:1: error: tools[1].strict must be true or false, not a string",
            "agent.toml:14:1: error: unknown key 'extra'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          mode = "wirte"                  | BAD_VALUE  | tools[0].mode must be one of 'read', 'safe_write', 'destructive', 'local', 'external', not 'wirte'
          mode = 4                        | WRONG_TYPE | tools[0].mode must be a string, not an integer
          description = 2026-01-01        | WRONG_TYPE | tools[0].description must be a string, not a date or time
          confirm = 2026-01-01T10:00:00Z  | WRONG_TYPE | tools[0].confirm must be a string, not a date or time
          timeout = 00:00:30              | WRONG_TYPE | tools[0].timeout must be a duration such as "500ms", "30s", "5m" or a number of seconds, not a date or time
          parameters = 2026-01-01         | TOOL_SCHEMA | tool 'good': `parameters` must be a JSON Schema of type 'object'.
          examples = [10:00:00]           | BAD_VALUE  | tools[0].examples[0] must be a table of arguments, or its JSON text
          timeout = 0                     | BAD_VALUE  | tools[0].timeout must be more than 0
          deadline = true                 | WRONG_TYPE | tools[0].deadline must be a duration such as "500ms", "30s", "5m" or a number of seconds, not a boolean
          deadline = -1                   | BAD_VALUE  | tools[0].deadline must be a duration such as "500ms", "30s", "5m" or a number of seconds, not -1
          retry = 3                       | WRONG_TYPE | tools[0].retry must be a table, not an integer
          retry = { max_retry = 3 }       | UNKNOWN_KEY | unknown key 'max_retry' in tools[0].retry; did you mean 'max_retries'?
          retry = { max_retries = 101 }   | BAD_VALUE  | tools[0].retry.max_retries must be 0 to 100, not 101
          retry = { on = "transeint" }    | BAD_VALUE  | tools[0].retry.on must be one of 'any', 'transient', not 'transeint'; did you mean 'transient'?
          breaker = { cooldown_s = 60.0 } | UNKNOWN_KEY | unknown key 'cooldown_s' in tools[0].breaker; did you mean 'cooldown'?
          breaker = { failure_threshold = -1 } | BAD_VALUE | tools[0].breaker.failure_threshold must be at least 0, not -1
          repeat_limit = 99999999999      | BAD_VALUE  | tools[0].repeat_limit must be at most 2147483647, not 99999999999
          reassurance = { message = "x", after_ms = 2147483648 } | BAD_VALUE | tools[0].reassurance.after_ms must be at most 2147483647, not 2147483648
          result_limit = 2.0              | WRONG_TYPE | tools[0].result_limit must be an integer, not 2.0
          response_limit = 0              | BAD_VALUE  | tools[0].response_limit must be at least 1, not 0
          result_limit = 1.5              | WRONG_TYPE | tools[0].result_limit must be an integer, not 1.5
          reassurance = ""                | BAD_VALUE  | tools[0].reassurance must not be empty
          reassurance = { after_ms = 1 }  | BAD_VALUE  | tools[0].reassurance needs 'message'
          reassurance = ["x"]             | WRONG_TYPE | tools[0].reassurance must be a string or a table, not a list
          examples = [1]                  | BAD_VALUE  | tools[0].examples[0] must be a table of arguments, or its JSON text
          headers = { "a b" = "x" }       | BAD_VALUE  | tools[0].headers.a b cannot be sent: 'a b' is not the name of an HTTP header
          headers = { a = "x\\ny" }       | BAD_VALUE  | tools[0].headers.a cannot be sent: header 'a' holds characters that no header may
          headers = { "Content-Type" = "text/plain" } | BAD_VALUE | tools[0].headers.Content-Type cannot be sent: header 'Content-Type' is made for each request and cannot be set
          headers = { webhook-id = "x" }  | BAD_VALUE  | tools[0].headers.webhook-id cannot be sent: header 'webhook-id' is made for each request and cannot be set
          headers = { Idempotency-Key = "x" } | BAD_VALUE | tools[0].headers.Idempotency-Key cannot be sent: header 'Idempotency-Key' is made for each request and cannot be set
          headers = { Host = "x" }        | BAD_VALUE  | tools[0].headers.Host cannot be sent: header 'Host' is made by the client
          headers = { a = "${" }          | BAD_VALUE  | tools[0].headers.a has a '${' that no variable's name and '}' follow
          headers = { a = "${NOT_SET}" }  | BAD_VALUE  | tools[0].headers.a names the environment variable 'NOT_SET', which is not set
          secret_env = "NOT_SET"          | BAD_VALUE  | tools[0].secret_env names the environment variable 'NOT_SET', which is not set
          secret_env = "BROKEN"           | BAD_VALUE  | tools[0].secret_env names 'BROKEN': what follows 'whsec_' in a secret must be base64
          parameters_file = "none.json"   | BAD_VALUE  | tools[0].parameters_file names 'none.json', which does not exist
          webhookUrl = "https://x.com"    | UNKNOWN_KEY | unknown key 'webhookUrl' in tools[0]; did you mean 'webhook_url'?
          handler = "code"                | TOOL_DEFINITION | tools[0] has both 'webhook_url' and 'handler'
          result_limit = 99               | RESULT_LIMIT_SMALL | tools[0].result_limit is 99 characters: the model hardly reads a sentence
          repeat_limit = -1               | BAD_VALUE  | tools[0].repeat_limit must be at least 0, not -1
          parameters = { type = "object", requird = ["a"] } | TOOL_SCHEMA | tool 'good': `parameters` has 'requird', which JSON Schema ignores (did you mean 'required'?).
          operation_key = " "             | BAD_VALUE  | tools[0].operation_key must not be empty
          """)
  void namesTheKeyOfATool(String line, FaultClass kind, String message) {
    AgentFolder agent = new AgentFolder(folder, Map.of("BROKEN", "whsec_?"));

    assertThat(agent.all(AgentFolder.GOOD_TOOL + line))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.message()).isEqualTo(message),
            fault -> assertThat(fault.kind()).isEqualTo(kind),
            fault -> assertThat(fault.line()).isEqualTo(4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          model = "gpt"                  | BAD_VALUE   | agent.model must be provider:name, such as "openai:gpt-6-luna"
          model = { provider = "openai" } | BAD_VALUE  | agent.model needs 'name'
          model = { provider = "openai", name = "x", temperature = 3 } | BAD_VALUE | agent.model.temperature must be 0 to 2, not 3
          model = { provider = "openai", name = "x", temperature = "0" } | WRONG_TYPE | agent.model.temperature must be a number, not a string
          model = { provider = "openai", name = "x", max_tokens = 0 } | BAD_VALUE | agent.model.max_tokens must be at least 1, not 0
          model = { provider = "openai", name = "x", base_url = "file:/x" } | BAD_VALUE | agent.model.base_url must be an http or https URL
          limits = { model_timeout = "30" } | BAD_VALUE | agent.limits.model_timeout must be a duration such as "500ms", "30s", "5m" or a number of seconds, not "30"
          limits = { consent_timeout = 0 } | BAD_VALUE | agent.limits.consent_timeout must be more than 0
          pending = "ask"                | BAD_VALUE   | agent.pending must be one of 'refuse', 'deny', not 'ask'
          name = 2026-01-01              | WRONG_TYPE  | agent.name must be a string, not a date or time
          model = 10:00:00               | WRONG_TYPE  | agent.model must be a table, not a date or time
          variables = { a = 2026-01-01 } | WRONG_TYPE  | agent.variables.a must be a string, a number or a boolean, not a date or time
          variables = { "bad name" = "x" } | BAD_VALUE | agent.variables.bad name must have a name of 1 to 64 letters, digits, '_', '.' and '-' that begins with a letter or '_'
          variables = { constructor = "x" } | BAD_VALUE | agent.variables.constructor has a reserved name
          variables = { a = [1] }        | WRONG_TYPE  | agent.variables.a must be a string, a number or a boolean, not a list
          expose_errors = 1              | WRONG_TYPE  | agent.expose_errors must be true or false, not an integer
          defaults = { timeout = 1 }     | UNKNOWN_KEY | unknown key 'timeout' in agent.defaults
          defaults = { retry = { base = -1 } } | BAD_VALUE | agent.defaults.retry.base must be a duration such as "500ms", "30s", "5m" or a number of seconds, not -1
          tools = ["good", "good"]       | BAD_VALUE   | agent.tools[1] names 'good' a second time
          tools = "good"                 | WRONG_TYPE  | agent.tools must be a list, not a string
          memory = { g = { kind = "big" } } | BAD_VALUE | agent.memory.g.kind must be one of 'core', 'working', 'archival', 'log', not 'big'
          memory = { g = { permission = "me" } } | BAD_VALUE | agent.memory.g.permission must be one of 'read_only', 'partner', 'human', 'append', 'read_write', 'admin', not 'me'
          memory = { g = { char_limit = 0 } } | BAD_VALUE | agent.memory.g.char_limit must be 1 to 1000000, not 0
          memory = { g = { char_limit = 2, content = "abc" } } | BAD_VALUE | agent.memory.g holds 3 characters, and its limit is 2
          memory = { g = { text = "abc" } } | UNKNOWN_KEY | unknown key 'text' in agent.memory.g
          memory = { "a b" = { } }       | BAD_VALUE   | agent.memory.a b: a label must be 1 to 64 letters, digits, underscores, hyphens or dots
          memory = { g = 1 }             | WRONG_TYPE  | agent.memory.g must be a table, not an integer
          memory = 1                     | WRONG_TYPE  | agent.memory must be a table, not an integer
          """)
  void namesTheKeyOfTheAgent(String line, FaultClass kind, String message) {
    assertThat(folder().all("[agent]\n" + line + "\n" + AgentFolder.GOOD_TOOL))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.message()).isEqualTo(message),
            fault -> assertThat(fault.kind()).isEqualTo(kind),
            fault -> assertThat(fault.severity()).isEqualTo(Severity.ERROR),
            fault -> assertThat(fault.line()).isEqualTo(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [agent]/prompt = "x"            | unknown key 'prompt' in agent; did you mean 'system_prompt'?
          [agent]/temperature = 0.2       | unknown key 'temperature' in agent; it belongs to agent.model: put it into the table of 'model'
          [agent]/max_tokens = 200        | unknown key 'max_tokens' in agent; it belongs to agent.model: put it into the table of 'model'
          [agent]/instructions = "x"      | unknown key 'instructions' in agent; did you mean 'system_prompt'?
          [agent]/model = { provider = "openai", name = "x", url = "y" } | unknown key 'url' in agent.model; did you mean 'base_url'?
          [agent]/model = { provider = "openai", name = "x", env = "y" } | unknown key 'env' in agent.model; did you mean 'api_key_env'?
          [agent]/TOOL/url = "x"          | unknown key 'url' in tools[0]; did you mean 'webhook_url'?
          [agent]/TOOL/endpoint = "x"     | unknown key 'endpoint' in tools[0]; did you mean 'webhook_url'?
          [agent]/TOOL/env = "x"          | tools[0].env is for a command; a webhook's secret is named by 'secret_env'
          [agent]/TOOL/secret = "x"       | unknown key 'secret' in tools[0]; did you mean 'secret_env'?
          [agent]/TOOL/path = "x"         | unknown key 'path' in tools[0]; did you mean 'parameters_file'?
          [storage]/url = "sqlite:x"/path = "x" | unknown key 'path' in storage; did you mean 'url'?
          [agent]/TOOL/system_prompt = "x" | unknown key 'system_prompt' in tools[0]; it belongs to [agent]: put it above the first [[tools]]
          [agent]/TOOL/prompt = "x"       | unknown key 'prompt' in tools[0]; it belongs to [agent] as 'system_prompt': put it above the first [[tools]]
          [network]/allow = []/model = "x" | unknown key 'model' in network; it belongs to [agent]: put it above [network]
          system_prompt = "x"             | unknown key 'system_prompt'; it belongs to [agent]: put it below that line
          """)
  void aKeyThatIsCalledOtherwiseOrStandsElsewhereIsAskedAbout(String lines, String message) {
    String toml = lines.replace("/", "\n").replace("TOOL\n", AgentFolder.GOOD_TOOL);

    assertThat(folder().all(toml))
        .extracting(ConfigException.Fault::message)
        .containsExactly(message);
  }

  @Test
  void aVariableInTheUrlOfAWebhookIsSaidToBeForHeadersOnly() {
    assertThat(faults(AgentFolder.GOOD_TOOL.replace("https://api.example.com", "${BASE}")))
        .containsExactly(
            "agent.toml:3:1: error: tools[0].webhook_url holds '${': variables are filled in only"
                + " in headers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://localhost:8080/x  | if you trust this service, write allow = ["localhost:8080"] below [network]
          https://10.0.0.7/x       | if you trust this service, write allow = ["10.0.0.7:443"] below [network]
          http://[::1]/x           | if you trust this service, write allow = ["[::1]:80"] below [network]
          http://0x7f.1:9/x        | if you trust this service, write allow = ["127.0.0.1:9"] below [network]
          """)
  void whatWouldAllowABlockedUrlIsThereToPaste(String url, String remedy) {
    String toml = AgentFolder.GOOD_TOOL.replace("https://api.example.com/good", url);

    assertThat(faults(toml)).singleElement().asString().endsWith("; " + remedy);
    assertThat(faults(toml + "[network]\nallow = [\"10.0.0.8:80\"]"))
        .singleElement()
        .asString()
        .matches(".*; if you trust this service, add \".*\" to network.allow");
    String line = remedy.replaceAll(".*(allow = .*]) below.*", "$1");
    assertThat(faults(toml + "[network]\n" + line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://me@10.0.0.7/x | the URL holds user info
          ftp://10.0.0.7/x     | only http and https URLs are opened
          /orders              | only http and https URLs are opened
          http:/orders         | the URL has no host
          http://10.0.0.7/a b  | the URL holds a space or a control character
          """)
  void whatNothingAllowsHasNoRemedy(String url, String reason) {
    assertThat(faults(AgentFolder.GOOD_TOOL.replace("https://api.example.com/good", url)))
        .containsExactly("agent.toml:3:1: error: tool 'good': webhook_url is blocked: " + reason);
  }

  @Test
  void fieldsWithoutASchemaAroundThemAreShownIt() {
    String parameters = "parameters = { id = { type = \"string\" } }";

    assertThat(faults(AgentFolder.GOOD_TOOL + parameters))
        .containsExactly(
            "agent.toml:4:1: error: tool 'good': `parameters` must be a JSON Schema of type"
                + " 'object'. Write { type = \"object\", properties = { .. } } around the fields.");
    assertThat(faults(AgentFolder.GOOD_TOOL + "parameters = { type = \"string\" }"))
        .singleElement()
        .asString()
        .endsWith("of type 'object'.");
  }

  @Test
  void aNameThatNoFileCanHaveIsAFault() {
    assertThat(faults(AgentFolder.GOOD_TOOL + "parameters_file = \"a\\u0000b\""))
        .containsExactly(
            "agent.toml:4:1: error: tools[0].parameters_file cannot be the name of a file");
  }

  @Test
  void aFileThatSaysNothingIsWarnedOf() {
    String warning =
        "agent.toml:1:1: warning: the file says nothing: an agent has a table [agent] with its"
            + " model and its tools";

    assertThat(faults("")).containsExactly(warning);
    assertThat(faults("# later\n")).containsExactly(warning);
    assertThat(faults("[agent]")).isEmpty();
  }

  @Test
  void aDateInsideAJsonValueIsItsText() {
    String day =
        "{ type = \"object\", properties = { day = { type = \"string\", default = 2026-01-01 } } }";

    assertThat(folder().read(AgentFolder.GOOD_TOOL + "parameters = " + day).tools())
        .singleElement()
        .extracting(tool -> tool.definition().parameters().text())
        .asString()
        .contains("\"default\":\"2026-01-01\"");
  }

  @Test
  void toolsMustBeAList() {
    assertThat(faults("tools = \"x\""))
        .containsExactly("agent.toml:1:1: error: tools must be a list, not a string");
    assertThat(faults("[tools]\nname = \"x\""))
        .containsExactly("agent.toml:1:1: error: tools must be a list, not a table");
  }

  @Test
  void aHandlerStandsInNoFile() {
    assertThat(faults("[[tools]]\nname = \"x\"\nhandler = \"code\""))
        .containsExactly(
            "agent.toml:3:1: error: tools[0] has a 'handler', which a file cannot hold; register"
                + " it in Java");
  }

  @Test
  void aTrustedInnerServiceIsNotBlocked() {
    String tool = AgentFolder.GOOD_TOOL.replace("https://api.example.com", "http://127.0.0.1:9001");

    assertThat(faults(tool)).hasSize(1);
    assertThat(faults(tool + "[network]\nallow = [\"127.0.0.1:9001\"]")).isEmpty();
    assertThat(faults(tool + "[network]\nallow = [\"127.0.0.1\"]"))
        .contains(
            "agent.toml:5:10: error: network.allow[0] must be host:port, such as"
                + " \"127.0.0.1:9001\", not '127.0.0.1'");
  }

  @Test
  void storageIsAFile() {
    assertThat(faults("[storage]\nurl = \"sqlite:x.db\"")).isEmpty();
    assertThat(faults("[storage]"))
        .containsExactly(
            "agent.toml:1:1: error: storage needs a 'url', such as \"sqlite:agent.db\"");
    assertThat(faults("[storage]\nurl = \"mysql:x\""))
        .containsExactly(
            "agent.toml:2:1: error: storage.url must be \"sqlite:\" and a file, such as"
                + " \"sqlite:agent.db\", not 'mysql:x'");
    assertThat(faults("[storage]\nurl = \"postgresql://localhost/x\"")).isEmpty();
    assertThat(faults("[storage]\nurl = \"postgresql://me:secret@localhost\""))
        .containsExactly(
            "agent.toml:2:1: error: storage.url must name a host and a database, such as"
                + " \"postgresql://user:password@host:5432/name\"");
  }

  @Test
  void aFileThatCannotBeReadIsOneFaultWithoutALine() {
    Path missing = folder.resolve("none.toml");

    assertThat(faultsOf(missing)).containsExactly(missing + ": error: the file does not exist");
    assertThat(faultsOf(folder))
        .containsExactly(folder + ": error: the file is a directory, not a file");
  }

  @Test
  void textThatIsNotUtf8IsASyntaxFaultWhereItEnds() throws IOException {
    Path file = Files.write(folder.resolve("agent.toml"), new byte[] {'a', '=', '\n', 'b', -1});

    assertThat(faultsOf(file)).containsExactly(file + ":2:2: error: the file is not UTF-8 text");
  }

  @Test
  void secretsShowInNoFault() {
    AgentFolder agent = new AgentFolder(folder, Map.of("KEY", "hidden\n", "SIGN", "whsec_hidden?"));
    String toml = AgentFolder.GOOD_TOOL + "headers = { a = \"${KEY}\" }\nsecret_env = \"SIGN\"\n";

    assertThat(agent.faults(toml)).hasSize(2).noneMatch(fault -> fault.contains("hidden"));
  }

  @Test
  void tellsAFaultInALineAlsoWhereTheValueHasSeveral() {
    assertThat(faults("\"a\\nb\" = 1")).containsExactly("agent.toml:1:1: error: unknown key 'a b'");
  }

  @Test
  void writesAFaultAsAnObject() {
    assertThat(
            new ConfigException.Fault("a.toml", 3, 1, Severity.WARNING, FaultClass.NOT_YET, "no")
                .json())
        .hasToString(
            "{\"file\":\"a.toml\",\"line\":3,\"column\":1,\"severity\":\"warning\","
                + "\"class\":\"NOT_YET\",\"message\":\"no\"}");
  }

  private static List<String> faultsOf(Path file) {
    try {
      return AgentFile.read(file).tools().stream().map(Tool::name).toList();
    } catch (ConfigException e) {
      return e.faults().stream().map(ConfigException.Fault::toString).toList();
    }
  }

  private List<String> faults(String toml) {
    return folder().faults(toml);
  }

  private AgentFolder folder() {
    return new AgentFolder(folder);
  }

  @Test
  void anAuditLogThatCannotBeWrittenIsAnError() throws IOException {
    Path unused = Files.createDirectory(folder.resolve("logs"));

    assertThat(faults("[audit]\nfile = \"logs/audit.jsonl\"")).isEmpty();
    assertThat(faults("[audit]"))
        .containsExactly("agent.toml:1:1: error: audit needs a 'file', such as \"audit.jsonl\"");
    assertThat(faults("[audit]\nfile = \"none/audit.jsonl\""))
        .singleElement()
        .asString()
        .startsWith("agent.toml:2:1: error: audit.file cannot be written: there is no folder '");
    assertThat(faults("[audit]\nfile = \"logs\""))
        .singleElement()
        .asString()
        .contains("cannot be written", "is a folder");
    assertThat(faults("[audit]\nfile = 7"))
        .containsExactly("agent.toml:2:1: error: audit.file must be a string, not an integer");
  }
}
