/// The attempts of one call: its handler is run within its time, tried again where that may help,
/// and cancelled where no one waits for it any more.
@NullMarked
package dev.switchboard.attempt;

import org.jspecify.annotations.NullMarked;
