/// The common parts of the clients of model providers: requests, event streams and failures.
@NullMarked
package dev.switchboard.provider;

import org.jspecify.annotations.NullMarked;
