/// What a call costs, side by side with peers.
@NullMarked
package dev.switchboard.bench;

import org.jspecify.annotations.NullMarked;
