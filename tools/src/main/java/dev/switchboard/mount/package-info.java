/// Routes and sockets that modules add to an HTTP server.
@NullMarked
package dev.switchboard.mount;

import org.jspecify.annotations.NullMarked;
