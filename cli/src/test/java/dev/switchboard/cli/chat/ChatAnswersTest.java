package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A person's answers to calls of which something else became meanwhile.
class ChatAnswersTest {
  private final ScriptedModel model = new ScriptedModel();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final InProcessConversations store = new InProcessConversations();
  private final ManualTime time = new ManualTime();
  private final Lines lines = new Lines();

  /// What is typed, and what happens before it is.
  private static final class Lines implements UserInput {
    private final Queue<Supplier<String>> lines = new ArrayDeque<>();
    private final StringBuilder prompts = new StringBuilder();

    Lines then(String line) {
      return after(() -> {}, line);
    }

    Lines after(Runnable meanwhile, String line) {
      lines.add(() -> {
        meanwhile.run();
        return line;
      });
      return this;
    }

    @Override
    public @Nullable String next(String prompt) {
      prompts.append(prompt);
      return lines.isEmpty() ? null : lines.remove().get();
    }
  }

  @Test
  void aWordForAnExpiredRequestIsNotASentence() throws IOException {
    model.calls("pay", "{}").says("Too late.");
    lines.then("Pay.").after(() -> time.advance(Duration.ofHours(25)), "y");

    assertThat(chat(agent()))
        .containsSubsequence(
            "  pay {} consent_timeout: ",
            "The request for consent to 'call_1_1_1' has expired.\n",
            "Too late.\n");
    assertThat(model.requests()).hasSize(2);
    assertThat(lines.prompts.toString()).isEqualTo("> y/n/always> > ");
  }

  @Test
  void aSentenceAfterAnExpiredRequestIsOne() throws IOException {
    model.calls("pay", "{}").says("Too late.").says("Here.");
    lines.then("Pay.").after(() -> time.advance(Duration.ofHours(25)), "Are you there?");

    assertThat(chat(agent())).containsSubsequence("has expired.\n", "Too late.\n", "Here.\n");
    model.assertDone();
  }

  @Test
  void ignoresAnswerToRequestDecidedElsewhere() throws IOException {
    model.calls("pay", "{}").says("Paid.");
    Agent agent = agent();
    ToolSession elsewhere = ToolSession.builder("c1").store(store).build();
    lines
        .then("Pay.")
        .after(
            () ->
                assertThat(
                        agent
                            .executor()
                            .answer("call_1_1_1", Answer.approveOnce().by("zoe"), elsewhere))
                    .isPresent(),
            "n");

    assertThat(chat(agent))
        .containsSubsequence(
            "  pay {} ok",
            "The request for consent to 'call_1_1_1' was answered elsewhere.\n",
            "The request 'call_1_1_1' was approved by 'zoe' at ",
            "Paid.\n");
    assertThat(model.requests()).hasSize(2);
  }

  @Test
  void whoLeavesIsToldHowToAnswerWhatWaits() throws IOException {
    model.calls("pay", "{}");
    lines.then("Pay.").then("/quit");

    assertThat(chat(agent())).endsWith("  Answer call_1_1_1 so.\n");
  }

  @Test
  void whoLeavesAChatInWhichNothingWaitsIsToldNothing() throws IOException {
    model.calls("pay", "{}").says("Paid.");
    lines.then("Pay.").then("y").then("/quit");

    assertThat(chat(agent())).endsWith("Paid.\n").doesNotContain(" so.");
  }

  @Test
  void aBareWordAnswersTheFirstThatWaits() throws IOException {
    model.and().calls("pay", "{\"n\":1}").and().calls("pay", "{\"n\":2}").says("Half.");
    lines.then("Pay.").then("y").then("n");

    assertThat(chat(agent()))
        .containsSubsequence(
            "  y, n or always for call_1_1_1; or /approve",
            "  pay {\"n\":1} ok",
            "  y, n or always; or /approve",
            "  pay {\"n\":2} consent_denied",
            "Half.\n");
    assertThat(lines.prompts.toString()).isEqualTo("> call_1_1_1 y/n/always> y/n/always> > ");
  }

