package dev.switchboard.mcp.oauth;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The challenge of the scheme `Bearer` in a server's header `WWW-Authenticate` (RFC 6750, RFC
/// 9728).
///
/// @param error such as `insufficient_scope`; empty for none
/// @param scopes that the request needs
/// @param resourceMetadata the URL of the document about the server; null for none
record Challenge(String error, List<String> scopes, @Nullable String resourceMetadata) {
  static final Challenge NONE = new Challenge("", List.of(), null);

  private static final int LONGEST = 16 * 1024;
  private static final int MOST_SCOPES = 100;
  private static final int LONGEST_SCOPE = 256;

  /// The challenge of the first scheme `Bearer`; an empty one if there is none.
  static Challenge read(@Nullable String header) {
    if (header == null || header.length() > LONGEST) {
      return NONE;
    }
    Map<String, String> parameters = new Reader(header).bearer();
    return new Challenge(
        parameters.getOrDefault("error", ""),
        scopes(parameters.getOrDefault("scope", "")),
        parameters.get("resource_metadata"));
  }

  /// The valid scopes of a list separated by spaces, each once.
  static List<String> scopes(String text) {
    return scopes(List.of(text.split(" ", -1)));
  }

  /// The valid scopes, each once.
  static List<String> scopes(List<String> all) {
    Set<String> some = new LinkedHashSet<>();
    for (String scope : all) {
      if (isScope(scope) && some.size() < MOST_SCOPES) {
        some.add(scope);
      }
    }
    return List.copyOf(some);
  }

  static boolean isScope(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_SCOPE
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
  }

  /// Both lists, each scope once.
  static List<String> union(List<String> some, List<String> others) {
    List<String> all = new ArrayList<>(some);
    all.addAll(others);
    return scopes(all);
  }

  /// Reads schemes and their parameters (RFC 9110, section 11.6.1); skips what it cannot read.
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    Map<String, String> bearer() {
      Map<String, String> parameters = new TreeMap<>();
      boolean bearer = false;
      while (at < text.length()) {
        String word = word(" \t,=");
        if (word.isEmpty()) {
          at++;
          continue;
        }
        skipSpaces();
        if (at < text.length() && text.charAt(at) == '=') {
          at++;
          String value = value();
          if (bearer) {
            parameters.putIfAbsent(word.toLowerCase(Locale.ROOT), value);
          }
        } else if (bearer) {
          break;
        } else {
          bearer = word.equalsIgnoreCase("Bearer");
        }
      }
      return parameters;
    }

    private String value() {
      skipSpaces();
      if (at >= text.length() || text.charAt(at) != '"') {
        return word(" \t,");
      }
      StringBuilder value = new StringBuilder();
      for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        value.append(text.charAt(at));
      }
      at++;
      return value.toString();
    }

    private String word(String ends) {
      int start = at;
      while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return text.substring(start, at);
    }

    private void skipSpaces() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
    }
  }
}
