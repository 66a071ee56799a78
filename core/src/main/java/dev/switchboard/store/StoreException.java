package dev.switchboard.store;

import org.jspecify.annotations.Nullable;

/// Data could not be read or stored. The message is a sentence that names the file, never the data.
public final class StoreException extends RuntimeException {
  StoreException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
