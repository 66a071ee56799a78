package dev.switchboard.mcp.client;

import dev.switchboard.http.HttpAnswer;
import java.io.IOException;

/// An HTTP response that is neither a success nor a message.
final class HttpFailure extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient HttpAnswer answer;

  HttpFailure(HttpAnswer answer) {
    super("HTTP " + answer.status());
    this.answer = answer;
  }

  HttpAnswer answer() {
    return answer;
  }
}
