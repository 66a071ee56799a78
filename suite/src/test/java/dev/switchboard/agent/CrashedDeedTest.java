package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What no journal can close: the process dies when a deed is done and its result not yet written.
class CrashedDeedTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations durable = new InProcessConversations();
  private final List<String> keys = new ArrayList<>();

  private Conversation talk(boolean dies) {
    DyingStore store = new DyingStore(durable, -1);
    Tool pay =
        Tool.dynamic("pay")
            .handler((arguments, context) -> {
              keys.add(context.idempotencyKey());
              if (dies) {
                store.die();
              }
              return "paid";
            });
    return Agent.builder("crash")
        .model(ScriptedModel.answering(CrashedDeedTest::reply))
        .tools(pay)
        .rules(ToolRule.maxCalls("pay", 1))
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  private static ModelReply reply(ModelRequest request) {
    return request.messages().getLast() instanceof Message.Result result
        ? ModelReply.text(result.text())
        : ModelReply.calls(RequestedCall.of("", "pay", "{}"));
  }

  @Test
  void retriesWithSameKeyAndCountsOnce() {
    assertThatThrownBy(() -> talk(true).say("Pay")).isInstanceOf(DyingStore.Killed.class);

    time.advance(LeaseTerms.LENGTH);
    assertThat(talk(false).resume(event -> {})).isEqualTo(new Turn.Reply("paid"));
    assertThat(keys).hasSize(2).containsOnly(keys.getFirst());
  }

  /// A memory whose process dies right behind its next edit.
  private MemoryStore dying(MemoryStore memory, DyingStore store) {
    return (MemoryStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (proxy, method, arguments) -> {
              Object result =
                  method.isDefault() && method.getName().equals("inTurn")
                      ? ((Supplier<?>) arguments[2]).get()
                      : method.invoke(memory, arguments);
              if (method.getName().equals("apply") && edits) {
                store.die();
              }
              return result;
            });
  }

  private boolean edits;

  private Conversation noting(MemoryStore memory, DyingStore store, ScriptedModel model) {
    return Agent.builder("crash")
        .model(model)
        .memory(dying(memory, store))
        .blocks(List.of(Block.of("crash", "guest", Block.Kind.CORE)))
        .builtIns("block")
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  @Test
  void anEditOfABlockIsMadeOnceThoughItsCallIsMadeAgain() {
    InProcessMemory memory = new InProcessMemory();
    ScriptedModel model = new ScriptedModel();
    model
        .calls("block", "{\"operation\":\"append\",\"label\":\"guest\",\"content\":\"Ada\"}")
        .says("Noted.");
    Conversation first = noting(memory, new DyingStore(durable, -1), model);
    edits = true;
    assertThatThrownBy(() -> first.say("I am Ada")).isInstanceOf(DyingStore.Killed.class);
    edits = false;

    time.advance(LeaseTerms.LENGTH);
    Conversation again = noting(memory, new DyingStore(durable, -1), model);
    assertThat(again.resume(event -> {})).isEqualTo(new Turn.Reply("Noted."));
    assertThat(memory.block("crash", "guest")).extracting(Block::value).isEqualTo("Ada");
    assertThat(memory.edits("crash", "guest", 9)).hasSize(1);
  }
}
