/// The list of model providers, and the common parts of their clients: requests, event streams and
/// failures.
@NullMarked
package dev.switchboard.provider;

import org.jspecify.annotations.NullMarked;
