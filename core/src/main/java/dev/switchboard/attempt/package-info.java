/// The attempts of one call: its handler is run within its time, tried again where that may help,
/// and cancelled where its answer is no longer awaited.
@NullMarked
package dev.switchboard.attempt;

import org.jspecify.annotations.NullMarked;
