package dev.switchboard.mount;

/// Everything of memory, sockets and threads that clients can fill, each with two bounds: a share
/// for each principal, at most half of the whole, and the whole. Beyond either a client is refused,
/// and nothing of another one ends. [Places] counts all of it.
public enum Bound {
  /// Event streams, and WebSockets of clients that the server authenticates.
  STREAMS("streams", 50, 5_000),
  /// Requests whose response has not ended, streams included.
  REQUESTS("requests under way", 500, 5_000),
  /// Bodies of more than 16 KiB while they are read.
  LARGE_BODIES("large bodies", 8, 32),
  /// Requests with files of a user's message.
  FILES("requests with files", 4, 16),
  /// Turns and direct calls that run.
  TURNS("turns under way", 1_000, 5_000),
  /// Text and files of the messages of those turns, with the files of their conversations.
  MESSAGES("bytes of messages in turns", 8),
  /// Conversations of an agent without a storage; idle ones of the same principal go first.
  CONVERSATIONS("conversations without a storage", 5_000, 10_000, true),
  /// Memory without a storage; the oldest words of the same principal's conversations go first. A
  /// character takes at most two bytes.
  MEMORY("characters of memory without a storage", 16),
  /// Logins of browsers; the least recently used of the same principal goes first.
  LOGINS("logins", 20, 10_000),
  /// Keys of rate limits: one for a principal or an address; unused ones go first.
  RATES("rate limits", 1, 10_000),
  /// Values of `Idempotency-Key` without a storage; the oldest of the same principal goes first.
  KEYS("idempotency keys", 1_000, 50_000),
  /// Answered requests that the inbox shows; the oldest of the same principal goes first.
  ANSWERS("answered requests", 100, 5_000),
  /// Deliveries of waiting requests to a webhook.
  HOOKS("deliveries of waiting requests", 100, 1_000),
  /// Sessions of MCP clients; idle ones of the same principal go first.
  MCP_SESSIONS("MCP sessions", 100, 1_000),
  /// Calls of MCP clients that run.
  MCP_CALLS("MCP calls under way", 100, 1_000),
  /// Messages of other agents that an agent has not read, as conversations of clients send them.
  LETTERS("unread messages to an agent", 50, 100, true),
  /// Phone calls to a number, each with an engine's session; a caller is its number.
  CALLS("phone calls", 25, 50);

  private final String what;
  private final int each;
  private final int all;
  private final boolean localHasAll;
  private final int part;

  Bound(String what, int each, int all) {
    this(what, each, all, false, 0);
  }

  Bound(String what, int each, int all, boolean localHasAll) {
    this(what, each, all, localHasAll, 0);
  }

  Bound(String what, int part) {
    this(what, ofHeap(2 * part), ofHeap(part), false, part);
  }

  Bound(String what, int each, int all, boolean localHasAll, int part) {
    this.what = what;
    this.each = each;
    this.all = all;
    this.localHasAll = localHasAll;
    this.part = part;
  }

  private static int ofHeap(int part) {
    return (int) Math.min(Runtime.getRuntime().maxMemory() / part, Integer.MAX_VALUE);
  }

  /// Its objects in the plural, for messages.
  public String what() {
    return what;
  }

  /// The most of one principal.
  public int each() {
    return each;
  }

  /// The most in all.
  public int all() {
    return all;
  }

  /// If the most in all is a part of the maximum heap, the number of such parts; otherwise 0.
  public int partsOfHeap() {
    return part;
  }

  /// Whether [dev.switchboard.text.PrincipalName#LOCAL] may have all: who uses the process itself
  /// is alone there.
  public boolean localHasAll() {
    return localHasAll;
  }
}
