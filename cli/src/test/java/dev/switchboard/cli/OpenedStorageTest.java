package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.MemoryOwner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an agent without a storage keeps.
class OpenedStorageTest {
  @TempDir private Path folder;

  @Test
  void aConversationThatMakesRoomTakesItsWordsWithIt() throws Exception {
    Path path = folder.resolve("desk.toml");
    Files.writeString(path, "[agent]\nname = \"Desk\"\ntools = [\"search\"]\n");
    AgentFile file = AgentFile.read(path);
    InProcessMemory memory = new InProcessMemory();
    PrintStream err = new PrintStream(new ByteArrayOutputStream());
    try (OpenedStorage kept = OpenedStorage.open(path, file, err, memory);
        Agent agent =
            Switchboard.agent(file)
                .model(new ScriptedModel().says("Tea.").says("Tea.").says("Tea."))
                .memory(kept.memory())
                .store(new InProcessConversations(4, kept.words(file)))
                .build()) {
      say(agent, "bob", "b1", "green");
      say(agent, "bob", "b2", "black");
      assertThat(found(memory, "green")).isEqualTo(1);
      say(agent, "bob", "b3", "white");
      assertThat(found(memory, "green")).isZero();
      assertThat(found(memory, "tea")).isEqualTo(2);
      assertThat(found(memory, "white")).isEqualTo(1);
    }
  }

  private static void say(Agent agent, String principal, String id, String text) {
    ConversationOptions options = ConversationOptions.NONE.withPrincipal(principal);
    try (Conversation conversation = agent.conversation(id, options)) {
      assertThat(conversation.say(text)).isInstanceOf(Turn.Reply.class);
    }
  }

  private static long found(InProcessMemory memory, String text) {
    String owner = MemoryOwner.of("Desk", "bob");
    return memory.search(MemoryQuery.of(owner, text, Entry.CONVERSATIONS)).total();
  }
}
