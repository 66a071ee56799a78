/// Who may do what over HTTP: tokens and their roles, the login of the console, and what every
/// request has to keep to before a route sees it.
@NullMarked
package dev.switchboard.server.access;

import org.jspecify.annotations.NullMarked;
