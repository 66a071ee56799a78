/// What relay sockets have in common: the messages, the line and the queue of a socket over which a
/// carrier sends and gets words.
@NullMarked
package dev.switchboard.phone.carrier.relay;

import org.jspecify.annotations.NullMarked;
