/// Simulators of an engine and a carrier for tests, as strict as the real services.
@NullMarked
package dev.switchboard.phone.testing;

import org.jspecify.annotations.NullMarked;
