/// The one place that knows how JSON is read and written.
@NullMarked
package dev.switchboard.json;

import org.jspecify.annotations.NullMarked;
