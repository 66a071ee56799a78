/// Stores of conversations and memory, which outlive the process.
@NullMarked
package dev.switchboard.store;

import org.jspecify.annotations.NullMarked;
