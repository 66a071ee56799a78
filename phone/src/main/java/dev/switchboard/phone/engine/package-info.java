/// The interface to speech models for calls.
@NullMarked
package dev.switchboard.phone.engine;

import org.jspecify.annotations.NullMarked;
