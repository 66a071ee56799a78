package dev.switchboard.phone.testing;

/// The words of a response of the agent that a caller heard in a relay session.
///
/// @param words as they were sent, up to where they were cut
/// @param start in milliseconds since the call's first session
/// @param end in milliseconds, exclusive
/// @param cut whether more words were sent, which the caller did not hear
public record HeardWords(String words, long start, long end, boolean cut) {}
