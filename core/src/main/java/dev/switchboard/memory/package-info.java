/// What agents remember: blocks in the prompt, entries that are searched, and the port to wherever
/// they are kept.
@NullMarked
package dev.switchboard.memory;

import org.jspecify.annotations.NullMarked;
