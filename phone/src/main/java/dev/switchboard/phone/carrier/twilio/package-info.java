/// Calls through Twilio.
@NullMarked
package dev.switchboard.phone.carrier.twilio;

import org.jspecify.annotations.NullMarked;
