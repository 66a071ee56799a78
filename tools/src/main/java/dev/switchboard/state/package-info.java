/// The state of conversations and agents as values, and how it changes under concurrent threads and
/// processes.
@NullMarked
package dev.switchboard.state;

import org.jspecify.annotations.NullMarked;
