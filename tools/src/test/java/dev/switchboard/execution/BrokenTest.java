package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// What the log tells of failures beside a call.
@Isolated("it reads the log")
class BrokenTest {
  private final Logger logger = Logger.getLogger("dev.switchboard.execution");
  private final List<String> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
  }

  @Test
  void aConflictIsToldInWordsWithItsConversation() {
    ToolSession session = ToolSession.builder("c\n1").build();
    Broken.warn("a request was not closed", session, new ConversationConflictException("c1", null));
    assertThat(lines)
        .containsExactly(
            "conversation 'c\\n1': a request was not closed: another process continues"
                + " conversation 'c1'");
  }

  @Test
  void aCallThatBreaksIsToldWithItsConversation() {
    ToolSession session = ToolSession.of("c1");
    var unused =
        Broken.result(ToolCall.of("pay", "{}"), session, new IllegalStateException("secret"));
    assertThat(lines)
        .containsExactly(
            "conversation 'c1': a call of tool 'pay' broke: java.lang.IllegalStateException");
  }
}
