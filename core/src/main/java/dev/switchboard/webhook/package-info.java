/// Tools behind a URL: the guard of URLs from outside, the client that obeys it, and the signature
/// of a request.
@NullMarked
package dev.switchboard.webhook;

import org.jspecify.annotations.NullMarked;
