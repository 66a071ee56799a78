package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the engine of calls whose carrier hears and speaks.
final class RelayReader implements EngineReader {
  private static final String PROVIDER = "relay";

  @Override
  public String provider() {
    return PROVIDER;
  }

  @Override
  public @Nullable EngineSettings word(StatedValue value, @Nullable String model) {
    if (model == null) {
      return new Stated(ConversationRelay.of());
    }
    value.bad("must be \"relay\" without a name: the agent's own model replies");
    return null;
  }

  @Override
  public @Nullable EngineSettings table(StatedValue value, PhoneEnvironment environment) {
    PhoneKeys.Relay table = value.bind(PhoneKeys.Relay.class);
    if (table == null) {
      return null;
    }
    ConversationRelay relay = ConversationRelay.of();
    String voice = PhoneValues.checked(table.voice(), text -> true, "");
    if (voice != null) {
      relay = relay.withVoice(voice);
    }
    String language =
        PhoneValues.checked(
            table.language(), Medium.Text::isLanguage, "a language such as 'de-DE'");
    if (language != null) {
      relay = relay.withLanguage(language);
    }
    return new Stated(withOptions(relay, table.options()));
  }

  private static ConversationRelay withOptions(
      ConversationRelay relay, Map<String, StatedValue> options) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, StatedValue> option : options.entrySet()) {
      StatedValue value = option.getValue();
      String text = value.node().isValueNode() ? value.node().asString("") : "";
      String fault =
          text.isEmpty()
              ? "must be a text, a number or true or false"
              : Medium.Text.fault(option.getKey(), text);
      if (fault == null) {
        texts.put(option.getKey(), text);
      } else {
        value.bad(fault);
      }
    }
    return relay.withOptions(texts);
  }

  /// What a file states.
  private record Stated(ConversationRelay relay) implements EngineSettings {
    @Override
    public @Nullable String keyVariable() {
      return null;
    }

    @Override
    public boolean isOfText() {
      return true;
    }

    @Override
    public Engine engine(Function<String, @Nullable String> environment) {
      return relay;
    }
  }
}
