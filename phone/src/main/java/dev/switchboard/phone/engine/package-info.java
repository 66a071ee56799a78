/// The port to speech models, which hear and speak on calls.
@NullMarked
package dev.switchboard.phone.engine;

import org.jspecify.annotations.NullMarked;
