/// The events of a conversation as clients of four protocols read them, and what these clients
/// send. Nothing here knows of HTTP.
@NullMarked
package dev.switchboard.server.dialect;

import org.jspecify.annotations.NullMarked;
