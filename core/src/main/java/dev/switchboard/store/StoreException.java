package dev.switchboard.store;

import org.jspecify.annotations.Nullable;

/// Something could not be read or kept: a sentence that names the file, and never what was in it.
public final class StoreException extends RuntimeException {
  StoreException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
