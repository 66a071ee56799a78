/// Local programs that are ended together with their descendants.
@NullMarked
package dev.switchboard.process;

import org.jspecify.annotations.NullMarked;
