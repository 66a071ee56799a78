/// Conversations on the distributed engine Restate: an object for each conversation processes its
/// inputs one after the other, and the outcomes of its effects are in the engine's journal.
@NullMarked
package dev.switchboard.restate;

import org.jspecify.annotations.NullMarked;
