package dev.switchboard.webhook;

/// A URL that a guard has let pass.
///
/// @param inner whether it is one of the inner services that the guard's allow list names
record Judged(CanonicalUrl url, boolean inner) {}
