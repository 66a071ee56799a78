package dev.switchboard.json;

/// One thing wrong with the arguments of a call.
///
/// @param pointer the JSON pointer (RFC 6901) of the place; of a missing member its own
/// @param expected what should stand there, in words: `integer between 1 and 20`
/// @param found what stands there, in words: `string "4"`, or `missing`
public record Fault(String pointer, String expected, String found) {}
