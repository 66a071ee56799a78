package dev.switchboard.execution;

/// The moment at which an attempt's time is up, and how it then ends.
record Limit(long at, End.TimedOut passed) {}
