package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What the model reads of a call whose arguments a person has changed.
class EditedCallTest {
  private final AtomicInteger ran = new AtomicInteger();

  private ToolResult approvedWith(String arguments) {
    Tool file =
        Tool.dynamic("file", "{\"type\":\"object\",\"properties\":{\"op\":{\"type\":\"string\"}}}")
            .handler(given -> {
              ran.incrementAndGet();
              if (given.text().contains("fail")) {
                throw ToolException.permanent("no such file");
              }
              return "done";
            });
    try (ToolExecutor executor =
        ToolExecutor.builder()
            .tools(file)
            .rules(ToolRule.consent("file"), ToolRule.allowedOperations("file", "read", "fail"))
            .approver(request -> Answer.approveOnce().with(Json.text(arguments)))
            .build()) {
      ToolCall call = ToolCall.of("c", "file", "{\"op\":\"read\"}");
      return executor.execute(call, ToolSession.of("edited"));
    }
  }

  @Test
  void aSuccessTellsWithWhichArgumentsItRan() {
    assertThat(approvedWith("{\"op\":\"read\",\"n\":1}").text())
        .isEqualTo(
            "done\n(A person has changed the arguments: it ran with {\"op\":\"read\",\"n\":1}.)");
    assertThat(approvedWith("{\"op\":\"read\"}").text()).isEqualTo("done");
  }

  @Test
  void aFailureStaysAnObject() {
    ToolResult failed = approvedWith("{\"op\":\"fail\"}");
    Json text = Json.text(String.valueOf(failed.text()));
    assertThat(text.tree().path("error").asString()).contains("no such file");
    assertThat(text.tree().path("note").asString())
        .isEqualTo("A person has changed the arguments: it ran with {\"op\":\"fail\"}.");
    assertThat(ran).hasValue(1);
  }

  @Test
  void whatIsRefusedIsNotSaidToHaveRun() {
    for (String arguments : new String[] {"{\"op\":\"delete\"}", "{\"op\":4}"}) {
      ToolResult refused = approvedWith(arguments);
      assertThat(refused.code()).isIn(ResultCode.RULE_VIOLATION, ResultCode.INVALID_ARGUMENTS);
      assertThat(Json.text(String.valueOf(refused.text())).tree().path("note").asString())
          .isEqualTo(
              "A person has changed the arguments to " + arguments + ", and it did not run.");
    }
    assertThat(ran).hasValue(0);
  }
}
