/// The engine of calls whose carrier hears and speaks.
@NullMarked
package dev.switchboard.phone.engine.relay;

import org.jspecify.annotations.NullMarked;
