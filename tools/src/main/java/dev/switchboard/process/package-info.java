/// Local programs, which are ended with their descendants, and files that only their owner reads.
@NullMarked
package dev.switchboard.process;

import org.jspecify.annotations.NullMarked;
