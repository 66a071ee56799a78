/// What we give users to test with, and use ourselves: small real implementations, no mocks.
@NullMarked
package dev.switchboard.testing;

import org.jspecify.annotations.NullMarked;
