package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class IoReasonsTest {
  @Test
  void saysWhyAFileCannotBeUsed() {
    assertThat(IoReasons.ofFile(new AccessDeniedException("f"))).isEqualTo("permission denied");
    assertThat(IoReasons.ofFile(new NoSuchFileException("f")))
        .isEqualTo("there is no such file or folder");
    assertThat(IoReasons.ofFile(new FileSystemException("f", null, "Not a directory")))
        .isEqualTo("a part of its path is not a folder");
    assertThat(IoReasons.ofFile(new FileSystemException("f"))).isEqualTo("the system refuses it");
    assertThat(IoReasons.ofFile(new IOException("No space left on device")))
        .isEqualTo("no space left on device");
    assertThat(IoReasons.ofFile(new IOException("java.lang.Any: [7] at /root")))
        .isEqualTo("the system refuses it");
    assertThat(IoReasons.ofFile(new FileNotFoundException("f (Permission denied)")))
        .isEqualTo("permission denied");
    assertThat(IoReasons.ofFile(new MalformedInputException(1))).isEqualTo("it is not UTF-8 text");
    assertThat(IoReasons.ofFile(new UncheckedIOException(new AccessDeniedException("f"))))
        .isEqualTo("permission denied");
  }

  @Test
  void saysWhyAHostCannotBeReached() {
    assertThat(IoReasons.ofNetwork(new ConnectException("10.0.0.1")))
        .isEqualTo("the connection was refused");
    assertThat(IoReasons.ofNetwork(new UnknownHostException("h")))
        .isEqualTo("the host was not found");
    assertThat(IoReasons.ofNetwork(new HttpConnectTimeoutException("late")))
        .isEqualTo("it did not answer in time");
    assertThat(IoReasons.ofNetwork(new SSLHandshakeException("x")))
        .isEqualTo("no secure connection could be made");
    assertThat(IoReasons.ofNetwork(new SocketException("10.0.0.1"))).isEqualTo("network error");
  }
}
