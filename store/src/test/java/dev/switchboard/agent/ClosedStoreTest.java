package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosedStoreTest {
  @Test
  void throwsWhatTheStoreThrowsBeforeTheModelIsAsked(@TempDir Path folder) {
    ScriptedModel model = new ScriptedModel();
    ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "test");
    Conversation talk = Agent.builder("test").model(model).store(store).build().conversation("c");
    store.close();

    assertThatThrownBy(() -> talk.say("Go")).isInstanceOf(StoreException.class);
    assertThat(model.requests()).isEmpty();
  }
}
