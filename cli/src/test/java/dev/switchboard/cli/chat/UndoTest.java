package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// `/undo` in a chat: the call that takes a change back, through the same door.
class UndoTest {
  private final ScriptedModel model = new ScriptedModel();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final AtomicInteger restored = new AtomicInteger();
  private boolean broken;

  private final Tool delete =
      Tool.dynamic("delete_note")
          .handler(arguments ->
              Map.of(
                  "preview",
                  "- the note",
                  "undo",
                  Map.of("name", "restore_note", "arguments", Map.of("id", 7))));
  private final Tool restore =
      Tool.dynamic("restore_note")
          .mode(ToolMode.SAFE_WRITE)
          .handler(arguments -> {
            if (broken) {
              throw ToolException.permanent("the bin is empty");
            }
            return "restored " + restored.incrementAndGet() + " " + arguments.text();
          });

  private record Lines(Queue<String> lines) implements UserInput {
    @Override
    public @Nullable String next(String prompt) {
      return lines.poll();
    }
  }

  @Test
  void aChangeIsShownAndTakenBackOnce() throws IOException {
    model.calls("delete_note", "{}").says("Gone.");

    assertThat(chat(builder(), "Delete it.", "/undo", "/undo"))
        .containsSubsequence(
            "  delete_note {} ok",
            "      - the note\n",
            "Gone.\n",
            "  restore_note {\"id\":7} ok",
            "Not done: there is nothing to undo.\n");
    assertThat(restored).hasValue(1);
  }

  @Test
  void theModelReadsOfIt() throws IOException {
    model.calls("delete_note", "{}").says("Gone.").says("It is back.");

    String unused = chat(builder(), "Delete it.", "/undo", "And now?");

    assertThat(model.lastRequest().messages().toString())
        .containsSubsequence("Gone.", "restore_note", "restored 1 {\"id\":7}", "And now?");
  }

  @Test
  void itIsHeldToTheRules() throws IOException {
    model.calls("delete_note", "{}").says("Gone.");

    assertThat(chat(builder().rules(ToolRule.forbidden("restore_note")), "Delete it.", "/undo"))
        .contains("  restore_note {\"id\":7} rule_violation: ");
    assertThat(restored).hasValue(0);
  }

  @Test
  void aPersonIsAskedWhereARuleAsks() throws IOException {
    model.calls("delete_note", "{}").says("Gone.").says("It is back.");
    AgentBuilder asking = builder().rules(ToolRule.consent("restore_note"));

    assertThat(chat(asking, "Delete it.", "/undo", "y", "And now?"))
        .containsSubsequence(
            "  restore_note {\"id\":7} waits for you\n", "  restore_note {\"id\":7} ok");
    assertThat(restored).hasValue(1);
    assertThat(model.lastRequest().messages().toString())
        .containsSubsequence("restore_note", "restored 1", "And now?");
  }

  @Test
  void oneThatWasDeniedOrFailedCanBeTriedAgain() throws IOException {
    model.calls("delete_note", "{}").says("Gone.");
    broken = true;
    Queue<String> lines = new ArrayDeque<>(List.of("Delete it.", "/undo", "/undo"));
    UserInput mended =
        prompt -> {
          broken &= lines.size() > 1;
          return lines.poll();
        };

    assertThat(chat(builder(), mended))
        .containsSubsequence(
            "  restore_note {\"id\":7} failed: the bin is empty", "  restore_note {\"id\":7} ok");
  }

  private String chat(AgentBuilder builder, String... lines) throws IOException {
    return chat(builder, new Lines(new ArrayDeque<>(List.of(lines))));
  }

  private String chat(AgentBuilder builder, UserInput input) throws IOException {
    PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
    Agent agent = builder.build();
    ChatOptions typed = new ChatOptions(true, "");
    try (Chat chat =
        new Chat(agent, () -> agent.conversation("c"), new PlainView(out, out), typed)) {
      boolean well = chat.all(input);
      assertThat(well).isTrue();
    }
    return shown.toString(StandardCharsets.UTF_8);
  }

  private AgentBuilder builder() {
    return Agent.builder("Notes").model(model).tools(delete, restore);
  }
}
