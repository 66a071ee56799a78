package dev.switchboard.harness;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What tests need that run side by side in one process, on machines of any speed.
///
/// A wait fails by what its own test does, not by what a thread of another throws, such as that of
/// a store which dies on purpose. Its limit only guards against a hang, and it looks often, so that
/// it ends soon after what it waits for.
public final class SideBySide implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    Awaitility.setDefaultTimeout(Duration.ofMinutes(5));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
  }
}
