package dev.switchboard.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Translates ECMAScript's Unicode classes, `\p{..}`, for the regex library.
final class UnicodeClass {
  private static final Map<String, String> CATEGORIES = new HashMap<>();

  static {
    String[][] names = {
      {"L", "Letter"}, {"Lu", "Uppercase_Letter"}, {"Ll", "Lowercase_Letter"},
      {"Lt", "Titlecase_Letter"}, {"Lm", "Modifier_Letter"}, {"Lo", "Other_Letter"},
      {"M", "Mark", "Combining_Mark"}, {"Mn", "Nonspacing_Mark"}, {"Mc", "Spacing_Mark"},
      {"Me", "Enclosing_Mark"}, {"N", "Number"}, {"Nd", "Decimal_Number", "digit"},
      {"Nl", "Letter_Number"}, {"No", "Other_Number"}, {"P", "Punctuation", "punct"},
      {"Pc", "Connector_Punctuation"}, {"Pd", "Dash_Punctuation"}, {"Ps", "Open_Punctuation"},
      {"Pe", "Close_Punctuation"}, {"Pi", "Initial_Punctuation"}, {"Pf", "Final_Punctuation"},
      {"Po", "Other_Punctuation"}, {"S", "Symbol"}, {"Sm", "Math_Symbol"},
      {"Sc", "Currency_Symbol"}, {"Sk", "Modifier_Symbol"}, {"So", "Other_Symbol"},
      {"Z", "Separator"}, {"Zs", "Space_Separator"}, {"Zl", "Line_Separator"},
      {"Zp", "Paragraph_Separator"}, {"Cc", "Control", "cntrl"}, {"Cf", "Format"},
      {"Co", "Private_Use"}
    };
    for (String[] category : names) {
      for (String name : category) {
        CATEGORIES.put(name, category[0]);
      }
    }
  }

  private UnicodeClass() {}

  /// Writes the class whose letter `p` or `P` is at `at`; returns the place of its last character.
  ///
  /// @throws IllegalArgumentException when the class does not exist or is not supported
  static int translate(String source, int at, boolean inClass, StringBuilder out) {
    boolean not = source.charAt(at) == 'P';
    if (source.startsWith("{ASCII}", at + 1)) {
      String range = not ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}";
      out.append(inClass ? range : "[" + range + "]");
      return at + "{ASCII}".length();
    }
    int end = source.startsWith("{", at + 1) ? source.indexOf('}', at) : -1;
    boolean braced = end >= 0;
    if (!braced) {
      end = Math.min(at + 1, source.length() - 1);
    }
    String name = source.substring(braced ? at + 2 : at + 1, braced ? end : end + 1);
    out.append(not ? "\\P{" : "\\p{").append(word(name)).append('}');
    return end;
  }

  private static String word(String name) {
    int equals = name.indexOf('=');
    String property = equals < 0 ? "General_Category" : name.substring(0, equals);
    String value = name.substring(equals + 1);
    if (List.of("General_Category", "gc").contains(property) && CATEGORIES.containsKey(value)) {
      return CATEGORIES.get(value);
    }
    if ((equals < 0 || List.of("Script", "sc").contains(property)) && isKnown(value)) {
      return value;
    }
    String hint = equals < 0 ? Closest.hint(name, CATEGORIES.keySet()) : "";
    throw new IllegalArgumentException(
        "a pattern with the Unicode class "
            + ValueText.quoted(name)
            + ", which is not supported"
            + hint);
  }

  private static boolean isKnown(String name) {
    try {
      return name.matches("[A-Za-z_]{1,40}") && Pattern.compile("\\p{" + name + "}") != null;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
