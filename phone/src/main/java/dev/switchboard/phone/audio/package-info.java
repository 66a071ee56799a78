/// Audio of telephone calls.
@NullMarked
package dev.switchboard.phone.audio;

import org.jspecify.annotations.NullMarked;
