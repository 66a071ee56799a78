/// Calls through OpenAI's Realtime API.
@NullMarked
package dev.switchboard.phone.engine.realtime;

import org.jspecify.annotations.NullMarked;
