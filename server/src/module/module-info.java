/// Agents over HTTP.
module dev.switchboard.server {
  requires transitive dev.switchboard.agent;
  requires io.javalin;
  requires jakarta.servlet;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires org.eclipse.jetty.ee10.servlet;
  requires org.eclipse.jetty.http;
  requires org.eclipse.jetty.io;
  requires org.eclipse.jetty.server;
  requires org.eclipse.jetty.util;
  requires org.eclipse.jetty.websocket.api;

  exports dev.switchboard.server;
  exports dev.switchboard.server.access;
  exports dev.switchboard.server.dialect to
      dev.switchboard.cli;

  // Its records are written and bound by their components.
  opens dev.switchboard.server.access to
      tools.jackson.databind;
}
