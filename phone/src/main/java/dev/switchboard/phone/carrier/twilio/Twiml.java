package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.carrier.Medium;
import org.jspecify.annotations.Nullable;

/// Instructions for a call in TwiML, Twilio's XML.
final class Twiml {
  /// Its content type.
  static final String TYPE = "text/xml; charset=utf-8";

  private static final String RING_SECONDS = "20";

  private final StringBuilder out = new StringBuilder();

  private Twiml() {}

  /// Rejects the call, with or without the busy signal.
  static String reject(boolean busy) {
    return new Twiml().element("Reject", busy ? "busy" : null).response();
  }

  /// Ends the call.
  static String hangUp() {
    return new Twiml().open("Hangup").end().response();
  }

  /// Connects the call's audio to a socket, and requests the next instructions after that.
  static String connect(String action, String socket, String token) {
    Twiml twiml = new Twiml().open("Connect").attribute("action", action).inside();
    twiml.open("Stream").attribute("url", socket).inside();
    twiml.open("Parameter").attribute("name", MediaTokens.PARAMETER).attribute("value", token);
    return twiml.end().close("Stream").close("Connect").response();
  }

  /// Connects the call's words to a socket, by ConversationRelay, and requests the next
  /// instructions after that.
  static String relay(String action, String socket, String token, Medium.Text text) {
    Twiml twiml = new Twiml().open("Connect").attribute("action", action).inside();
    twiml.open("ConversationRelay").attribute("url", socket);
    RelayAttributes.of(text).forEach(twiml::attribute);
    twiml.inside();
    twiml.open("Parameter").attribute("name", MediaTokens.PARAMETER).attribute("value", token);
    return twiml.end().close("ConversationRelay").close("Connect").response();
  }

  /// Calls a number and connects the caller to it, and requests the next instructions after that.
  ///
  /// @param from the number shown as the caller, null for the carrier's choice
  static String dial(String number, @Nullable String from, String action) {
    Twiml twiml = new Twiml().open("Dial").attribute("timeout", RING_SECONDS);
    if (from != null) {
      twiml.attribute("callerId", from);
    }
    twiml.attribute("action", action).inside();
    return twiml.open("Number").inside().text(number).close("Number").close("Dial").response();
  }

  /// Speaks words with the carrier's voice and ends the call.
  static String sayAndHangUp(String words) {
    Twiml twiml = new Twiml().open("Say").inside().text(words).close("Say");
    return twiml.open("Hangup").end().response();
  }

  private Twiml element(String name, @Nullable String reason) {
    open(name);
    return reason == null ? end() : attribute("reason", reason).end();
  }

  private Twiml open(String name) {
    out.append('<').append(name);
    return this;
  }

  private Twiml attribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    text(value).out.append('"');
    return this;
  }

  private Twiml inside() {
    out.append('>');
    return this;
  }

  private Twiml end() {
    out.append("/>");
    return this;
  }

  private Twiml close(String name) {
    out.append("</").append(name).append('>');
    return this;
  }

  /// Adds untrusted text, without the characters that XML does not allow.
  private Twiml text(String text) {
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&apos;");
            default -> {
              if (isInXml(point)) {
                out.appendCodePoint(point);
              }
            }
          }
        });
    return this;
  }

  private static boolean isInXml(int point) {
    return point == '\t'
        || point == '\n'
        || point >= ' ' && point < Character.MIN_SURROGATE
        || point > Character.MAX_SURROGATE && point < 0xfffe
        || point > 0xffff;
  }

  private String response() {
    return "<Response>" + out + "</Response>";
  }
}
