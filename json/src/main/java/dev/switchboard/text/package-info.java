/// Forms of text: durations, phone numbers, placeholders, ids, checks of characters, and what a log
/// may say of an exception.
@NullMarked
package dev.switchboard.text;

import org.jspecify.annotations.NullMarked;
