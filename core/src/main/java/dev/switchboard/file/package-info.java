/// Files that are not shared with other users.
@NullMarked
package dev.switchboard.file;

import org.jspecify.annotations.NullMarked;
