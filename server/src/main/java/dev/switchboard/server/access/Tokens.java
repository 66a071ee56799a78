package dev.switchboard.server.access;

import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The bearer tokens of a server. Their hashes are in a file that only its owner can read.
///
/// The file is read again whenever it has changed, so a running server knows added and revoked
/// tokens at once. While it cannot be read, none of its tokens is valid. Safe for use by several
/// threads and processes.
public final class Tokens {
  /// The default file, relative to the working directory.
  public static final Path DEFAULT_FILE = Path.of(".switchboard", "tokens");

  /// The name of the principal of the first token, and of the one from the environment.
  public static final String OPERATOR = "operator";

  /// The prefix of every issued token, by which scanners recognize it.
  static final String PREFIX = "sbt_";

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}";

  /// The minimum length of a configured token.
  public static final int LEAST_CHARACTERS = 32;

  /// The maximum length of a token.
  public static final int MOST_CHARACTERS = 512;

  private static final int RANDOM_BYTES = 32;

  private final AccessTokenFile file;
  private final @Nullable Issued configured;
  private final Time time;
  private final RandomGenerator random;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile Known known; // written under reading

  /// Names of principals that come from elsewhere. A stored token of such a name is not valid.
  static final Set<String> RESERVED = Set.of("local", "stdio", "anybody");

  /// A stored token, from which the token itself cannot be derived.
  ///
  /// @param name of its principal
  /// @param forUsers whether each request names the user for whom it is made
  /// @param until when it ends, null for never
  /// @param sha256 of the token, in hexadecimal
  public record Issued(
      String name,
      Set<Role> roles,
      boolean forUsers,
      Instant created,
      @Nullable Instant until,
      String sha256) {
    public Issued {
      EnumSet<Role> all = EnumSet.noneOf(Role.class);
      all.addAll(roles);
      roles = Collections.unmodifiableSet(all);
    }

    /// The principal of requests with this token.
    public Principal principal() {
      return new Principal(name, roles, null);
    }

    private Issued until(Instant end) {
      Instant earliest = until == null || end.isBefore(until) ? end : until;
      return new Issued(name, roles, forUsers, created, earliest, sha256);
    }

    private Issued with(Set<Role> others) {
      return new Issued(name, others, forUsers, created, until, sha256);
    }

    private boolean isValidAt(Instant now) {
      return !RESERVED.contains(name) && (until == null || now.isBefore(until));
    }
  }

  /// @param stamp of the file when it was read; null if there was none
  private record Known(AccessTokenFile.@Nullable Stamp stamp, List<Issued> all) {}

  Tokens(Path file, @Nullable String configured, Time time, RandomGenerator random) {
    this.file = new AccessTokenFile(file);
    this.time = time;
    this.random = random;
    this.configured = configured == null ? null : configured(configured, time.now());
    this.known = new Known(this.file.stamp(), this.file.read());
  }

  /// The tokens of that file, which need not exist.
  ///
  /// @param configured another token of role `operate`, from the environment
  /// @throws TokensException when the file cannot be read, other users can read it, or the
  ///   configured token is too short
  public static Tokens open(Path file, @Nullable String configured, Time time) {
    return new Tokens(file, configured, time, new SecureRandom());
  }

  /// The tokens of that file, which need not exist.
  ///
  /// @throws TokensException when the file cannot be read, or other users can read it
  public static Tokens open(Path file) {
    return open(file, null, Time.SYSTEM);
  }

  /// Whether one of them has the role `operate`.
  ///
  /// @throws TokensException when the file cannot be read
  public boolean haveOperator() {
    return haveOperatorWithout(Set.of());
  }

  /// Whether one of them has the role `operate`, apart from those of these names.
  ///
  /// @throws TokensException when the file cannot be read
  public boolean haveOperatorWithout(Set<String> names) {
    return configured != null
        || all().stream()
            .anyMatch(one ->
                one.roles().contains(Role.OPERATE)
                    && !names.contains(one.name())
                    && one.isValidAt(time.now()));
  }

  /// The stored names that are not valid, since principals from elsewhere have them.
  ///
  /// @throws TokensException when the file cannot be read
  public List<String> invalidNames() {
    return all().stream().map(Issued::name).filter(RESERVED::contains).distinct().toList();
  }

  private static Issued configured(String token, Instant now) {
    if (token.length() < LEAST_CHARACTERS || token.length() > MOST_CHARACTERS) {
      throw new TokensException(
          "The token in the environment must have %d to %d characters, not %d."
              .formatted(LEAST_CHARACTERS, MOST_CHARACTERS, token.length()),
          null);
    }
    return issued(OPERATOR, Set.of(Role.OPERATE), now, token);
  }

  /// Issues a first token of role `operate`, if there is neither a file nor a configured token;
  /// null otherwise. It is not stored and has to be shown now.
  ///
  /// @throws TokensException when the file cannot be written
  public @Nullable String first() {
    if (configured != null || file.stamp() != null) {
      return null;
    }
    String token = make();
    Issued first = issued(OPERATOR, Set.of(Role.OPERATE), time.now(), token);
    boolean[] taken = {false};
    file.change(all -> {
      taken[0] = all.isEmpty();
      return all.isEmpty() ? List.of(first) : all;
    });
    return taken[0] ? token : null;
  }

  private static Issued issued(String name, Set<Role> roles, Instant now, String token) {
    return new Issued(name, roles, false, now, null, hash(token));
  }

  /// Issues a token with these roles for a principal of that name. It is not stored and has to be
  /// shown now.
  ///
  /// @throws TokensException when the name is invalid or has a token, there is no role, or the file
  ///   cannot be written
  public String add(String name, Role... roles) {
    return add(name, Set.copyOf(List.of(roles)), false, token -> {});
  }

  /// Issues a token as [#add(String, Role...)] and shows it before it is stored: if that throws, no
  /// token is made.
  ///
  /// @throws TokensException as [#add(String, Role...)]
  public void add(String name, Set<Role> roles, Consumer<String> shown) {
    String unused = add(name, roles, false, shown);
  }

  /// Issues a token of the role `chat` for a back end of that name, whose requests each name the
  /// user for whom they are made.
  ///
  /// @throws TokensException as [#add(String, Role...)]
  public String addForUsers(String name) {
    return add(name, Set.of(Role.CHAT), true, token -> {});
  }

  /// Issues a token as [#addForUsers(String)], and shows it as [#add(String, Set, Consumer)].
  ///
  /// @throws TokensException as [#add(String, Role...)]
  public void addForUsers(String name, Consumer<String> shown) {
    String unused = add(name, Set.of(Role.CHAT), true, shown);
  }

  private String add(String name, Set<Role> roles, boolean forUsers, Consumer<String> shown) {
    checkName(name);
    checkRoles(roles);
    String token = make();
    Issued issued = new Issued(name, roles, forUsers, time.now(), null, hash(token));
    file.change(all -> {
      if (all.stream().anyMatch(each -> each.name().equals(name))) {
        throw new TokensException(
            "'%s' has a token already; rotate or revoke it first.".formatted(name), null);
      }
      List<Issued> more = valid(all);
      more.add(issued);
      shown.accept(token);
      return more;
    });
    return token;
  }

  /// Checks that a token may have that name.
  ///
  /// @throws TokensException when it may not
  public static void checkName(String name) {
    if (!name.matches(NAME) || name.startsWith(PREFIX)) {
      throw new TokensException(
          "A token's name must be 1 to 64 letters, digits and '_', '-', '.' or '@', and begin with"
              + " a letter or digit.",
          null);
    }
    if (RESERVED.contains(name)) {
      throw new TokensException(
          "'%s' cannot be the name of a token: it stands for clients without one; choose another."
              .formatted(name),
          null);
    }
  }

  private static void checkRoles(Set<Role> roles) {
    if (roles.isEmpty()) {
      throw new TokensException("A token needs a role.", null);
    }
  }

  /// Gives the tokens of that name other roles; they stay valid.
  ///
  /// @throws TokensException when the name has no token or names a back end with users, there is no
  ///   role, or the file cannot be written
  public void setRoles(String name, Set<Role> roles) {
    checkRoles(roles);
    file.change(all -> {
      if (known(all, name).forUsers()) {
        throw new TokensException(
            "The token of '%s' is for users, which have the role chat.".formatted(name), null);
      }
      return valid(all).stream()
          .map(each -> each.name().equals(name) ? each.with(roles) : each)
          .toList();
    });
  }

  /// Issues another token for that name; the earlier ones end after that time. It is shown before
  /// anything is stored: if that throws, nothing changes.
  ///
  /// @throws TokensException when the name has no token, or the file cannot be written
  public void rotate(String name, Duration grace, Consumer<String> shown) {
    String token = make();
    file.change(all -> {
      Issued latest = known(all, name);
      Instant now = time.now();
      List<Issued> next = new ArrayList<>();
      for (Issued each : valid(all)) {
        next.add(each.name().equals(name) ? each.until(now.plus(grace)) : each);
      }
      next.add(new Issued(name, latest.roles(), latest.forUsers(), now, null, hash(token)));
      shown.accept(token);
      return next;
    });
  }

  /// The latest token of that name.
  private static Issued known(List<Issued> all, String name) {
    return all.stream()
        .filter(each -> each.name().equals(name))
        .reduce((earlier, later) -> later)
        .orElseThrow(() -> new TokensException("'%s' has no token.".formatted(name), null));
  }

  /// Those that have not ended.
  private List<Issued> valid(List<Issued> all) {
    List<Issued> valid = new ArrayList<>(all);
    valid.removeIf(each -> each.until() != null && !time.now().isBefore(each.until()));
    return valid;
  }

  /// Revokes the tokens of that name; returns whether there was one.
  ///
  /// @throws TokensException when the file cannot be written
  public boolean revoke(String name) {
    if (all().stream().noneMatch(each -> each.name().equals(name))) {
      return false;
    }
    file.change(all -> all.stream().filter(each -> !each.name().equals(name)).toList());
    return true;
  }

  /// The tokens of the file, in the order they were added.
  ///
  /// @throws TokensException when the file cannot be read
  public List<Issued> all() {
    return valid(file.read());
  }

  /// The stored form of that token; null if it is invalid.
  @Nullable Issued find(String token) {
    return token.length() > MOST_CHARACTERS ? null : withHash(hash(token));
  }

  /// Whether a token with that hash, found before, is still valid and unchanged.
  boolean holds(Issued issued) {
    Issued now = withHash(issued.sha256());
    return now != null && now.name().equals(issued.name()) && now.roles().equals(issued.roles());
  }

  /// Compares with every token in constant time.
  private @Nullable Issued withHash(String sha256) {
    byte[] wanted = sha256.getBytes(StandardCharsets.US_ASCII);
    Issued found = null;
    for (Issued each : current()) {
      if (MessageDigest.isEqual(wanted, each.sha256().getBytes(StandardCharsets.US_ASCII))) {
        found = each;
      }
    }
    found = found != null && found.isValidAt(time.now()) ? found : null;
    boolean isConfigured =
        configured != null
            && MessageDigest.isEqual(
                wanted, configured.sha256().getBytes(StandardCharsets.US_ASCII));
    return isConfigured ? configured : found;
  }

  private List<Issued> current() {
    AccessTokenFile.Stamp stamp = file.stamp();
    if (AccessTokenFile.same(stamp, known.stamp())) {
      return known.all();
    }
    reading.lock();
    try {
      // Before the content, so that a change in between is noticed the next time.
      AccessTokenFile.Stamp now = file.stamp();
      if (!AccessTokenFile.same(now, known.stamp())) {
        known = new Known(now, readOrNone());
      }
      return known.all();
    } finally {
      reading.unlock();
    }
  }

  private List<Issued> readOrNone() {
    try {
      return file.read();
    } catch (TokensException e) {
      System.getLogger(Tokens.class.getName())
          .log(Level.ERROR, "No token of the file is valid: " + e.getMessage());
      return List.of();
    }
  }

  private String make() {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String hash(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
