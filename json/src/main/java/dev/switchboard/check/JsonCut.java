package dev.switchboard.check;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.ArrayList;
import java.util.List;

/// The members of an object's text, or the items of an array's, as unread text; of a broken text,
/// those before the break.
///
/// @param names of the members; empty for an array
/// @param values as text, the last one up to the end if the text breaks in it
/// @param whole whether the text ends with the closing bracket
public record JsonCut(List<String> names, List<String> values, boolean whole) {
  public JsonCut {
    names = List.copyOf(names);
    values = List.copyOf(values);
  }

  /// The members of an object.
  public static JsonCut object(String text) {
    return new Scanner(text).cut('{', '}');
  }

  /// The items of an array.
  public static JsonCut array(String text) {
    return new Scanner(text).cut('[', ']');
  }

  private static final class Scanner {
    private final String text;
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    JsonCut cut(char opening, char closing) {
      boolean whole = skip(opening) && (skip(closing) || (elements(opening) && skip(closing)));
      return new JsonCut(names, values, whole && peek() == 0 && at == text.length());
    }

    private boolean elements(char opening) {
      do {
        if (opening == '{' && !name()) {
          return false;
        }
        if (!value()) {
          return false;
        }
      } while (skip(','));
      return true;
    }

    private boolean name() {
      peek();
      int start = at;
      if (!string()) {
        return false;
      }
      String name = text.substring(start, at);
      if (!skip(':')) {
        return false;
      }
      names.add(decoded(name));
      return true;
    }

    private static String decoded(String quoted) {
      try {
        return Json.text(quoted).tree().stringValue(quoted);
      } catch (JsonException e) {
        return quoted;
      }
    }

    private boolean value() {
      char first = peek();
      int start = at;
      boolean complete =
          switch (first) {
            case '"' -> string();
            case '{', '[' -> nested();
            default -> word();
          };
      values.add(complete ? text.substring(start, at) : text.substring(start));
      return complete;
    }

    /// Skips brackets within brackets, without recursion, since their depth is unlimited.
    private boolean nested() {
      StringBuilder open = new StringBuilder();
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '"') {
          if (!string()) {
            return false;
          }
          continue;
        }
        at++;
        if (c == '{' || c == '[') {
          open.append(c == '{' ? '}' : ']');
        } else if (c == '}' || c == ']') {
          if (open.charAt(open.length() - 1) != c) {
            return false;
          }
          open.setLength(open.length() - 1);
          if (open.isEmpty()) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean string() {
      if (at >= text.length() || text.charAt(at) != '"') {
        return false;
      }
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '\\') {
          at++;
        } else if (c == '"') {
          at++;
          return true;
        }
      }
      at = text.length();
      return false;
    }

    private boolean word() {
      int start = at;
      while (at < text.length() && " \t\r\n,]}:".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return at > start;
    }

    private boolean skip(char wanted) {
      boolean found = peek() == wanted && at < text.length();
      if (found) {
        at++;
      }
      return found;
    }

    /// The next character that is not white space, 0 at the end.
    private char peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }
  }
}
