/// The interface to carriers, which deliver calls.
@NullMarked
package dev.switchboard.phone.carrier;

import org.jspecify.annotations.NullMarked;
