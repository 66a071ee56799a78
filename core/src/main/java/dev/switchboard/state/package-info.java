/// The state of conversations and agents, as values, and their changes against concurrent threads
/// and processes.
@NullMarked
package dev.switchboard.state;

import org.jspecify.annotations.NullMarked;
