/// JSON values, JSON Schema, and what is wrong with a value.
module dev.switchboard.json {
  requires transitive org.jspecify;
  requires transitive tools.jackson.databind;
  requires com.fasterxml.jackson.annotation;
  requires java.net.http;
  requires re2j;

  // Only for classes of Kotlin.
  requires static kotlin.stdlib;

  exports dev.switchboard.json;

  // What the other modules of the library use.
  exports dev.switchboard.check to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.server,
      dev.switchboard.tools;
  exports dev.switchboard.kotlin to
      dev.switchboard.tools;
  exports dev.switchboard.text to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.restate,
      dev.switchboard.server,
      dev.switchboard.store,
      dev.switchboard.tools,
      dev.switchboard.wasm;
}
