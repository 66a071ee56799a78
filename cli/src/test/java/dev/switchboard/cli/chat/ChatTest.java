package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;

/// A chat as a person types it, on a terminal without cursor movement.
class ChatTest {
  private final ScriptedModel model = new ScriptedModel();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final InProcessConversations store = new InProcessConversations();

  @Test
  void wordsAndCallsStandBelowTheSentence() throws IOException {
    model.says("Let me ", "look.").and().calls("look", "{\"day\":1}").says("There ", "is one.");

    assertThat(chat("A table?\n", builder().firstMessage("Hi!")))
        .containsPattern("^Hi!\nLet me look.\n  look \\{\"day\":1} ok \\d+ ms\nThere is one.\n$");
  }

  @Test
  void withoutCursorMovementProgressIsALineEach() throws IOException {
    Tool slow =
        Tool.dynamic("slow")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              context.progress("half of it");
              return "all";
            });
    model.calls("slow", "{}").says("Done.");

    assertThat(chat("Go.\n", builder().tools(slow)))
        .containsSubsequence("  slow {} half of it\n", "  slow {} ok ", "Done.\n");
  }

  @Test
  void aCallThatWaitsIsAnsweredByAWord() throws IOException {
    model.calls("pay", "{}").says("Paid.");

    assertThat(chat("Pay.\ny\n", builder()))
        .contains(
            "  pay {} waits for you\n",
            "  call_1_1_1: pay needs your approval (rule). Open until ",
            "  always: approve similar calls from now on, in every conversation of this agent\n",
            "  y, n or always; or /approve [ID] [--for 10m|--always], /deny [ID] [REASON]\n",
            "  pay {} ok ",
            "Paid.\n");
    model.assertDone();
  }

  @Test
  void noIsNoAndAlwaysIsAlways() throws IOException {
    model.calls("pay", "{}").says("Not paid.");
    assertThat(chat("Pay.\nno\n", builder())).contains("consent_denied", "Not paid.\n");

    model.calls("pay", "{}").says("Paid.").calls("pay", "{}").says("Paid again.");
    assertThat(chat("Pay.\nalways\nPay again.\n", builder())).contains("Paid.\n", "Paid again.\n");
    model.assertDone();
  }

  @Test
  void bareWordsAreSentencesWhereNothingWaits() throws IOException {
    model.says("Yes what?");

    assertThat(chat("y\n", builder())).contains("Yes what?\n");
  }

  @Test
  void anAnswerFromElsewhereIsCarriedOut() throws IOException {
    model.calls("pay", "{}").says("Paid.").says("Sure.");
    Agent agent = builder().store(store).build();
    Conversation conversation = agent.conversation("c1");
    assertThat(conversation.say("Pay.")).isNotNull();
    conversation.close();

    assertThat(chat("/approve\nAnd?\n", builder().store(store)))
        .contains("pay {} waits for you\n", "Paid.\n", "Sure.\n");
  }

  @Test
  void ctrlCCutsTheTurnOffAndThePromptComesBack() throws IOException {
    CountDownLatch running = new CountDownLatch(1);
    Tool slow =
        Tool.dynamic("slow")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              running.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    model.calls("slow", "{}").says("Back.");
    try (Terminal terminal = terminal("Go.\nAgain.\n")) {
      Thread finger =
          Thread.ofVirtual()
              .start(() -> {
                await(running);
                terminal.raise(Terminal.Signal.INT);
              });

      String out = chat(terminal, builder().tools(slow));

      assertThat(out)
          .contains("  slow {} cancelled: Tool 'slow'", "Cancelled.\n")
          .endsWith("Back.\n");
      finger.interrupt();
    }
  }

  @Test
  void ctrlCCutsTheModelOff() throws IOException {
    model.blocks().says("never").says("Back.");
    try (Terminal terminal = terminal("Go.\nAgain.\n")) {
      Thread finger =
          Thread.ofVirtual()
              .start(() -> {
                model.awaitRequests(1);
                terminal.raise(Terminal.Signal.INT);
              });

      assertThat(chat(terminal, builder())).contains("Cancelled.\n");
      finger.interrupt();
    }
  }

  @Test
  void theEndWaitsForTheTurnToComeToRest() throws IOException {
    model.blocks().says("never");
    Agent agent = builder().build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Chat chat =
        new Chat(
            agent,
            () -> agent.conversation("c1"),
            new PlainView(stream, stream),
            new ChatOptions(false, ""));
    Thread signal =
        Thread.ofVirtual()
            .start(() -> {
              model.awaitRequests(1);
              chat.end();
            });

    assertThat(chat.message("Go.")).isFalse();

    join(signal);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("Cancelled.\n");
  }

  private AgentBuilder builder() {
    return Agent.builder("test")
        .model(model)
        .tools(
            Tool.dynamic("look").mode(ToolMode.READ).handler(arguments -> "one"),
            Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid"))
        .rules(ToolRule.consent("pay"));
  }

  private String chat(String typed, AgentBuilder builder) throws IOException {
    try (Terminal terminal = terminal(typed)) {
      return chat(terminal, builder);
    }
  }

  private String chat(Terminal terminal, AgentBuilder builder) throws IOException {
    shown.reset();
    TypedInput typed = new TypedInput(terminal, (Path) null);
    View view = typed.view(new PrintStream(shown, true, StandardCharsets.UTF_8), false);
    Agent agent = builder.listener(new Timings(view)).build();
    try (Chat chat =
        new Chat(agent, () -> agent.conversation("c1"), view, new ChatOptions(true, ""))) {
      typed.onInterrupt(chat::cancelTurn);
      assertThat(chat.all(typed)).isTrue();
    }
    return shown.toString(StandardCharsets.UTF_8);
  }

  private static Terminal terminal(String typed) throws IOException {
    return new DumbTerminal(
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
