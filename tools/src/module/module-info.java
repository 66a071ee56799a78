/// Tools, their rules and consent, and the executor that runs them.
module dev.switchboard.tools {
  requires transitive dev.switchboard.json;
  requires com.fasterxml.jackson.annotation;
  requires jdk.jfr;
  requires okhttp3;
  requires okio;
  requires re2j;

  exports dev.switchboard.command;
  exports dev.switchboard.consent;
  exports dev.switchboard.execution;
  exports dev.switchboard.handler;
  exports dev.switchboard.memory;
  exports dev.switchboard.model;
  exports dev.switchboard.observe;
  exports dev.switchboard.rest;
  exports dev.switchboard.rule;
  exports dev.switchboard.time;
  exports dev.switchboard.tool;
  exports dev.switchboard.webhook;

  // What the other modules of the library use.
  exports dev.switchboard.execution.host to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.server;
  exports dev.switchboard.guard to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.phone;
  exports dev.switchboard.http to
      dev.switchboard.agent,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.phone;
  exports dev.switchboard.mount to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.phone.testing,
      dev.switchboard.server;
  exports dev.switchboard.process to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.phone,
      dev.switchboard.server,
      dev.switchboard.store;
  exports dev.switchboard.ruling to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.phone,
      dev.switchboard.server;
  exports dev.switchboard.schema to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.mcp,
      dev.switchboard.phone;
  exports dev.switchboard.state to
      dev.switchboard.agent,
      dev.switchboard.cli,
      dev.switchboard.restate,
      dev.switchboard.server,
      dev.switchboard.store;

  // Their records are written and bound by their components.
  opens dev.switchboard.consent to
      tools.jackson.databind;
  opens dev.switchboard.execution to
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
