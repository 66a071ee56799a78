package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.Message.Attachment;
import dev.switchboard.tool.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Files in a user's sentence stay in the conversation.
class ShownFilesTest extends ScriptedTalk {
  private static final Attachment DOT =
      Attachment.of("image/gif", "GIF89a".getBytes(StandardCharsets.US_ASCII)).named("dot.gif");
  private static final Message.User SAID = new Message.User("What is it?", DOT);

  private static Attachment large(int bytes) {
    byte[] image = new byte[bytes];
    System.arraycopy("GIF89a".getBytes(StandardCharsets.US_ASCII), 0, image, 0, 6);
    return Attachment.of("image/gif", image);
  }

  @Test
  void theModelSeesThemInEveryRequestToCome() {
    model.says("A dot.").says("Still a dot.");
    Conversation talk = talk();

    assertThat(talk.say(SAID, events::add)).isEqualTo(new Turn.Reply("A dot."));
    assertThat(talk.say("Sure?")).isEqualTo(new Turn.Reply("Still a dot."));

    assertThat(model.lastRequest().messages().getFirst()).isEqualTo(SAID);
  }

  @Test
  void theyAreThereInAnotherProcessToo() {
    InProcessConversations store = new InProcessConversations();
    List<Event.Logged> log = new ArrayList<>();
    model.calls("local_run", "{}").says("A dot.");
    try (Conversation talk =
        agent(tool("local_run"))
            .store(store)
            .build()
            .conversation("c", ConversationOptions.NONE.withLog(log::add))) {
      assertThat(talk.take(new Input.Said("m1", SAID, null), event -> {}))
          .isInstanceOf(Turn.Pending.class);
    }
    try (Conversation talk = agent(tool("local_run")).store(store).build().conversation("c")) {
      assertThat(talk.answer(talk.waiting().getFirst(), Answer.approveOnce()))
          .isEqualTo(new Turn.Reply("A dot."));
      assertThat(talk.history().getFirst()).isEqualTo(SAID);
      assertThat(talk.take(new Input.Said("m1", SAID, null), null)).isInstanceOf(Turn.class);
    }
    assertThat(model.requests()).hasSize(2);
    // The log tells what they are, and not what is in them.
    assertThat(log.toString())
        .contains("\"files\":[{\"type\":\"image/gif\",\"size\":6,\"name\":\"dot.gif\"}]")
        .doesNotContain(DOT.data());
  }

  @Test
  void aSentenceMayBeAFileAlone() {
    model.says("A dot.");
    assertThat(talk().say(new Message.User("", DOT), null)).isEqualTo(new Turn.Reply("A dot."));
  }

  @Test
  void aConversationHasRoomForTwentyMebibytes() {
    InProcessConversations store = new InProcessConversations();
    Agent agent = agent().store(store).build();
    Message.User five = new Message.User("Look.", large(Attachment.MOST_BYTES));
    try (Conversation talk = agent.conversation("c")) {
      for (int i = 0; i < 4; i++) {
        model.says("Seen.");
        assertThat(talk.say(five, null)).isEqualTo(new Turn.Reply("Seen."));
      }
      assertThat(talk.noRoomFor(List.of())).isNull();
      assertFull(talk);
    }
    // Also where they were shown to another process.
    try (Conversation talk = agent.conversation("c")) {
      assertFull(talk);
      model.says("Hello.");
      assertThat(talk.say("Words go on.")).isEqualTo(new Turn.Reply("Hello."));
    }
  }

  private static void assertFull(Conversation talk) {
    assertThat(talk.noRoomFor(List.of(DOT)))
        .isEqualTo("The files of conversation 'c' would have more than 20 MiB.");
    assertThatThrownBy(() -> talk.say(SAID, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 20 MiB");
  }
}
