/// An engine and a carrier to try calls with, as strict as the real ones.
@NullMarked
package dev.switchboard.phone.testing;

import org.jspecify.annotations.NullMarked;
