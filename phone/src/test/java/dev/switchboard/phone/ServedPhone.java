package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.mount.Mount;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import java.nio.file.Path;

/// A phone that an agent answers, behind a server of its own.
record ServedPhone(Calls calls, Server server) implements AutoCloseable {
  /// @param folder for the tokens of the server
  static ServedPhone of(Phone phone, Agent agent, Path folder) {
    Calls calls = phone.answeredBy(agent);
    Server server =
        Server.builder(Tokens.open(folder.resolve("tokens")))
            .agents(agent)
            .port(0)
            .mount(calls.routes().toArray(Mount[]::new))
            .start();
    return new ServedPhone(calls, server);
  }

  /// The address of the server.
  String address() {
    return "http://127.0.0.1:" + server.port();
  }

  @Override
  public void close() {
    server.close();
    calls.close();
  }
}
