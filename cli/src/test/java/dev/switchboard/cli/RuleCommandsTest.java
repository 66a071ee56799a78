package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.ruling.RuleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `agent add rule`, `agent remove rule`, `agent list rules`.
class RuleCommandsTest {
  private static final String AGENT =
      """
      # Ours.
      [agent]
      name = "MyAgent"   # as the page has it

      [network]
      allow = []
      """;
  @TempDir private Path folder;

  @Test
  void r233SaysWhatItAddedAndWritesItAsTheRuntimeReadsIt() throws IOException {
    Vector vector = Vectors.byId("R233");
    write("MyAgent.toml", AGENT);

    assertThat(run(vector.when()))
        .isEqualTo(new Cli(0, vector.expect().path("stdout").stringValue() + "\n", ""));
    assertThat(read("MyAgent.toml"))
        .isEqualTo(
            """
            # Ours.
            [agent]
            name = "MyAgent"   # as the page has it

            [[agent.tool_rules]]
            tool_name = "send_message"
            rule_type = "ExitLoop"

            [network]
            allow = []
            """);
    assertThat(Cli.run("validate", folder.resolve("MyAgent.toml").toString()).exit()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "agent add rule MyAgent validate requires-preceding -c load_data,check",
        "agent add rule MyAgent validate requires-preceding -c load_data -c check",
        "agent add rule MyAgent validate RequiresPreceding -c 'load_data, check'"
      })
  void r234TakesConditionsInAListAndRepeated(String command) throws IOException {
    Vector vector = Vectors.byId("R234");
    write("MyAgent.toml", AGENT);

    assertThat(vector.when()).contains("-c load_data,check");
    assertThat(run(command).exit()).isZero();
    assertThat(list().json().getFirst().path("conditions"))
        .isEqualTo(vector.expect().path("conditions"));
  }

  @Test
  void r070KeepsTheMillisecondsOfACooldown() throws IOException {
    Vector vector = Vectors.byId("R070");
    write("MyAgent.toml", AGENT);

    String length = vector.given().at("/rules/0/ms").asString();
    run("agent add rule MyAgent validate cooldown -p " + length + "ms");
    assertThat(list().json().getFirst().path("value").stringValue())
        .isEqualTo(vector.expect().at("/ms").asString() + "ms");
  }

  @Test
  void r236RefusesARuleWithoutTheConditionsItNeeds() throws IOException {
    write("MyAgent.toml", AGENT);

    assertThat(run(Vectors.byId("R236").when().replace(" (no -c)", "")))
        .isEqualTo(failure(2, "requires-preceding needs -c, as in -c load_data,check."));
    assertThat(read("MyAgent.toml")).isEqualTo(AGENT);
  }

