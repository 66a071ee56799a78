package dev.switchboard.cli.chat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A person's answer to a waiting request.
record AnsweredRequest(ConsentRequest request, Answer answer) {
  /// The answer in a word or two, such as `y`, `no thanks` or `always`; null for any other line.
  static @Nullable Answer word(String line) {
    return switch (YesOrNo.of(line)) {
      case YES -> Answer.approveOnce();
      case ALWAYS -> Answer.approveAlways();
      case NO -> Answer.deny("");
      case null -> null;
    };
  }

  /// The answer of `/approve [ID] [--for 10m|--always]`.
  ///
  /// @throws IllegalArgumentException with the reason, when it is invalid
  static AnsweredRequest of(SlashCommand.Approve approve, List<ConsentRequest> waiting) {
    List<String> words = approve.words();
    boolean named = !words.isEmpty() && !words.getFirst().startsWith("--");
    ConsentRequest request = named ? find(words.getFirst(), waiting) : only(waiting);
    return new AnsweredRequest(request, approve.answer(words.subList(named ? 1 : 0, words.size())));
  }

  /// The answer of `/deny [ID] [REASON]`.
  ///
  /// @throws IllegalArgumentException with the reason, when it is invalid
  static AnsweredRequest of(SlashCommand.Deny deny, List<ConsentRequest> waiting) {
    List<String> words = deny.words();
    boolean named = !words.isEmpty() && isId(words.getFirst(), waiting);
    ConsentRequest request = named ? find(words.getFirst(), waiting) : only(waiting);
    List<String> reason = words.subList(named ? 1 : 0, words.size());
    return new AnsweredRequest(request, Answer.deny(String.join(" ", reason)));
  }

  /// Whether the word is an id; a word in the form of an id is never a reason.
  private static boolean isId(String word, List<ConsentRequest> waiting) {
    return word.startsWith("call_")
        || waiting.stream().anyMatch(request -> request.id().equals(word));
  }

  private static ConsentRequest find(String id, List<ConsentRequest> waiting) {
    return waiting.stream()
        .filter(request -> request.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no call '" + id + "' waits"));
  }

  private static ConsentRequest only(List<ConsentRequest> waiting) {
    if (waiting.isEmpty()) {
      throw new IllegalArgumentException("no call waits");
    }
    if (waiting.size() > 1) {
      String ids =
          waiting.stream().map(ConsentRequest::id).sorted().collect(Collectors.joining("', '"));
      throw new IllegalArgumentException("several calls wait; name one of '" + ids + "'");
    }
    return waiting.getFirst();
  }
}
