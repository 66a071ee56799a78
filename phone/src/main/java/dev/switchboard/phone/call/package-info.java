/// A call from its first ring to its end: speech, playback and tools.
@NullMarked
package dev.switchboard.phone.call;

import org.jspecify.annotations.NullMarked;