  @Test
  void doesWhatTheSeedShows() throws IOException {
    write("agents/MyAgent.toml", AGENT);

    run("agent add rule MyAgent send_message exit-loop");
    run("agent add rule MyAgent validate requires-preceding -c load_data --priority 8");
    run("agent add rule MyAgent api_request max-calls -p 5");
    assertThat(run("agent list rules MyAgent").out())
        .isEqualTo(
            """
            TOOL          RULE                PARAMETER  PRIORITY  SCOPE
            send_message  exit-loop                      5         -
            validate      requires-preceding  load_data  8         conversation
            api_request   max-calls           5          5         conversation
            """);
    assertThat(run("agent remove rule MyAgent send_message exit-loop").out())
        .isEqualTo("Removed exit-loop rule for 'send_message' on agent 'MyAgent'\n");
    assertThat(run("agent remove rule MyAgent validate").out())
        .isEqualTo("Removed rule for 'validate' on agent 'MyAgent'\n");
    run("agent remove rule MyAgent api_request");

    assertThat(read("agents/MyAgent.toml")).isEqualTo(AGENT);
    assertThat(run("agent list rules MyAgent").out()).isEqualTo("Agent 'MyAgent' has no rules\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          start-constraint | {"tool_name":"t","rule_type":"StartConstraint","priority":5,"scope":"conversation"}
          child -c a,b                                  | {"tool_name":"t","rule_type":"Child","value":["a","b"],"priority":5,"scope":"turn"}
          child -c a --args '{"a":{"n":1}}'             | {"tool_name":"t","rule_type":"Child","value":{"children":["a"],"args":{"a":{"n":1}}},"priority":5,"scope":"turn"}
          parent -c a                                   | {"tool_name":"t","rule_type":"Parent","value":["a"],"priority":5,"scope":"turn"}
          conditional --map yes=a --map no=b            | {"tool_name":"t","rule_type":"Conditional","value":{"mapping":{"yes":"a","no":"b"}},"priority":5,"scope":"turn"}
          conditional --map 1=a --at /n --default b --require-match | {"tool_name":"t","rule_type":"Conditional","value":{"mapping":{"1":"a"},"at":"/n","default":"b","require_match":true},"priority":5,"scope":"turn"}
          periodic -p 5m                                | {"tool_name":"t","rule_type":"Periodic","value":"300s","priority":5,"scope":"conversation"}
          needed                                        | {"tool_name":"t","rule_type":"Needed","priority":5,"scope":"conversation"}
          start-constraint --no-auto --args '{"a":[1]}' | {"tool_name":"t","rule_type":"StartConstraint","value":{"args":{"a":[1]},"auto":false},"priority":5,"scope":"conversation"}
          requires-preceding -c a,b | {"tool_name":"t","rule_type":"RequiresPreceding","conditions":["a","b"],"priority":5,"scope":"conversation"}
          requires-following -c a | {"tool_name":"t","rule_type":"RequiresFollowing","conditions":["a"],"priority":5,"scope":"conversation"}
          max-calls -p 0 --scope turn | {"tool_name":"t","rule_type":"MaxCalls","value":0,"priority":5,"scope":"turn"}
          cooldown -p 1500ms | {"tool_name":"t","rule_type":"Cooldown","value":"1500ms","priority":5,"scope":"agent"}
          cooldown -p 30 --scope conversation | {"tool_name":"t","rule_type":"Cooldown","value":"30s","priority":5,"scope":"conversation"}
          exclusive-groups -c xml,json -c t,u | {"tool_name":"t","rule_type":"ExclusiveGroups","value":[["json","xml"],["t","u"]],"priority":5,"scope":"conversation"}
          exit-loop --priority 10 | {"tool_name":"t","rule_type":"ExitLoop","priority":10,"scope":"conversation"}
          continue-loop | {"tool_name":"t","rule_type":"ContinueLoop","priority":5,"scope":"conversation"}
          required-before-exit | {"tool_name":"t","rule_type":"RequiredBeforeExit","priority":5,"scope":"conversation"}
          required-before-exit-if -c a | {"tool_name":"t","rule_type":"RequiredBeforeExitIf","conditions":["a"],"priority":5,"scope":"conversation"}
          requires-consent | {"tool_name":"t","rule_type":"RequiresConsent","priority":5,"scope":"conversation"}
          requires-consent -p money --bind amount,to --when '{"required":["amount"],"description":"it\\u0027s"}' | {"tool_name":"t","rule_type":"RequiresConsent","value":{"scope":"money","when":{"required":["amount"],"description":"it's"},"bind":["amount","to"]},"priority":5,"scope":"conversation"}
          forbidden | {"tool_name":"t","rule_type":"Forbidden","priority":5,"scope":"conversation"}
          allowed-operations -c read,append | {"tool_name":"t","rule_type":"AllowedOperations","value":["read","append"],"priority":5,"scope":"conversation"}
          """)
  void everyTypeComesBackAndGoesAwayAgain(String words, String listed) throws IOException {
    String name = words.split(" ", 2)[0];
    for (String text : new String[] {AGENT, AGENT.replace("\n", "\r\n"), AGENT.strip(), ""}) {
      write("MyAgent.toml", text);

      assertThat(run("agent add rule MyAgent t " + words).exit()).isZero();
      assertThat(list().out()).isEqualTo(listed + "\n");
      String added = read("MyAgent.toml");
      assertThat(run("agent add rule MyAgent t " + words))
          .isEqualTo(
              new Cli(0, "Agent 'MyAgent' already has this " + name + " rule for 't'\n", ""));
      assertThat(read("MyAgent.toml")).isEqualTo(added);
      assertThat(run("agent remove rule MyAgent t " + name).exit()).isZero();
      assertThat(read("MyAgent.toml")).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t exit-lop                     | There is no rule type 'exit-lop'; did you mean 'exit-loop'? There are {types}.
          t periodic                     | periodic needs -p, as in -p 30s.
          t periodic -p 0                | -p must be more than 0, and is 0.
          t child                        | child needs -c, as in -c load_data,check.
          t parent -c a --args '{}'      | parent takes no --args.
          t child -c a --args '{"a":1}'  | --args must be a JSON object of arguments by tool.
          t conditional                  | conditional needs --map, as in --map yes=book.
          t conditional --map yes        | --map must be RESULT=TOOL, as in --map yes=book, not 'yes'.
          t needed -c a                  | needed takes no -c.
          t max-calls                    | max-calls needs -p, as in -p 5.
          t max-calls -p -1              | -p must not be negative, and is -1.
          t max-calls -p many            | -p must be a whole number of calls, not 'many'.
          t cooldown                     | cooldown needs -p, as in -p 30s.
          t cooldown -p soon             | -p must be a duration such as "500ms", "30s", "5m" or a number of seconds, not 'soon'.
          t exit-loop -c a               | exit-loop takes no -c.
          t exit-loop -p 1               | exit-loop takes no -p; for a priority, --priority 1.
          t start-constraint -p 10       | start-constraint takes no -p; for a priority, --priority 10.
          t exit-loop -p 11              | exit-loop takes no -p.
          t exit-loop --bind a           | exit-loop takes no --bind.
          t allowed-operations           | allowed-operations needs -c, as in -c read,append.
          t exit-loop --priority 11      | --priority must be 1 to 10, not 11.
          t exit-loop --scope day        | --scope must be one of turn, conversation, agent, not 'day'.
          t requires-consent --when [1]  | --when must be a JSON object.
          t start-constraint --args x    | --args must be a JSON object: is not JSON: the syntax is broken (line 1, column 1).
          """)
  void refusesWhatARuleDoesNotTake(String words, String sentence) throws IOException {
    String types =
        Arrays.stream(RuleKind.values()).map(RuleKind::kebab).collect(Collectors.joining(", "));
    write("MyAgent.toml", AGENT);

    assertThat(run("agent add rule MyAgent " + words))
        .isEqualTo(failure(2, sentence.replace("{types}", types)));
    assertThat(read("MyAgent.toml")).isEqualTo(AGENT);
  }

  @Test
  void refusesARuleThatWouldMakeTheFileWrong() throws IOException {
    write("MyAgent.toml", AGENT);

    Cli cli = run("agent add rule MyAgent pay requires-consent --when '{\"type\":\"objct\"}'");

    assertThat(cli.exit()).isEqualTo(2);
    assertThat(cli.err().replace(folder + "/", ""))
        .isEqualTo(
            "switchboard: MyAgent.toml would have an error:"
                + " agent.tool_rules[0].rule_type.RequiresConsent.when is not a JSON Schema:"
                + " `when['type']` is \"objct\", which is not a type (did you mean 'object'?)\n");
    assertThat(read("MyAgent.toml")).isEqualTo(AGENT);
  }

  @Test
  void addsNothingToAFileThatIsWrongButTakesRulesOutOfIt() throws IOException {
    String wrong = AGENT + "\n[[agent.tool_rules]]\ntool_name = \"t\"\nrule_type = \"Nope\"\n";
    write("MyAgent.toml", wrong);

    assertThat(run("agent add rule MyAgent a exit-loop").err().replace(folder + "/", ""))
        .startsWith(
            "switchboard: MyAgent.toml:10:1: error: there is no rule type 'Nope'; there are"
                + " StartConstraint, ");
    assertThat(read("MyAgent.toml")).isEqualTo(wrong);
    assertThat(run("agent remove rule MyAgent t").exit()).isZero();
    assertThat(read("MyAgent.toml")).isEqualTo(AGENT);

    write("MyAgent.toml", AGENT + "x = ");
    assertThat(run("agent remove rule MyAgent t").exit()).isEqualTo(2);
    assertThat(run("agent list rules MyAgent").exit()).isEqualTo(2);
  }

  @Test
  void refusesARuleForAToolThatTheFileDoesNotHave() throws IOException {
    String file = "[[tools]]\nname = \"check\"\nwebhook_url = \"https://api.example.com/x\"\n";
    write("MyAgent.toml", file);

    Cli cli = run("agent add rule MyAgent chekc exit-loop");

    assertThat(cli.exit()).isEqualTo(2);
    assertThat(cli.err().replace(folder + "/", ""))
        .isEqualTo(
            "switchboard: MyAgent.toml would have an error: ExitLoop is for 'chekc', but no tool"
                + " has that name; did you mean 'check'?\n");
    assertThat(read("MyAgent.toml")).isEqualTo(file);
  }

  @Test
  void whatIsOnlyAWarningIsAddedAndTold() throws IOException {
    String file =
        """
        [[agent.mcp]]
        name = "s"
        command = "x"
        [[tools]]
        name = "check"
        webhook_url = "https://api.example.com/x"
        """;
    write("MyAgent.toml", file);

    Cli cli = run("agent add rule MyAgent s__get_forecast max-calls -p 3");
    assertThat(cli.exit()).isZero();
    assertThat(cli.err()).contains("warning: ", "'s__get_forecast', which only an MCP server");
    assertThat(read("MyAgent.toml")).contains("s__get_forecast");

    assertThat(run("agent add rule MyAgent made_in_java max-calls -p 3").exit()).isZero();
    assertThat(read("MyAgent.toml")).contains("made_in_java");
  }

  @Test
  void takesTheFileInsteadOfTheName() throws IOException {
    write("agents/desk.toml", "[agent]\nname = \"Desk\"\n");

    assertThat(run("agent add rule agents/desk.toml t exit-loop").out())
        .isEqualTo("Added exit-loop rule for 't' on agent 'Desk'\n");
    assertThat(run("agent list rules agents/desk.toml").out())
        .isEqualTo(
            """
            TOOL  RULE       PARAMETER  PRIORITY  SCOPE
            t     exit-loop             5         -
            """);
    assertThat(run("agent remove rule agents/desk.toml t").exit()).isZero();
    assertThat(run("agent list rules none.toml").err()).contains("No agent here is named");
  }

  @Test
  void takesTheFileNameWhereNoAgentHasThatName() throws IOException {
    write("MyAgent.toml", "[agent]\nname = \"DataProcessor\"\n");

    assertThat(run("agent add rule MyAgent a exit-loop").out())
        .isEqualTo("Added exit-loop rule for 'a' on agent 'DataProcessor'\n");
    write("other.toml", "[agent]\nname = \"MyAgent\"\n");
    assertThat(run("agent add rule MyAgent b exit-loop").exit()).isZero();
    assertThat(read("other.toml")).contains("tool_name = \"b\"");
    write("agents/DataProcessor.toml", "[agent]\nname = \"Desk\"\n");
    assertThat(run("agent add rule DataProcessor c exit-loop").exit()).isZero();
    assertThat(read("MyAgent.toml")).contains("tool_name = \"c\"");
  }

  @Test
  void saysThatThereIsNoSuchRule() throws IOException {
    write("MyAgent.toml", AGENT);
    run("agent add rule MyAgent a exit-loop");

    assertThat(run("agent remove rule MyAgent b"))
        .isEqualTo(failure(1, "Agent 'MyAgent' has no rule for 'b'."));
    assertThat(run("agent remove rule MyAgent a max-calls"))
        .isEqualTo(failure(1, "Agent 'MyAgent' has no max-calls rule for 'a'."));
    run("agent add rule MyAgent a max-calls -p 1");
    run("agent add rule MyAgent a max-calls -p 2");
    assertThat(run("agent remove rule MyAgent a max-calls").out())
        .isEqualTo("Removed 2 max-calls rules for 'a' on agent 'MyAgent'\n");
  }

  @Test
  void namesTheCommandsBelow() {
    assertThat(Cli.run("agent").err()).contains("Missing required subcommand");
    assertThat(Cli.run("agent", "add", "rule", "--help").out())
        .contains("exclusive-groups", "Examples:");
    assertThat(Cli.run("completion").out()).contains("required-before-exit-if");
  }

  private Cli list() {
    return run("agent list rules MyAgent --json");
  }

  private Cli run(String command) {
    String[] words =
        Arrays.stream(command.split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map(word -> word.replace("'", ""))
            .toArray(String[]::new);
    return Cli.runIn(folder, words);
  }

  private static Cli failure(int exit, String sentence) {
    return new Cli(exit, "", "switchboard: " + sentence + System.lineSeparator());
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }
}
