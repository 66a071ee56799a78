package dev.switchboard.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// The port through which names are looked up.
@FunctionalInterface
public interface Resolver {
  /// The resolver of this machine.
  Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /// The addresses of a host name.
  ///
  /// @throws UnknownHostException when there are none
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
