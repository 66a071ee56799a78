/// The memory of agents: blocks in the prompt, entries that are searched, and the interface of
/// stores.
@NullMarked
package dev.switchboard.memory;

import org.jspecify.annotations.NullMarked;
