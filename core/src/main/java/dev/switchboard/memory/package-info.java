/// What agents remember: blocks in the prompt, entries that are searched, and the interface of
/// their stores.
@NullMarked
package dev.switchboard.memory;

import org.jspecify.annotations.NullMarked;
