/// The way in to Switchboard.
@NullMarked
package dev.switchboard;

import org.jspecify.annotations.NullMarked;
