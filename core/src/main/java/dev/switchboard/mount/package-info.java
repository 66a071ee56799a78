/// What modules bring to whoever serves HTTP: routes and sockets of their own.
@NullMarked
package dev.switchboard.mount;

import org.jspecify.annotations.NullMarked;
