/// What answers a call: handlers, typed and dynamic tools, webhooks, and the registry that holds
/// them.
@NullMarked
package dev.switchboard.handler;

import org.jspecify.annotations.NullMarked;
