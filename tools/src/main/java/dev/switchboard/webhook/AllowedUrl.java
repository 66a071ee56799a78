package dev.switchboard.webhook;

/// A URL that a guard allows.
///
/// @param inner whether it is a private service of the guard's allow list
record AllowedUrl(CanonicalUrl url, boolean inner) {}
