package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void keepsAllThatFits() {
    List<Message> history = history(4, said("a"), answered("b"), said("c"), answered("d"));

    assertThat(texts(history)).containsExactly("a", "b", "c", "d");
  }

  @Test
  void dropsWholeTurnsFromTheOldest() {
    List<Message> history = history(3, said("a"), answered("b"), said("c"), answered("d"));

    assertThat(texts(history)).containsExactly("c", "d");
  }

  @Test
  void keepsTheLastTurnWhole() {
    List<Message> history = history(2, said("a"), said("b"), answered("c"), answered("d"));

    assertThat(texts(history)).containsExactly("b", "c", "d");
  }

  @Test
  void dropsTheGreetingBeforeAnyTurn() {
    List<Message> history = history(3, answered("hello"), said("a"), answered("b"), said("c"));

    assertThat(texts(history)).containsExactly("a", "b", "c");
  }

  @Test
  void keepsTheGreetingWhileThereIsRoom() {
    List<Message> history = history(3, answered("hello"), said("a"), answered("b"));

    assertThat(texts(history)).containsExactly("hello", "a", "b");
  }

  @Test
  void doesNotBringBackWhatALongTurnHasDrivenOut() {
    List<Message> history =
        history(3, said("a"), said("b"), answered("c"), answered("d"), said("e"));

    assertThat(texts(history)).containsExactly("e");
  }

  @Test
  void goesOnFromAnEmptyLine() {
    List<Message> history = history(3, said("a"), List.of(), answered("b"));

    assertThat(texts(history)).containsExactly("a", "b");
  }

  @SafeVarargs
  private static List<Message> history(int most, List<Message>... lines) {
    History history = new History(tool -> false);
    for (int i = 0; i < lines.length; i++) {
      history.add("line" + i, new TranscriptEntry.Called(lines[i]));
    }
    return history.messages(most);
  }

  private static List<Message> said(String text) {
    return List.of(new Message.User(text));
  }

  private static List<Message> answered(String text) {
    return List.of(new Message.Assistant(text, List.of()));
  }

  private static List<String> texts(List<Message> history) {
    return history.stream()
        .map(message ->
            switch (message) {
              case Message.User user -> user.text();
              case Message.Assistant assistant -> assistant.text();
              case Message.System system -> system.text();
              case Message.Result result -> result.text();
              case Message.Notice notice -> notice.text();
            })
        .toList();
  }
}
