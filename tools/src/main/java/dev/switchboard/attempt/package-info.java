/// The attempts of one call: they run the handler with a time limit, retry it, and cancel it when
/// its answer is no longer needed.
@NullMarked
package dev.switchboard.attempt;

import org.jspecify.annotations.NullMarked;
