/// Local programs, which are ended with their descendants.
@NullMarked
package dev.switchboard.process;

import org.jspecify.annotations.NullMarked;
