package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Stores by their URL, such as `sqlite:reservations.db` or `postgresql://user@host/reservations`.
public final class Stores {
  private static final String SQLITE = "sqlite:";

  private Stores() {}

  /// The store of that URL, which keeps what belongs to this agent.
  ///
  /// @param folder where a relative path in the URL begins
  /// @throws IllegalArgumentException when the URL is none of a store
  /// @throws StoreException when it cannot be opened
  public static ConversationStore open(String url, Path folder, String agent) {
    Sql sql = sql(url, folder);
    return new SqlStore(sql, agent, sql::close);
  }

  /// The database of that URL, for conversations and memory.
  ///
  /// @param folder where a relative path in the URL begins
  /// @throws IllegalArgumentException when the URL is none of a store
  /// @throws StoreException when it cannot be opened
  public static Storage open(String url, Path folder) {
    return new Storage(sql(url, folder));
  }

  private static Sql sql(String url, Path folder) {
    String fault = fault(url);
    if (fault != null) {
      throw new IllegalArgumentException("the URL of a store " + fault);
    }
    return url.startsWith(Postgres.SCHEME)
        ? Postgres.open(url)
        : Database.open(folder.resolve(url.substring(SQLITE.length())));
  }

  /// Why the URL is none of a store, the rest of a sentence that names it; null where it is one.
  public static @Nullable String fault(String url) {
    if (url.contains("://") && !url.startsWith(SQLITE)) {
      return Postgres.fault(url);
    }
    boolean named = url.startsWith(SQLITE) && url.length() > SQLITE.length();
    return named && isPath(url.substring(SQLITE.length()))
        ? null
        : "must be \"sqlite:\" and a file, such as \"sqlite:agent.db\", not '" + url + "'";
  }

  private static boolean isPath(String text) {
    try {
      // What the driver would take for options or for a store in memory.
      return !Path.of(text).toString().isBlank() && !text.matches(":.*|//.*|.*\\?.*");
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
