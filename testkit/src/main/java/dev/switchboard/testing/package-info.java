/// What users test their tools and agents with, and what our own tests use.
@NullMarked
package dev.switchboard.testing;

import org.jspecify.annotations.NullMarked;
