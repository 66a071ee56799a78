package dev.switchboard.phone;

import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.call.CallSettings.Words;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Builds a [Phone].
public final class PhoneBuilder {

  private @Nullable Carrier carrier;
  private @Nullable String number;
  private @Nullable String publicUrl;
  private @Nullable Engine engine;
  private Transfer transfer = Transfer.DEFAULT;
  private Limits limits = Limits.DEFAULT;
  private ConsentMode consent = ConsentMode.OPERATOR;
  private Words words = Words.DEFAULT;
  private List<String> systemTools = ToolNames.RESERVED;
  @Nullable Path log;
  private boolean farewellInterruptible = true;
  private boolean logKeys;
  Time time = Time.SYSTEM;
  CallHooks hooks = CallHooks.NONE;

  PhoneBuilder() {}

  /// Sets the carrier, which delivers the calls.
  public PhoneBuilder carrier(Carrier by) {
    carrier = by;
    return this;
  }

  /// Sets the number, such as `+15550001234` (E.164).
  ///
  /// @throws IllegalArgumentException when it is not `+` and 7 to 15 digits
  public PhoneBuilder number(String called) {
    if (!PhoneNumber.is(called)) {
      throw new IllegalArgumentException(
          "'" + called + "' is not a phone number: + and 7 to 15 digits");
    }
    number = called;
    return this;
  }

  /// Sets the URL at which the carrier reaches this process, such as `https://phone.example.com`;
  /// `http` only on loopback.
  ///
  /// @throws IllegalArgumentException when it is not such a URL
  public PhoneBuilder publicUrl(String url) {
    PublicUrl unusedChecked = PublicUrl.of(url);
    publicUrl = url;
    return this;
  }

  /// Sets the engine, a speech model.
  public PhoneBuilder engine(Engine hearing) {
    engine = hearing;
    return this;
  }

  /// Sets where calls may be transferred: by default to numbers with the calling code of the
  /// phone's own.
  public PhoneBuilder transfer(Transfer policy) {
    transfer = policy;
    return this;
  }

  /// Sets the limits of calls: by default 30 minutes, 50 at a time, 2 minutes of silence.
  public PhoneBuilder limits(Limits bounds) {
    limits = bounds;
    return this;
  }

  /// Sets who decides about tool calls that need consent: by default an operator.
  public PhoneBuilder consent(ConsentMode by) {
    consent = by;
    return this;
  }

  /// Sets a sentence that the phone itself says, in the caller's language: by default in English.
  public PhoneBuilder words(Phrase phrase, String own) {
    words = words.with(phrase, own);
    return this;
  }

  /// Sets the built-in tools of the model: by default `transfer_call` and `end_call`.
  ///
  /// @throws IllegalArgumentException when one is another
  public PhoneBuilder systemTools(String... names) {
    List<String> some = List.of(names);
    for (String name : some) {
      if (!ToolNames.RESERVED.contains(name)) {
        throw new IllegalArgumentException(
            "'" + name + "' is not a system tool: they are 'transfer_call' and 'end_call'");
      }
    }
    systemTools = some;
    return this;
  }

  /// Completes a transfer or the end of the call even if the caller speaks before it. By default
  /// speech prevents it.
  public PhoneBuilder endsDespiteSpeech() {
    farewellInterruptible = false;
    return this;
  }

  /// Sets the folder of the logs. Each call gets a folder with its record, its events and its
  /// transcript.
  public PhoneBuilder log(Path folder) {
    log = folder;
    return this;
  }

  /// Includes the keys that the caller presses in the logged events.
  public PhoneBuilder logKeys() {
    logKeys = true;
    return this;
  }

  /// Adds a hook that runs when a call arrives.
  public PhoneBuilder onCallStart(Consumer<Carrier.Arrival> hook) {
    hooks = hooks.withStart(hook);
    return this;
  }

  /// Adds a hook that receives each line of a call's transcript, once it is spoken and transcribed.
  public PhoneBuilder onTranscript(Consumer<Said> hook) {
    hooks = hooks.withTranscript(hook);
    return this;
  }

  /// Adds a hook that runs once when a call has ended, with the reason, such as `hung_up` or
  /// `end_call`.
  public PhoneBuilder onCallEnd(BiConsumer<Carrier.Arrival, String> hook) {
    hooks = hooks.withEnd(hook);
    return this;
  }

  /// A line of a call's transcript.
  ///
  /// @param role `caller`, `agent`, `tool` or `system`
  public record Said(String call, String role, String text) {}

  /// Sets the clock of calls, for tests.
  public PhoneBuilder time(Time clock) {
    time = clock;
    return this;
  }

  CallSettings settings() {
    return new CallSettings(
        needed(number, "number"),
        transfer,
        limits,
        consent,
        words,
        systemTools,
        farewellInterruptible,
        logKeys);
  }

  /// Builds the phone.
  ///
  /// @throws IllegalStateException when carrier, number, public URL or engine is missing
  public Phone build() {
    return new Phone(
        this, needed(carrier, "carrier"), needed(publicUrl, "publicUrl"), needed(engine, "engine"));
  }

  private static <T> T needed(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalStateException(
          "a phone needs a " + name + ": Phone.builder()." + name + "(..)");
    }
    return value;
  }
}
