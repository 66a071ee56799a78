/// Agents in Java: the loop, conversations, models.
module dev.switchboard.agent {
  requires transitive dev.switchboard.tools;
  requires com.fasterxml.jackson.annotation;
  requires okhttp3;
  requires okio;

  exports dev.switchboard.agent;
  exports dev.switchboard.anthropic;
  exports dev.switchboard.openai;

  // What the other modules of the library use.
  exports dev.switchboard.builtin to
      dev.switchboard.config;
  exports dev.switchboard.loop to
      dev.switchboard.cli,
      dev.switchboard.restate,
      dev.switchboard.server;
  exports dev.switchboard.provider to
      dev.switchboard.cli,
      dev.switchboard.config,
      dev.switchboard.phone,
      dev.switchboard.phone.testing;

  // Their records are written and bound by their components.
  opens dev.switchboard.loop to
      tools.jackson.databind;
}
