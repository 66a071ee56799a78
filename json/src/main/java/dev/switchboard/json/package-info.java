/// Reading and writing of JSON.
@NullMarked
package dev.switchboard.json;

import org.jspecify.annotations.NullMarked;
