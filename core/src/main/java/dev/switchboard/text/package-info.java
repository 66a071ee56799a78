/// Forms of text: durations, phone numbers, placeholders, ids, and checks of characters.
@NullMarked
package dev.switchboard.text;

import org.jspecify.annotations.NullMarked;
