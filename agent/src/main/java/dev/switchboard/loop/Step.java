package dev.switchboard.loop;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.state.LoopState;
import java.util.List;

/// The result of an input: the end of a turn, in [LoopState#last()], or a turn that waits.
///
/// @param state of the conversation from then on
/// @param waiting the requests that a person has to answer first; none if the turn has ended
public record Step(LoopState state, List<ConsentRequest> waiting) {
  public Step {
    waiting = List.copyOf(waiting);
  }
}