  @Test
  void whatLooksLikeAnIdIsNotAReason() throws IOException {
    model.calls("pay", "{}").says("Paid.");
    lines.then("Pay.").then("/deny call_9 too much").then("y");

    assertThat(chat(agent()))
        .containsSubsequence("Not done: no call 'call_9' waits.\n", "  pay {} ok", "Paid.\n");
  }

  @Test
  void afterAConflictTheSentenceCanBeSaidAgain() throws IOException {
    model.says("One.").says("Theirs.").says("Two.");
    Agent other = agent();
    lines
        .then("First.")
        .after(
            () -> {
              try (Conversation theirs = other.conversation("c1")) {
                assertThat(theirs.say("Their words.").text()).isEqualTo("Theirs.");
              }
            },
            "Second.")
        .then("Second.");

    assertThat(chat(agent()))
        .isEqualTo(
            """
            One.
            Another process has continued this conversation. It is open again as it stands now;\
             this was not taken, say it again: Second.
            Two.
            """);
    assertThat(model.requests().getLast().messages().toString()).contains("Their words.");
  }

  /// Another process begins a turn, and dies.
  private void hold(Duration length) {
    Cell<ConversationState> cell = store.state("c1");
    Cell.Version<ConversationState> known = cell.load();
    Lease other = new Lease(known.value().lease().fence() + 1, time.now().plus(length));
    assertThat(cell.replace(known, known.value().withLease(other))).isTrue();
  }

  private void whenShown(String text, Runnable then) {
    Thread.ofVirtual()
        .start(() -> {
          while (!shown.toString(StandardCharsets.UTF_8).contains(text)) {
            Time.SYSTEM.pause(new Time.Signal(), Duration.ofMillis(5));
          }
          then.run();
        });
  }

  @Test
  void aConversationThatADeadProcessHoldsIsWaitedFor() throws IOException {
    model.says("One.").says("Two.");
    lines
        .then("First.")
        .after(
            () -> {
              hold(Duration.ofSeconds(25));
              whenShown("waiting.", () -> time.advance(Duration.ofSeconds(11)));
              whenShown("14 s left", () -> time.advance(Duration.ofSeconds(14)));
            },
            "Second.");

    assertThat(chat(agent()))
        .matches(
            """
            One.
            Held until \\d\\d:\\d\\d:\\d\\d by another process, or one that died; waiting.
            14 s left.
            Two.
            """
                .replace("\\\\", "\\"));
  }

  @Test
  void waitsForTurnOfAnotherLivingProcess() throws IOException {
    model.says("One.").says("Theirs.").says("Two.");
    lines
        .then("First.")
        .after(
            () -> {
              hold(Duration.ofSeconds(20));
              whenShown(
                  "waiting.",
                  () -> {
                    time.advance(Duration.ofSeconds(10));
                    hold(Duration.ofSeconds(30));
                  });
              whenShown("end of its turn.", () -> time.advance(Duration.ofSeconds(31)));
            },
            "Second.");

    assertThat(chat(agent()))
        .contains("Another process is continuing it; waiting for the end of its turn.\n")
        .endsWith("Theirs.\n");
  }

  private Agent agent() {
    return builder().build();
  }

  private AgentBuilder builder() {
    return Agent.builder("test")
        .model(model)
        .store(store)
        .time(time)
        .tools(Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid"))
        .rules(ToolRule.consent("pay"));
  }

  private String chat(Agent agent) throws IOException {
    PrintStream stream = new PrintStream(shown, true, StandardCharsets.UTF_8);
    PlainView view = new PlainView(stream, stream);
    ChatOptions manner =
        new ChatOptions(
            true,
            call -> "Answer " + call + " so.",
            "",
            id -> {
              SettledCall settled = store.settledCall("c1", id);
              return settled == null ? null : settled.result();
            });
    try (Chat chat = new Chat(agent, () -> agent.conversation("c1"), view, manner)) {
      assertThat(chat.all(lines)).isTrue();
    }
    return shown.toString(StandardCharsets.UTF_8);
  }
}
