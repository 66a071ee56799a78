package dev.switchboard.text;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Why something cannot be read, written or reached, as a clause for people: no names of Java's,
/// and of a message only what the system says.
public final class IoReasons {
  /// What an operating system says, such as `No space left on device`.
  private static final Pattern OF_SYSTEM = Pattern.compile("[A-Z][A-Za-z ,-]{2,59}");

  /// The reason in a message of older classes, as in `name (Permission denied)`.
  private static final Pattern IN_BRACKETS = Pattern.compile("\\(([^()]{3,60})\\)$");

  private static final String NO_FILE = "there is no such file or folder";
  private static final String DENIED = "permission denied";

  private IoReasons() {}

  /// Why a file cannot be read or written.
  public static String ofFile(Exception e) {
    return switch (e) {
      case NoSuchFileException missing -> NO_FILE;
      case AccessDeniedException denied -> DENIED;
      case FileAlreadyExistsException there -> "it exists already";
      case NotDirectoryException other -> "it is not a folder";
      case FileSystemException other -> ofSystem(other.getReason());
      case FileNotFoundException other -> inBrackets(other.getMessage());
      case CharacterCodingException binary -> "it is not UTF-8 text";
      case ReadOnlyFileSystemException readOnly -> "it can only be read";
      case OverlappingFileLockException locked -> "another part of this process has it locked";
      case IOException other -> ofSystem(other.getMessage());
      default ->
          e.getCause() instanceof IOException cause ? ofFile(cause) : "the system refuses it";
    };
  }

  /// Why something on the network cannot be reached. Other messages may hold internal addresses.
  public static String ofNetwork(Exception e) {
    return switch (e) {
      case UnknownHostException unknown -> "the host was not found";
      case ConnectException refused -> "the connection was refused";
      case NoRouteToHostException away -> "there is no way to the host";
      case SSLException tls -> "no secure connection could be made";
      case HttpTimeoutException late -> "it did not answer in time";
      case SocketTimeoutException late -> "it did not answer in time";
      default -> "network error";
    };
  }

  private static String inBrackets(@Nullable String message) {
    Matcher reason = IN_BRACKETS.matcher(message == null ? "" : message);
    return reason.find() ? ofSystem(reason.group(1)) : NO_FILE;
  }

  private static String ofSystem(@Nullable String said) {
    if (said == null || !OF_SYSTEM.matcher(said).matches()) {
      return "the system refuses it";
    }
    return switch (said) {
      case "Not a directory" -> "a part of its path is not a folder";
      case "Is a directory" -> "it is a folder";
      default -> said.substring(0, 1).toLowerCase(Locale.ROOT) + said.substring(1);
    };
  }
}
