package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.command.LocalCommand;
import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Values that a tool refuses before it sends or changes anything.
class RefusedValueTest {
  private static final String ANY = "{\"type\":\"object\"}";

  private final List<String> asked = new ArrayList<>();

  private ToolResult run(Tool tool, String arguments, ToolRule... rules) {
    ToolExecutor executor = executor(tool, rules);
    return executor.execute(
        ToolCall.of(tool.name(), arguments.replace('\'', '"')), ToolSession.builder("c").build());
  }

  private ToolExecutor executor(Tool tool, ToolRule... rules) {
    return ToolExecutor.builder()
        .tools(tool)
        .rules(rules)
        .approver(request -> {
          asked.add(request.call().name());
          return Answer.approveOnce();
        })
        .build();
  }

  private static Tool picky(ToolMode mode) {
    return Tool.dynamic("pick", ANY)
        .mode(mode)
        .breaker(new BreakerOptions(1, Duration.ofHours(1)))
        .handler(given -> {
          String word = given.tree().path("word").asString("");
          if (word.equals("bad")) {
            throw ToolException.invalid("/word", "It must not be bad.");
          }
          return "took " + word;
        });
  }

  @Test
  void areFaultsOfTheArguments() {
    ToolResult result = run(picky(ToolMode.EXTERNAL), "{'word':'bad'}");
    assertThat(result.code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(result.error())
        .isEqualTo("Invalid arguments for tool 'pick': /word: It must not be bad.");
    assertThat(result.faults())
        .containsExactly(
            new Fault(
                "/word",
                "a value that the tool accepts",
                "one that it refuses: It must not be bad."));
    assertThat(result.text()).contains("\"error\"").doesNotContain("fallback");
    assertThat(result.needsFollowup()).isTrue();
  }

  @Test
  void countForNoRuleAndNoBreaker() {
    ToolExecutor executor =
        executor(
            picky(ToolMode.EXTERNAL),
            ToolRule.maxCalls("pick", 1),
            ToolRule.cooldown("pick", Duration.ofHours(1)));
    ToolSession session = ToolSession.builder("c").build();
    for (int i = 0; i < 6; i++) {
      assertThat(executor.execute(ToolCall.of("pick", "{\"word\":\"bad\"}"), session).code())
          .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    }
    assertThat(executor.execute(ToolCall.of("pick", "{\"word\":\"good\"}"), session).text())
        .isEqualTo("took good");
    assertThat(executor.execute(ToolCall.of("pick", "{\"word\":\"more\"}"), session).code())
        .isEqualTo(ResultCode.RULE_VIOLATION);
  }

  @Test
  void freeTheGroupThatTheirStartClaimed() {
    Tool other = Tool.dynamic("other", ANY).handler(given -> "other");
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(picky(ToolMode.EXTERNAL), other)
            .rules(ToolRule.oneOf("pick", "other"))
            .build();
    ToolSession session = ToolSession.builder("c").build();
    executor.execute(ToolCall.of("pick", "{\"word\":\"bad\"}"), session);
    assertThat(executor.execute(ToolCall.of("other", "{}"), session).text()).isEqualTo("other");
  }

  @Test
  void areFoundBeforeRulesAndConsentWhereTheArgumentsDecide() {
    Tool tool =
        Tool.dynamic("local_pick", ANY)
            .answeredBy(
                new ToolHandler() {
                  @Override
                  public void check(Arguments arguments) {
                    if (arguments.json().tree().has("bad")) {
                      throw ToolException.invalid("/bad", "it must not be there");
                    }
                  }

                  @Override
                  public Object handle(Arguments arguments, ToolContext context) {
                    return "done";
                  }
                });
    assertThat(run(tool, "{'bad':1}", ToolRule.forbidden("local_pick")).code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(run(tool, "{'bad':1}").code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(asked).isEmpty();
    assertThat(run(tool, "{}").text()).isEqualTo("done");
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'id':'..'} | /id | an argument must not be '..' in the URL",
        "{'id':'.'} | /id | an argument must not be '.' in the URL",
        "{'id':''} | /id | 'id' must not be empty: it is a part of the URL",
        "{} | /id | 'id' must not be empty: it is a part of the URL",
        "{'id':'1','trace':'a\\nb'} | /trace | header 'X-Trace' holds characters that no header"
            + " may",
        "{'id':'1','tag':'a\\r\\nb'} | /tag | header 'X-Tag' holds characters that no header may",
        "{'id':'1','tag':'ä'} | /tag | header 'X-Tag' holds characters that no header may",
        "{'id':'1','a~b/c':'\\n'} | /a~0b~1c | header 'X-Odd' holds characters that no header may",
      })
  void ofRequestsHaveTheirPointer(String arguments, String pointer, String why) {
    Tool tool =
        Tool.dynamic("local_get", ANY)
            .mode(ToolMode.LOCAL)
            .answeredBy(
                HttpEndpoint.get("https://api.example.com/orders/{id}")
                    .header("X-Trace", "t {trace}")
                    .parameter("tag", "X-Tag", HttpEndpoint.Style.HEADER, false)
                    .parameter("a~b/c", "X-Odd", HttpEndpoint.Style.HEADER, false)
                    .build());
    assertRefused(run(tool, arguments.strip()), pointer, why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'file':'-o'} | /file | 'file' must not begin with '-': it would be read as an option of"
            + " the program",
        "{'file':'-x','files':[]} | /file | 'file' must not begin with '-'",
        "{'files':['a','--all']} | /files | 'files' must not begin with '-'",
        "{'name':'a\\u0000b'} | /name | an argument must not hold the character NUL",
      })
  void ofProgramsHaveTheirPointer(String arguments, String pointer, String why) {
    Tool tool =
        Tool.dynamic("list", ANY)
            .answeredBy(LocalCommand.of("ls", "{file}", "{files}", "--name={name}"));
    assertRefused(run(tool, arguments.strip()), pointer, why);
    assertRefused(
        run(tool, "{'name':'" + "x".repeat(100_001) + "'}"),
        "/name",
        "an argument must not have more than 100,000 characters");
  }

  private void assertRefused(ToolResult result, String pointer, String why) {
    assertThat(result.code()).as(result.text()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(result.faults())
        .singleElement()
        .satisfies(fault -> {
          assertThat(fault.pointer()).isEqualTo(pointer);
          assertThat(fault.found()).startsWith("one that it refuses: ").contains(why);
        });
    assertThat(asked).isEmpty();
  }

  @Test
  void arePartOfTheCheckOfEditedArguments() {
    Tool tool = Tool.dynamic("list", ANY).answeredBy(LocalCommand.of("ls", "{file}"));
    assertThat(tool.check(Json.text("{\"file\":\"-x\"}")))
        .isInstanceOf(dev.switchboard.check.Checked.Refused.class);
    assertThat(tool.check(Json.text("{\"file\":\"x\"}")))
        .isInstanceOf(dev.switchboard.check.Checked.Accepted.class);
  }
}
