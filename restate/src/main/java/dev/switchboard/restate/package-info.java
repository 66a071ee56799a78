/// Conversations on the distributed engine Restate: an object per conversation takes its inputs one
/// after the other, and what its effects have come to stands in the engine's journal.
@NullMarked
package dev.switchboard.restate;

import org.jspecify.annotations.NullMarked;
