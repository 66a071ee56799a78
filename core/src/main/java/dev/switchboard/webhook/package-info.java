/// Tools that live behind a URL: the guard before every URL given from outside, the client that
/// keeps to it, and the signature of a request.
@NullMarked
package dev.switchboard.webhook;

import org.jspecify.annotations.NullMarked;
