package dev.switchboard.testing;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What tests need that run side by side in one process: a wait fails by what its own test does,
/// not by what a thread of another throws, such as that of a store which dies on purpose.
public final class SideBySide implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
