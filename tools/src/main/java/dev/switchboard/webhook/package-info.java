/// Webhooks: the guard of URLs from outside, the HTTP client that it protects, and the signature of
/// requests.
@NullMarked
package dev.switchboard.webhook;

import org.jspecify.annotations.NullMarked;
