/// The loop of every conversation: its inputs, its effects, and the lines that it writes into the
/// transcript.
@NullMarked
package dev.switchboard.loop;

import org.jspecify.annotations.NullMarked;
