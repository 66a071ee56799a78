package dev.switchboard.phone.engine.relay;

import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import java.util.Map;
import java.util.function.Consumer;

/// The engine of calls whose carrier hears and speaks, as Twilio's ConversationRelay does: between
/// here and the carrier there is only text, and the agent's own model replies.
///
/// Immutable and thread-safe.
public final class ConversationRelay implements Engine {
  /// The default language.
  public static final String LANGUAGE = "en-US";

  private final Medium.Text text;

  private ConversationRelay(Medium.Text text) {
    this.text = text;
  }

  /// The carrier's default voice, in American English.
  public static ConversationRelay of() {
    return new ConversationRelay(new Medium.Text(null, LANGUAGE, Map.of()));
  }

  /// The relay with that voice of the carrier.
  public ConversationRelay withVoice(String voice) {
    return new ConversationRelay(new Medium.Text(voice, text.language(), text.options()));
  }

  /// The relay with that language of caller and voice.
  ///
  /// @param language such as `de-DE` (BCP 47)
  /// @throws IllegalArgumentException when it does not have that form
  public ConversationRelay withLanguage(String language) {
    return new ConversationRelay(new Medium.Text(text.voice(), language, text.options()));
  }

  /// The relay with these settings of the carrier, by their names there, such as `ttsProvider`.
  ///
  /// @throws IllegalArgumentException when one of them cannot be set
  public ConversationRelay withOptions(Map<String, String> options) {
    return new ConversationRelay(new Medium.Text(text.voice(), text.language(), options));
  }

  @Override
  public String name() {
    return "relay";
  }

  @Override
  public Keeper conversation() {
    return Keeper.AGENT;
  }

  @Override
  public Medium medium() {
    return text;
  }

  @Override
  public EngineSession open(Setup setup, Consumer<EngineEvent> events) {
    TextSession session = new TextSession(events);
    session.begin();
    return session;
  }
}
