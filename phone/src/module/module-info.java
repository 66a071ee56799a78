/// Agents on the phone.
module dev.switchboard.phone {
  requires transitive dev.switchboard.agent;
  requires com.google.i18n.phonenumbers.libphonenumber;
  requires okhttp3;
  requires okio;

  // Only to read agents' files.
  requires static dev.switchboard.config;

  // Only to answer calls without a server of one's own.
  requires static dev.switchboard.server;

  exports dev.switchboard.phone;
  exports dev.switchboard.phone.audio;
  exports dev.switchboard.phone.call;
  exports dev.switchboard.phone.carrier;
  exports dev.switchboard.phone.carrier.browser;
  exports dev.switchboard.phone.carrier.twilio;
  exports dev.switchboard.phone.engine;
  exports dev.switchboard.phone.engine.realtime;
  exports dev.switchboard.phone.engine.relay;

  // The table `phone` of agents' files.
  provides dev.switchboard.config.FileTable with
      dev.switchboard.phone.PhoneTable;

  // Its records are written and bound by their components.
  opens dev.switchboard.phone to
      dev.switchboard.config;
  opens dev.switchboard.phone.carrier.twilio to
      tools.jackson.databind;
}
