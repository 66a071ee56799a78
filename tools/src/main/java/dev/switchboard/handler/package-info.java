/// Handlers, typed and dynamic tools, webhooks, and the registry of tools.
@NullMarked
package dev.switchboard.handler;

import org.jspecify.annotations.NullMarked;
