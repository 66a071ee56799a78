/// Who brings calls in: the port to carriers.
@NullMarked
package dev.switchboard.phone.carrier;

import org.jspecify.annotations.NullMarked;
