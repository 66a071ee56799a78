package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenResourcesTest {
  private final OpenResources opened = new OpenResources();
  private final List<String> closed = new ArrayList<>();

  @Test
  void theLatestIsClosedFirst() throws Exception {
    opened.push(() -> closed.add("store"));
    opened.push(() -> closed.add("server"));

    opened.close();
    opened.close();

    assertThat(closed).containsExactly("server", "store");
  }

  @Test
  void allAreClosedThoughSomeFail() {
    opened.push(() -> closed.add("store"));
    opened.push(() -> {
      throw new IllegalStateException("its database is away");
    });
    opened.push(() -> {
      throw new IllegalStateException("first");
    });

    assertThatThrownBy(opened::close)
        .hasMessage("first")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    assertThat(closed).containsExactly("store");
  }
}
