package dev.switchboard.config;

/// Where a value stands.
///
/// @param pointer its JSON pointer in the source
/// @param path as people read it, such as `tools[0].retry.base`; empty for the whole
record Place(Source source, String pointer, String path) {

  Place member(String key) {
    String below = path.isEmpty() ? key : path + "." + key;
    return new Place(source, Pointers.member(pointer, key), below);
  }

  Place item(int index) {
    return new Place(source, pointer + "/" + index, path + "[" + index + "]");
  }

  /// The place further inside at that pointer, which people read as this one.
  Place within(String relative) {
    return new Place(source, pointer + relative, path);
  }

  void error(FaultClass kind, String message) {
    report(Severity.ERROR, kind, message);
  }

  void warning(FaultClass kind, String message) {
    report(Severity.WARNING, kind, message);
  }

  void report(Severity severity, FaultClass kind, String message) {
    Position at = source.at(pointer);
    source
        .faults()
        .add(new ConfigFault(source.file(), at.line(), at.column(), severity, kind, message));
  }
}
