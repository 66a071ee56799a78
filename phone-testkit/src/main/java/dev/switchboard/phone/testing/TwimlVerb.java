package dev.switchboard.phone.testing;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// An instruction of TwiML.
sealed interface TwimlVerb {
  /// The noun of a relay session.
  String RELAY = "ConversationRelay";

  /// Rejects the call.
  record Reject(boolean busy) implements TwimlVerb {}

  /// Ends the call.
  record Hangup() implements TwimlVerb {}

  /// Speaks.
  record Say(String words) implements TwimlVerb {}

  /// Connects the call to a socket.
  ///
  /// @param action requested after it, null for none
  /// @param relay the settings of a relay session, null for a media stream
  record Connect(
      @Nullable String action,
      String url,
      Map<String, String> parameters,
      @Nullable RelaySettings relay)
      implements TwimlVerb {}

  /// Calls a number.
  ///
  /// @param action requested after it, null for none
  record Dial(@Nullable String action, String number) implements TwimlVerb {}

  /// The verbs of a document.
  ///
  /// @throws IllegalArgumentException when it is not TwiML, or has verbs that this simulator does
  ///   not know
  static List<TwimlVerb> parse(String xml) {
    List<TwimlVerb> verbs = new ArrayList<>();
    Element response = root(xml);
    check(response.getTagName().equals("Response"), "the root is not Response");
    for (Element verb : children(response)) {
      verbs.add(verb(verb));
    }
    return verbs;
  }

  private static Element root(String xml) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(new InputSource(new StringReader(xml))).getDocumentElement();
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new IllegalArgumentException("12100 the document cannot be parsed", e);
    }
  }

  private static TwimlVerb verb(Element verb) {
    return switch (verb.getTagName()) {
      case "Reject" -> new Reject(verb.getAttribute("reason").equals("busy"));
      case "Hangup" -> new Hangup();
      case "Say" -> new Say(verb.getTextContent());
      case "Connect" -> connect(verb);
      case "Dial" -> new Dial(action(verb), only(verb, "Number").getTextContent());
      default -> throw new IllegalArgumentException("12200 unknown verb " + verb.getTagName());
    };
  }

  private static Connect connect(Element verb) {
    List<Element> nouns = children(verb);
    boolean relays = nouns.size() == 1 && nouns.getFirst().getTagName().equals(RELAY);
    return relays ? relay(verb, nouns.getFirst()) : stream(verb, only(verb, "Stream"));
  }

  private static Connect stream(Element verb, Element stream) {
    String url = stream.getAttribute("url");
    check(isSecure(url), "31920 the stream's URL is not wss");
    check(!url.contains("?"), "31922 the stream's URL has a query");
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Element parameter : children(stream)) {
      check(parameter.getTagName().equals("Parameter"), "a stream holds parameters alone");
      parameters.put(parameter.getAttribute("name"), parameter.getAttribute("value"));
    }
    return new Connect(action(verb), url, parameters, null);
  }

  private static Connect relay(Element verb, Element relay) {
    String url = relay.getAttribute("url");
    // The attribute 'url' must begin with wss
    // (twilio.com/docs/voice/twiml/connect/conversationrelay).
    check(isSecure(url), "64102 the session's URL is not wss");
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Element child : children(relay)) {
      switch (child.getTagName()) {
        case "Parameter" -> parameters.put(needed(child, "name"), needed(child, "value"));
        case "Language" -> needed(child, "code");
        default -> check(false, "12200 a session does not hold " + child.getTagName());
      }
    }
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < relay.getAttributes().getLength(); i++) {
      Node attribute = relay.getAttributes().item(i);
      attributes.put(attribute.getNodeName(), attribute.getNodeValue());
    }
    return new Connect(action(verb), url, parameters, RelaySettings.of(attributes));
  }

  private static boolean isSecure(String url) {
    return url.startsWith("wss://")
        || url.matches("ws://(127\\.[0-9.]+|localhost|\\[::1])(:\\d+)?/.*");
  }

  private static String needed(Element element, String attribute) {
    String value = element.getAttribute(attribute);
    check(!value.isEmpty(), "12200 a " + element.getTagName() + " needs '" + attribute + "'");
    return value;
  }

  private static @Nullable String action(Element verb) {
    return verb.hasAttribute("action") ? verb.getAttribute("action") : null;
  }

  private static Element only(Element parent, String name) {
    List<Element> children = children(parent);
    check(
        children.size() == 1 && children.getFirst().getTagName().equals(name),
        parent.getTagName() + " needs one " + name);
    return children.getFirst();
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static void check(boolean holds, String fault) {
    if (!holds) {
      throw new IllegalArgumentException(fault);
    }
  }
}
