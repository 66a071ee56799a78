/// The clock and the waiting, as a port, so that tests own both.
@NullMarked
package dev.switchboard.time;

import org.jspecify.annotations.NullMarked;
