package dev.switchboard.loop;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.state.LoopState;
import java.util.List;

/// What an input has brought about: the end of a turn, which [LoopState#last()] tells, or a turn
/// that waits.
///
/// @param state where the conversation stands from then on
/// @param waiting the requests that a person has to answer first; none where the turn has ended
public record Step(LoopState state, List<ConsentRequest> waiting) {
  public Step {
    waiting = List.copyOf(waiting);
  }
}
