/// Conversations kept on disk, so that they outlive their process.
@NullMarked
package dev.switchboard.store;

import org.jspecify.annotations.NullMarked;
