package dev.switchboard.contract;

import java.util.Map;

/// The cases about memory that are not done, each with what the contract does not have.
public final class CasesLeftOut {
  private static final String WINDOWS = "a window on a long block: blocks are read whole";
  private static final String RANGES = "edits by lines and patches: a block is edited by its text";
  private static final String SCHEMAS = "maps, lists and logs of fields: a block is text";

  /// The reasons, by the ids of the cases.
  public static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("R162", WINDOWS),
          Map.entry("R163", WINDOWS),
          Map.entry("R172", SCHEMAS),
          Map.entry("R173", SCHEMAS),
          Map.entry("R182", RANGES),
          Map.entry("R183", RANGES),
          Map.entry("R184", RANGES),
          Map.entry("R190", SCHEMAS),
          Map.entry("R191", SCHEMAS),
          Map.entry("R192", SCHEMAS),
          Map.entry("R193", SCHEMAS),
          Map.entry("R203", "done in SemanticMemoryTest"));

  private CasesLeftOut() {}
}
