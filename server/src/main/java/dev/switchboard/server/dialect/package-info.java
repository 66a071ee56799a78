/// The events of a conversation in the form of four protocols, and the input of their clients.
/// Independent of HTTP.
@NullMarked
package dev.switchboard.server.dialect;

import org.jspecify.annotations.NullMarked;
