package dev.switchboard.phone;

import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private CallSettings.Builder calls = CallSettings.builder();
  private boolean namesSystemTools;
  @Nullable Path log;
  Time time = Time.SYSTEM;
  CallHooks hooks = CallHooks.NONE;

  PhoneBuilder() {}

  /// Sets the carrier, which delivers the calls.
  public PhoneBuilder carrier(@Nullable Carrier by) {
    carrier = by;
    return this;
  }

  /// Sets the number, such as `+15550001234` (E.164); calls from the browser have none.
  ///
  /// @param called null, such as of an environment variable that is not set, is reported by
  ///   [#build]
  /// @throws IllegalArgumentException when it is not `+` and 7 to 15 digits
  public PhoneBuilder number(@Nullable String called) {
    if (called != null && !PhoneNumber.is(called)) {
      throw new IllegalArgumentException(
          "'" + called + "' is not a phone number: + and 7 to 15 digits");
    }
    number = called;
    return this;
  }

  /// Sets the URL at which the carrier reaches this process, such as `https://phone.example.com`;
  /// `http` only on loopback. Calls from the browser need none.
  ///
  /// @param url null, such as of an environment variable that is not set, is reported by [#build]
  /// @throws IllegalArgumentException when it is not such a URL
  public PhoneBuilder publicUrl(@Nullable String url) {
    if (url != null) {
      PublicUrl unusedChecked = PublicUrl.of(url);
    }
    publicUrl = url;
    return this;
  }

  /// Sets the engine, a speech model.
  public PhoneBuilder engine(@Nullable Engine hearing) {
    engine = hearing;
    return this;
  }

  /// Sets where calls may be transferred, such as `Transfer.to(Map.of("support", "+15550001111"))`:
  /// by default nowhere, so that the model has no `transfer_call`.
  ///
  /// @throws IllegalArgumentException when one of its numbers has another form, or the model may
  ///   state numbers but none are allowed
  public PhoneBuilder transfer(Transfer policy) {
    String fault = policy.fault();
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    calls.transfer(policy);
    return this;
  }

  /// Sets the limits of calls: by default 30 minutes, 50 at a time, 2 minutes of silence.
  public PhoneBuilder limits(Limits bounds) {
    calls.limits(bounds);
    return this;
  }

  /// Sets who decides about tool calls that need consent: by default an operator.
  public PhoneBuilder consent(ConsentMode by) {
    calls.consent(by);
    return this;
  }

  /// Sets a sentence that the phone itself says, in the caller's language: by default in English.
  public PhoneBuilder words(Phrase phrase, String own) {
    calls.words(phrase, own);
    return this;
  }

  /// Sets the built-in tools of the model: by default `end_call`, and `transfer_call` if there are
  /// destinations.
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
    calls.systemTools(some);
    namesSystemTools = true;
    return this;
  }

  /// Completes a transfer or the end of the call even if the caller speaks before it. By default
  /// speech prevents it.
  public PhoneBuilder endsDespiteSpeech() {
    return with(Flag.FAREWELL_INTERRUPTIBLE, false);
  }

  /// Sets the folder of the logs. Each call gets a folder with its record, its events and its
  /// transcript.
  public PhoneBuilder log(Path folder) {
    log = folder;
    return this;
  }

  /// Includes the keys that the caller presses in the logged events.
  public PhoneBuilder logKeys() {
    return with(Flag.LOG_KEYS, true);
  }

  private PhoneBuilder with(Flag flag, boolean so) {
    calls.flag(flag, so);
    return this;
  }

  /// Lets calls from one number share their memory; by default each call has its own. Numbers can
  /// be forged: anyone who calls with a number reads and changes what is remembered of it.
  public PhoneBuilder remembersCallers() {
    calls.callersRemembered(true);
    return this;
  }

  /// Sets the paragraph that joins the agent's prompt where its own model replies, as with
  /// [dev.switchboard.phone.engine.relay.ConversationRelay]: by default one on speaking by phone;
  /// empty for none.
  public PhoneBuilder prompt(String paragraph) {
    calls.paragraph(paragraph);
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

  /// Sets the number and all settings of calls.
  ///
  /// @param named whether they name the built-in tools of the model
  /// @throws IllegalArgumentException as [#number] and [#transfer]
  PhoneBuilder calls(CallSettings all, boolean named) {
    calls = all.change();
    namesSystemTools = named;
    return number(all.number().isEmpty() ? null : all.number()).transfer(all.transfer());
  }

  CallSettings settings(String called) {
    return calls.number(called).build();
  }

  /// Whether the model cannot transfer calls, and nothing says that it should not.
  boolean lacksDestinations() {
    boolean isTelephone = carrier == null || carrier.isTelephone();
    return isTelephone && !namesSystemTools && !calls.build().transfer().offersAny();
  }

  /// Builds the phone.
  ///
  /// @throws IllegalStateException that names everything that is missing: carrier, number, public
  ///   URL or engine, or one of their environment variables; or destinations, if the tool
  ///   `transfer_call` is named
  public Phone build() {
    List<String> missing = new ArrayList<>();
    Carrier by = needed(carrier, "carrier", missing);
    boolean isTelephone = by == null || by.isTelephone();
    String called = isTelephone ? needed(number, "number", missing) : "";
    String url = isTelephone ? needed(publicUrl, "publicUrl", missing) : "";
    Engine hearing = needed(engine, "engine", missing);
    missing.addAll(by == null ? List.of() : by.missing());
    missing.addAll(hearing == null ? List.of() : hearing.missing());
    if (!isTelephone && hearing != null && !(hearing.medium() instanceof Medium.Text)) {
      missing.add("calls from the browser need an engine of text: ConversationRelay.of()");
    }
    CallSettings settings = calls.build();
    boolean transfers =
        namesSystemTools
            && isTelephone
            && settings.systemTools().contains(ToolNames.RESERVED.getFirst());
    if (transfers && !settings.transfer().offersAny()) {
      missing.add("transfer_call needs destinations: Phone.builder().transfer(..)");
    }
    if (by == null || called == null || url == null || hearing == null || !missing.isEmpty()) {
      throw new IllegalStateException(String.join("; ", missing));
    }
    return new Phone(this, by, called, url, hearing);
  }

  private static <T> @Nullable T needed(@Nullable T value, String name, List<String> missing) {
    if (value == null) {
      String article = name.equals("engine") ? "an " : "a ";
      missing.add("a phone needs " + article + name + ": Phone.builder()." + name + "(..)");
    }
    return value;
  }
}
