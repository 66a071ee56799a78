package dev.switchboard.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Standard output of this process, which knows why it could not be written: the streams over it
/// only know that.
final class StandardOutput extends FileOutputStream {
  private volatile @Nullable String fault;

  StandardOutput() {
    super(FileDescriptor.out);
  }

  /// Why it could not be written, in the system's words; null if it could, or the reason is not
  /// known.
  @Nullable String fault() {
    return fault;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      super.write(bytes, from, length);
    } catch (IOException e) {
      fault = e.getMessage();
      throw e;
    }
  }
}
