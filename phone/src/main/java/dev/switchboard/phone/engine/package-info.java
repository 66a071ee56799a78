/// What hears and speaks on a call: the port to models of speech.
@NullMarked
package dev.switchboard.phone.engine;

import org.jspecify.annotations.NullMarked;
