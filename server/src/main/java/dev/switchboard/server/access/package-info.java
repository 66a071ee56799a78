/// Access control over HTTP: tokens and their roles, the login of the console, and checks of every
/// request.
@NullMarked
package dev.switchboard.server.access;

import org.jspecify.annotations.NullMarked;
