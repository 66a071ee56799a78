/// The entry point of Switchboard.
@NullMarked
package dev.switchboard;

import org.jspecify.annotations.NullMarked;
