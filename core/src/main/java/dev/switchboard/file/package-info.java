/// Files that a person's programs share with no other person.
@NullMarked
package dev.switchboard.file;

import org.jspecify.annotations.NullMarked;
