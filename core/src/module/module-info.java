/// The library: tools, the executor that runs them, agents.
module dev.switchboard.core {
  requires transitive tools.jackson.databind;
  requires transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires re2j;
  requires okhttp3;
  requires okio;
  requires kotlin.stdlib;
  requires org.snakeyaml.engine;
  requires org.tomlj;
  requires jdk.jfr;
  requires java.sql;

  // Only for storage, which names the one that is missing.
  requires static com.zaxxer.hikari;
  requires static org.postgresql.jdbc;
  requires static org.xerial.sqlitejdbc;

  // What connects to MCP servers.
  uses dev.switchboard.config.AgentFile.McpConnector;

  // What runs WebAssembly modules.
  uses dev.switchboard.config.AgentFile.WasmConnector;

  exports dev.switchboard;
  exports dev.switchboard.agent;
  exports dev.switchboard.anthropic;
  exports dev.switchboard.command;
  exports dev.switchboard.config;
  exports dev.switchboard.consent;
  exports dev.switchboard.execution;
  exports dev.switchboard.handler;
  exports dev.switchboard.json;
  exports dev.switchboard.memory;
  exports dev.switchboard.model;
  exports dev.switchboard.observe;
  exports dev.switchboard.openai;
  exports dev.switchboard.rest;
  exports dev.switchboard.rule;
  exports dev.switchboard.store;
  exports dev.switchboard.time;
  exports dev.switchboard.tool;
  exports dev.switchboard.webhook;

  // What the other modules of the library use.
  exports dev.switchboard.check to
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.server;
  exports dev.switchboard.guard to
      dev.switchboard.cli,
      dev.switchboard.phone;
  exports dev.switchboard.http to
      dev.switchboard.mcp,
      dev.switchboard.phone;
  exports dev.switchboard.loop to
      dev.switchboard.cli,
      dev.switchboard.restate,
      dev.switchboard.server;
  exports dev.switchboard.mount to
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.phone.testing,
      dev.switchboard.server;
  exports dev.switchboard.openapi to
      dev.switchboard.cli;
  exports dev.switchboard.process to
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.server;
  exports dev.switchboard.ruling to
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.server;
  exports dev.switchboard.schema to
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.phone;
  exports dev.switchboard.state to
      dev.switchboard.cli,
      dev.switchboard.restate,
      dev.switchboard.server;
  exports dev.switchboard.text to
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.restate,
      dev.switchboard.server,
      dev.switchboard.wasm;
  exports dev.switchboard.toml to
      dev.switchboard.cli;

  // Their records are written and bound by their components.
  opens dev.switchboard.consent to
      tools.jackson.databind;
  opens dev.switchboard.execution to
      tools.jackson.databind;
  opens dev.switchboard.loop to
      tools.jackson.databind;
  opens dev.switchboard.memory to
      tools.jackson.databind;
  opens dev.switchboard.model to
      tools.jackson.databind;
  opens dev.switchboard.ruling to
      tools.jackson.databind;
  opens dev.switchboard.state to
      tools.jackson.databind;
  opens dev.switchboard.tool to
      tools.jackson.databind;
}
