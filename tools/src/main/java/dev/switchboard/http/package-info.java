/// The common parts of HTTP clients: requests sent once, cancellation of requests that hang, and
/// sockets that ignore proxies.
@NullMarked
package dev.switchboard.http;

import org.jspecify.annotations.NullMarked;
