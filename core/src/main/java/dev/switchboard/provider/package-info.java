/// What all clients of model providers share: requests, streams of events, and failures.
@NullMarked
package dev.switchboard.provider;

import org.jspecify.annotations.NullMarked;
