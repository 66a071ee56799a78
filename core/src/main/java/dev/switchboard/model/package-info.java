/// The port to language models: what they are asked, what they reply, and conversations with them
/// recorded and played back.
@NullMarked
package dev.switchboard.model;

import org.jspecify.annotations.NullMarked;
