/// What is remembered of conversations and agents, as values, and how such a value changes in steps
/// against other threads and processes.
@NullMarked
package dev.switchboard.state;

import org.jspecify.annotations.NullMarked;
