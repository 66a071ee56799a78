package dev.switchboard.agent;

import dev.switchboard.guard.Guards;
import dev.switchboard.guard.Screen;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The guardrails between a model and the readers of its reply; each attempt of the model has its
/// own screen.
final class Screening {
  private final SessionGuards guards;
  private final Consumer<String> show;
  private final boolean streams;
  private final boolean formed;
  private final boolean screens;
  private volatile boolean held; // a reply of a form was blocked
  private volatile @Nullable Screen screen; // of the latest attempt

  /// @param formed whether the reply must have a form, and is shown later
  /// @param show receives the text as it is streamed, null if it is not streamed
  Screening(SessionGuards guards, boolean formed, @Nullable Consumer<Event> show) {
    this.formed = formed;
    this.guards = guards;
    this.show = show == null ? words -> {} : words -> show.accept(new Event.Content(words));
    streams = show != null;
    screen = guards.screen(this.show);
    screens = screen != null;
  }

  /// Whether a guardrail checks replies.
  boolean screens() {
    return screens;
  }

  /// A stream for one attempt. It is cancelled once a guardrail has ended the reply.
  ReplyStream stream() {
    Screen fresh = guards.screen(show);
    screen = fresh;
    if (fresh == null || !streams) {
      return ReplyStream.held();
    }
    AtomicReference<@Nullable ReplyStream> stream = new AtomicReference<>();
    ReplyStream made =
        new ReplyStream(words -> {
          fresh.text(words);
          ReplyStream own = stream.get();
          if (fresh.blocked() && own != null) {
            own.cancel();
          }
        });
    stream.set(made);
    return made;
  }

  /// Whether a guardrail has ended the reply.
  boolean blocked() {
    Screen last = screen;
    return held || last != null && last.blocked();
  }

  /// The reply after the guardrails; a blocked one has no calls.
  ModelReply left(ModelReply reply) {
    Screen last = screen;
    if (last == null) {
      return reply;
    }
    String line = formed ? whole(reply.text()) : last.finish(reply.text());
    // A model may stream text that is not part of its reply, such as thoughts.
    boolean isOther = !formed && !last.blocked() && !last.hasSeen(reply.text());
    String words = isOther ? whole(reply.text()) : line;
    return blocked()
        ? new ModelReply(
            words,
            List.of(),
            ModelReply.FinishReason.STOP,
            reply.usage(),
            ProviderItems.withoutEntries(reply.items()))
        : reply.withText(words);
  }

  private String whole(String words) {
    Guards.Verdict verdict = guards.output(words);
    String substitute = verdict.substitute();
    held = substitute != null;
    return substitute == null ? verdict.text() : substitute;
  }
}
