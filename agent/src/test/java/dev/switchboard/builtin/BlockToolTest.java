package dev.switchboard.builtin;

import static dev.switchboard.builtin.BuiltIns.block;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class BlockToolTest {
  private final BuiltIns tools = new BuiltIns().with(block("n", "one two"));

  private String text(String label) {
    return tools.memory.block(label).block().value();
  }

  @Test
  void answersWithTheFactsOfTheBlock() {
    assertThat(tools.answer("block", "{'operation':'append','label':'n','content':'😀'}"))
        .hasToString("{\"label\":\"n\",\"version\":2,\"length\":8,\"limit\":5000}");
    assertThat(tools.answer("block", "{'operation':'info','label':'n'}"))
        .hasToString("{\"label\":\"n\",\"version\":2,\"length\":8,\"limit\":5000}");
  }

  @Test
  void replaces() {
    tools.answer("block", "{'operation':'replace','label':'n','old':'one','new':'two'}");
    assertThat(text("n")).isEqualTo("two two");
    assertThat(tools.error("block", "{'operation':'replace','label':'n','old':'two','new':'x'}"))
        .contains("occurs 2 times in block 'n' (line 1)");
    tools.answer("block", "{'operation':'replace','label':'n','old':'two','new':'','all':true}");
    assertThat(text("n")).isEqualTo(" ");
  }

  @Test
  void createsBlocksThatStandInThePrompt() {
    tools.answer(
        "block",
        "{'operation':'create','label':'m','content':'x','description':'d','char_limit':7,"
            + "'permission':'admin'}");
    Block made = tools.memory.block("m").block();

    assertThat(made.inPrompt()).isTrue();
    assertThat(made.permission()).isEqualTo(Permission.ADMIN);
    assertThat(made.charLimit()).isEqualTo(7);
    assertThat(made.description()).isEqualTo("d");
    assertThat(tools.error("block", "{'operation':'create','label':'m'}"))
        .contains("there already");
    assertThat(tools.error("block", "{'operation':'create','label':'a b'}"))
        .contains("A label must be 1 to 64");
  }

  @Test
  void movesBlocksInAndOutOfThePrompt() {
    tools.answer("block", "{'operation':'unpin','label':'n'}");
    assertThat(tools.memory.block("n").block().inPrompt()).isFalse();
    tools.answer("block", "{'operation':'pin','label':'n'}");
    assertThat(tools.memory.block("n").block().inPrompt()).isTrue();
    tools.answer("block", "{'operation':'archive','label':'n'}");
    assertThat(tools.memory.block("n").block().inPrompt()).isFalse();
    tools.with(block("m", ""));
    tools.answer("block", "{'operation':'swap','archive_label':'m','load_label':'n'}");
    assertThat(tools.memory.block("n").block().inPrompt()).isTrue();
    assertThat(tools.memory.block("m").block().inPrompt()).isFalse();
    tools.answer("block", "{'operation':'load','label':'m'}");
    assertThat(tools.memory.block("m").block().inPrompt()).isTrue();
  }

  @Test
  void aRefusedValueIsAFaultWithItsPlace() {
    assertThat(tools.call("block", "{'operation':'append','label':'m','content':'x'}").text())
        .isEqualTo(
            "{\"success\":false,\"needsFollowup\":true,\"error\":\"Invalid arguments for tool"
                + " 'block': /label: Block 'm' was not found. There are:"
                + " 'n'.\",\"code\":\"invalid_arguments\"}");
  }

  @Test
  void saysWhichMemberAnOperationNeeds() {
    assertThat(tools.error("block", "{'operation':'append','label':'n'}"))
        .endsWith("Operation 'append' needs 'content'.");
    assertThat(tools.error("block", "{'operation':'replace','label':'n','old':'one'}"))
        .endsWith("Operation 'replace' needs 'new'.");
    assertThat(tools.error("block", "{'operation':'info'}"))
        .endsWith("Operation 'info' needs 'label'.");
    assertThat(tools.call("block", "{'operation':'erase','label':'n'}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
  }

  @ParameterizedTest
  @EnumSource(
      value = Permission.class,
      names = {"READ_ONLY", "APPEND"})
  void doesNotOverwriteWhatItMayNot(Permission permission) {
    tools.with(block("p", "x").withPermission(permission));

    assertThat(tools.error("block", "{'operation':'replace','label':'p','old':'x','new':'y'}"))
        .isEqualTo(
            "Permission denied: block 'p' has the permission '%s', and 'replace' needs 'read_write'."
                .formatted(permission.word()));
    assertThat(tools.error("block", "{'operation':'archive','label':'p'}"))
        .contains("Permission denied", "'archive' needs 'read_write'");
    assertThat(text("p")).isEqualTo("x");
  }

  @ParameterizedTest
  @EnumSource(
      value = Permission.class,
      names = {"PARTNER", "HUMAN"})
  void asksThePersonWhoseBlockItIs(Permission permission) {
    tools.with(block("p", "x").withPermission(permission));
    List<String> reasons = new ArrayList<>();
    ToolExecutor executor =
        tools
            .executor()
            .approver(request -> {
              reasons.add(request.reason());
              return reasons.size() == 1 ? Answer.deny("not now") : Answer.approveOnce();
            })
            .build();
    String append = "{'operation':'append','label':'p','content':'y'}";

    ToolResult denied = tools.call(executor, "block", append);
    assertThat(denied.code()).isEqualTo(ResultCode.CONSENT_DENIED);
    assertThat(denied.text()).contains("not now");
    assertThat(text("p")).isEqualTo("x");
    assertThat(tools.call(executor, "block", append).success()).isTrue();
    assertThat(text("p")).isEqualTo("xy");
    assertThat(tools.call(executor, "block", "{'operation':'info','label':'p'}").success())
        .isTrue();
    assertThat(reasons)
        .containsOnly(
            "Block 'p' is changed only if the %s agrees."
                .formatted(permission == Permission.PARTNER ? "partner" : "person"))
        .hasSize(2);
    assertThat(tools.call("block", append).code()).isEqualTo(ResultCode.NO_APPROVER);
  }

  @Test
  void asksBeforeItMovesABlockOfAnother() {
    tools.with(Block.of("b", "plan", Block.Kind.WORKING).withValue("x"));
    tools.store.share(new MemoryStore.Share("b", "plan", "a", Permission.HUMAN));

    assertThat(tools.call("block", "{'operation':'pin','label':'plan'}").code())
        .isEqualTo(ResultCode.NO_APPROVER);
    assertThat(tools.call("block", "{'operation':'pin','label':'n'}").success()).isTrue();
  }

  @Test
  void allowedOperationsNarrowItsSchema() {
    ToolExecutor executor =
        tools.executor().rules(ToolRule.allowedOperations("block", "append", "info")).build();

    assertThat(
            executor.rules(tools.session).offer().tools().stream()
                .filter(tool -> tool.name().equals("block"))
                .map(tool -> tool.parameters().tree().at("/properties/operation/enum").toString()))
        .containsExactly("[\"append\",\"info\"]");
    assertThat(tools.call(executor, "block", "{'operation':'unpin','label':'n'}").code())
        .isEqualTo(ResultCode.RULE_VIOLATION);
    assertThat(tools.call(executor, "block", "{'operation':'info','label':'n'}").success())
        .isTrue();
  }

  @Test
  void aLimitBeyondAllIsRefused() {
    ToolResult result =
        tools.call(
            "block", "{'operation':'create','label':'n','char_limit':" + 10_000_000_000L + "}");
    assertThat(result.json().text()).contains("invalid_arguments", "/char_limit");
  }

  @Test
  void readsABlockWhereverItStands() {
    tools.with(block("two", "line 1\nline 2").withPermission(Permission.READ_ONLY));
    JsonNode read = tools.answer("block", "{'operation':'read','label':'two'}");
    assertThat(read.propertyNames())
        .containsExactly("label", "version", "length", "limit", "value");
    assertThat(read.path("value").stringValue()).isEqualTo("line 1\nline 2");

    tools.with(block("old", "4711").withKind(Block.Kind.ARCHIVAL).withPinned(false));
    assertThat(tools.answer("block", "{'operation':'read','label':'old'}").path("value").asString())
        .isEqualTo("4711");
    assertThat(tools.answer("block", "{'operation':'info','label':'old'}").has("value")).isFalse();
  }
}
