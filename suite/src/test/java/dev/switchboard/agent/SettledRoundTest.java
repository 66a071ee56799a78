package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Calls of a round that are done before the slowest of it.
class SettledRoundTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations durable = new InProcessConversations();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();

  private Conversation talk(DyingStore store, boolean dies) {
    Tool late =
        Tool.dynamic("get_late")
            .handler(arguments -> {
              Awaitility.await().until(() -> shown.contains("fast"));
              if (dies) {
                store.die();
              }
              ran.add("late");
              return "late";
            });
    Tool fast =
        Tool.dynamic("get_fast")
            .handler(arguments -> {
              ran.add("fast");
              return "fast";
            });
    return Agent.builder("round")
        .model(ScriptedModel.answering(SettledRoundTest::reply))
        .tools(late, fast)
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  private static ModelReply reply(ModelRequest request) {
    return request.messages().getLast() instanceof Message.Result
        ? ModelReply.text("Both done.")
        : ModelReply.calls(
            RequestedCall.of("1", "get_late", "{}"), RequestedCall.of("2", "get_fast", "{}"));
  }

  private void show(Event event) {
    if (event instanceof Event.ToolSettled settled) {
      shown.add(String.valueOf(settled.result().text()));
    }
  }

  @Test
  void showsEachWhenItIsDoneAndKeepsTheirOrderInTheHistory() {
    Conversation talk = talk(new DyingStore(durable, -1), false);

    assertThat(talk.say("Go", this::show)).isEqualTo(new Turn.Reply("Both done."));

    assertThat(shown).containsExactly("fast", "late");
    assertThat(talk.history())
        .filteredOn(Message.Result.class::isInstance)
        .extracting(message -> ((Message.Result) message).text())
        .containsExactly("late", "fast");
  }

  @Test
  void runsOnlyTheOthersAgainAfterACrash() {
    assertThatThrownBy(() -> talk(new DyingStore(durable, -1), true).say("Go", this::show))
        .isInstanceOf(DyingStore.Killed.class);
    assertThat(ran).containsExactly("fast", "late");

    shown.clear();
    shown.add("fast");
    time.advance(LeaseTerms.LENGTH);
    Conversation again = talk(new DyingStore(durable, -1), false);
    assertThat(again.resume(this::show)).isEqualTo(new Turn.Reply("Both done."));
    assertThat(ran).containsExactly("fast", "late", "late");
    assertThat(again.history())
        .filteredOn(Message.Result.class::isInstance)
        .extracting(message -> ((Message.Result) message).text())
        .containsExactly("late", "fast");
  }
}
