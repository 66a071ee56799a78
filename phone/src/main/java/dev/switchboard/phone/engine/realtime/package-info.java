/// Calls that hear and speak by OpenAI's Realtime interface.
@NullMarked
package dev.switchboard.phone.engine.realtime;

import org.jspecify.annotations.NullMarked;
