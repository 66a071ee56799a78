package dev.switchboard.check;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The syntax of addresses in formats.
public final class Addresses {
  private static final String ATOM_CHARACTERS = "!#$%&'*+-/=?^_`{|}~";
  private static final int GROUPS = 8;

  private Addresses() {}

  /// Whether the text is an e-mail address with a plain (dot-atom) or quoted local part and a host
  /// name or a bracketed address.
  static boolean isEmail(String text) {
    int at = text.lastIndexOf('@');
    if (at < 1 || at > 64) {
      return false;
    }
    String local = text.substring(0, at);
    return (isDotAtom(local) || isQuoted(local)) && isDomain(text.substring(at + 1));
  }

  private static boolean isQuoted(String text) {
    int last = text.length() - 1;
    if (last < 1 || text.charAt(0) != '"' || text.charAt(last) != '"') {
      return false;
    }
    for (int i = 1; i < last; i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        if (i == last) {
          return false;
        }
      } else if (c == '"') {
        return false;
      }
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  /// Whether the authority of a URI, whose characters are valid, has a valid host and port.
  static boolean isAuthority(String text) {
    String place = text.substring(text.lastIndexOf('@') + 1);
    int end = place.startsWith("[") ? place.indexOf(']') : place.indexOf(':');
    String host = end < 0 ? place : place.substring(0, end);
    if (host.startsWith("[") && !host.startsWith("[v") && !host.startsWith("[V")) {
      int zone = host.indexOf('%');
      if (ipv6(host.substring(1, zone < 0 ? host.length() : zone)) == null) {
        return false;
      }
    }
    String port = end < 0 ? "" : place.substring(place.startsWith("[") ? end + 1 : end);
    return port.isEmpty()
        || (port.charAt(0) == ':' && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isDotAtom(String text) {
    boolean afterDot = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.') {
        if (afterDot) {
          return false;
        }
        afterDot = true;
      } else if (letterOrDigit(c) || ATOM_CHARACTERS.indexOf(c) >= 0) {
        afterDot = false;
      } else {
        return false;
      }
    }
    return !afterDot;
  }

  private static boolean isDomain(String text) {
    if (text.startsWith("[") && text.endsWith("]")) {
      String address = text.substring(1, text.length() - 1);
      return address.startsWith("IPv6:") ? ipv6(address.substring(5)) != null : isIpv4(address);
    }
    return text.length() <= 253 && isHost(text);
  }

  private static boolean isHost(String text) {
    int labels = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == '.') {
        if (i == start
            || i - start > 63
            || text.charAt(start) == '-'
            || text.charAt(i - 1) == '-') {
          return false;
        }
        labels++;
        start = i + 1;
      } else if (!letterOrDigit(text.charAt(i)) && text.charAt(i) != '-') {
        return false;
      }
    }
    return labels > 0;
  }

  static boolean isIpv4(String text) {
    return ipv4(text) >= 0;
  }

  /// The bits of four decimal numbers separated by dots, or -1.
  private static long ipv4(String text) {
    String[] parts = text.split("\\.", -1);
    long bits = 0;
    for (String part : parts) {
      int octet = octet(part);
      if (octet < 0 || parts.length != 4) {
        return -1;
      }
      bits = bits << 8 | octet;
    }
    return bits;
  }

  private static int octet(String part) {
    if (part.isEmpty() || part.length() > 3 || (part.length() > 1 && part.charAt(0) == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    return value < 256 ? value : -1;
  }

  /// The eight groups of an IPv6 address, with `::` or a dotted IPv4 address at the end; null for
  /// any other text, such as one with a zone.
  public static int @Nullable [] ipv6(String text) {
    int gap = text.indexOf("::");
    List<Integer> front = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
    List<Integer> back = gap < 0 ? List.of() : groups(text.substring(gap + 2), true);
    if (front == null || back == null) {
      return null;
    }
    int zeros = GROUPS - front.size() - back.size();
    if (gap < 0 ? zeros != 0 : zeros < 1) {
      return null;
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < front.size(); i++) {
      groups[i] = front.get(i);
    }
    for (int i = 0; i < back.size(); i++) {
      groups[GROUPS - back.size() + i] = back.get(i);
    }
    return groups;
  }

  private static @Nullable List<Integer> groups(String text, boolean last) {
    List<Integer> groups = new ArrayList<>();
    String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      if (last && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
        long four = ipv4(parts[i]);
        if (four < 0) {
          return null;
        }
        groups.add((int) (four >> 16));
        groups.add((int) four & 0xffff);
      } else if (isGroup(parts[i])) {
        groups.add(Integer.parseInt(parts[i], 16));
      } else {
        return null;
      }
    }
    return groups;
  }

  private static boolean isGroup(String part) {
    return !part.isEmpty()
        && part.length() <= 4
        && part.chars().allMatch(c -> TextFormat.hexadecimal((char) c));
  }

  private static boolean letterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
