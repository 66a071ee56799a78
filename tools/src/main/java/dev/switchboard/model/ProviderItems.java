package dev.switchboard.model;

import dev.switchboard.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a provider needs back with a reply beside its words and calls, such as encrypted reasoning,
/// and where in the reply it stood. It is sent to the same model alone, and shown to nobody.
///
/// @param by whose it is: the API, the host and the model, such as
///   `responses/api.openai.com/gpt-6-luna`
/// @param version of the form of the entries; those of another one are not sent
/// @param fresh whether the reply was made without the items of earlier replies, which are not sent
///   any more
/// @param entries the parts of the reply in their order, each an object with one of these members:
///   `item`, the provider's as it came; `text`, the number of characters of a piece of the words;
///   `call`, the place of a call in the list, from 0. Beside `text` there may be others, which the
///   provider needs back with that piece. Pieces of words that are not continuous have a blank line
///   between them
public record ProviderItems(String by, int version, boolean fresh, List<Json> entries) {
  /// The version of the form that is written.
  public static final int VERSION = 1;

  public ProviderItems {
    entries = List.copyOf(entries);
  }

  /// The items of a reply that had those of earlier replies.
  public static ProviderItems of(String by, List<Json> entries) {
    return new ProviderItems(by, VERSION, false, entries);
  }

  /// These items of a reply that was made without those of earlier replies.
  public ProviderItems freshly() {
    return new ProviderItems(by, version, true, entries);
  }

  /// What is left of the items of a reply whose words or calls are no longer the model's: that it
  /// was fresh, or else nothing.
  public static @Nullable ProviderItems withoutEntries(@Nullable ProviderItems items) {
    return items == null || !items.fresh
        ? null
        : new ProviderItems(items.by, items.version, true, List.of());
  }

  /// Whether a model of that name may get them.
  public boolean isFor(String model) {
    return version == VERSION && by.equals(model);
  }

  /// Whose they are, and how many.
  @Override
  public String toString() {
    return "ProviderItems[by=" + by + ", entries=" + entries.size() + "]";
  }
}
