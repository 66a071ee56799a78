/// What tests of phone agents need: simulators of the carrier and of the speech model.
module dev.switchboard.phone.testing {
  requires transitive dev.switchboard.phone;
  requires dev.switchboard.server;
  requires io.javalin;
  requires java.xml;
  requires jdk.httpserver;
  requires okhttp3;
  requires okio;
  requires org.eclipse.jetty.websocket.api;

  exports dev.switchboard.phone.testing;
}
