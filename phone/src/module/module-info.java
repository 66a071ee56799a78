/// Agents on the phone.
module dev.switchboard.phone {
  requires transitive dev.switchboard.core;
  requires com.google.i18n.phonenumbers.libphonenumber;
  requires java.xml;
  requires jdk.httpserver;
  requires okhttp3;
  requires okio;

  // Only to answer calls without a server of one's own, and for the simulators.
  requires static dev.switchboard.server;
  requires static io.javalin;
  requires static org.eclipse.jetty.websocket.api;

  exports dev.switchboard.phone;
  exports dev.switchboard.phone.audio;
  exports dev.switchboard.phone.call;
  exports dev.switchboard.phone.carrier;
  exports dev.switchboard.phone.carrier.twilio;
  exports dev.switchboard.phone.engine;
  exports dev.switchboard.phone.engine.realtime;
  exports dev.switchboard.phone.testing;

  // Its records are written and bound by their components.
  opens dev.switchboard.phone.carrier.twilio to
      tools.jackson.databind;
}
