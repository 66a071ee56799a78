package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Services;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When a person is asked about a change of a block: where it would succeed, and where the memory
/// cannot say.
class BlockConsentTest {
  private final InProcessMemory durable = new InProcessMemory();
  private final AtomicInteger failures = new AtomicInteger();

  /// The memory, of which the next reads of a block fail.
  private MemoryStore shaky() {
    return (MemoryStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("block") && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("busy");
              }
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              try {
                return method.invoke(durable, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private ToolResult append(String label) {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(BuiltInTools.of(List.of("block")))
            .services(Services.of("a", shaky(), Time.SYSTEM))
            .build();
    return executor.execute(
        ToolCall.of(
            "block",
            "{\"operation\":\"append\",\"label\":\"%s\",\"content\":\"x\"}".formatted(label)));
  }

  @Test
  void aFailureOfTheMemoryIsNotConsent() {
    Memory.begin(
        durable, List.of(Block.of("a", "mine", Block.Kind.CORE).withPermission(Permission.HUMAN)));
    failures.set(1);

    ToolResult result = append("mine");

    assertThat(durable.block("a", "mine")).extracting(Block::value).isEqualTo("");
    assertThat(result.json().text()).contains("no_approver");
  }

  private final BuiltIns tools =
      new BuiltIns()
          .with(
              BuiltIns.block("mine", "one").withCharLimit(5).withPermission(Permission.HUMAN),
              BuiltIns.block("core", "").withKind(Block.Kind.CORE).withPermission(Permission.HUMAN),
              BuiltIns.block("free", ""));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'operation':'append','label':'mine'}",
        "{'operation':'append','label':'mine','content':''}",
        "{'operation':'append','label':'mine','content':'two'}",
        "{'operation':'replace','label':'mine','old':'one'}",
        "{'operation':'replace','label':'mine','old':'two','new':'x'}",
        "{'operation':'replace','label':'mine','old':'one','new':'longer'}",
        "{'operation':'archive','label':'core'}",
        "{'operation':'swap','archive_label':'mine'}",
        "{'operation':'swap','archive_label':'mine','load_label':'none'}",
      })
  void aCallThatCannotSucceedAsksNoOne(String arguments) {
    assertThat(tools.call("block", arguments).code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(tools.memory.block("mine").block().version()).isEqualTo(1);
  }

  @Test
  void aCallThatIsNotAllowedAsksNoOne() {
    tools.with(Block.of("b", "read", Block.Kind.WORKING));
    tools.store.share(new MemoryStore.Share("b", "read", "a", Permission.READ_ONLY));
    String swap = "{'operation':'swap','archive_label':'mine','load_label':'read'}";
    assertThat(tools.call("block", swap).code()).isEqualTo(ResultCode.FAILED);
    assertThat(tools.memory.block("mine").block().version()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'operation':'append','label':'mine','content':'s'}",
        "{'operation':'replace','label':'mine','old':'one','new':'two'}",
        "{'operation':'archive','label':'mine'}",
        "{'operation':'swap','archive_label':'mine','load_label':'free'}",
        "{'operation':'append','label':'theirs','content':'s'}",
        "{'operation':'pin','label':'theirs'}",
        "{'operation':'swap','archive_label':'free','load_label':'theirs'}",
      })
  void aCallThatCanSucceedAsks(String arguments) {
    tools.with(Block.of("b", "theirs", Block.Kind.WORKING));
    tools.store.share(new MemoryStore.Share("b", "theirs", "a", Permission.HUMAN));

    assertThat(tools.call("block", arguments).code()).isEqualTo(ResultCode.NO_APPROVER);
    assertThat(tools.memory.block("mine").block().version()).isEqualTo(1);
  }

  @Test
  void aMissingBlockAsksNoOne() {
    assertThat(append("mine").error()).contains("Block 'mine' was not found");
  }
}
