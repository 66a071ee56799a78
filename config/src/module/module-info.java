/// Agents as files, and tools made of OpenAPI documents.
module dev.switchboard.config {
  requires transitive dev.switchboard.agent;
  requires transitive dev.switchboard.store;
  requires org.snakeyaml.engine;
  requires org.tomlj;

  // What reads the tables of other modules.
  uses dev.switchboard.config.FileTable;
  uses dev.switchboard.config.FileTable.ToolTable;

  // The tables of agents' files.
  provides dev.switchboard.config.FileTable with
      dev.switchboard.config.rule.RulesTable,
      dev.switchboard.config.tool.DefaultsTable,
      dev.switchboard.config.tool.ToolsTable,
      dev.switchboard.openapi.OpenApiTable;

  exports dev.switchboard;
  exports dev.switchboard.config;

  // What the other modules of the library use.
  exports dev.switchboard.config.tool to
      dev.switchboard.mcp,
      dev.switchboard.wasm;
  exports dev.switchboard.openapi to
      dev.switchboard.cli;
  exports dev.switchboard.toml to
      dev.switchboard.cli;
}
