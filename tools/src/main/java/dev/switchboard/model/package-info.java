/// Language models: their requests and replies, and recordings of conversations with them.
@NullMarked
package dev.switchboard.model;

import org.jspecify.annotations.NullMarked;
