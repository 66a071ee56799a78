package dev.switchboard.provider;

/// What every client of a provider does alike, whatever its words on the wire.
public interface ProviderContract
    extends ProviderRepliesContract, ProviderFailuresContract, ProviderLimitsContract {}
