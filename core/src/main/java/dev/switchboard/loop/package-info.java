/// The loop of every conversation as a step function: its inputs, the effects that it asks for, and
/// what it writes into the transcript.
@NullMarked
package dev.switchboard.loop;

import org.jspecify.annotations.NullMarked;
