package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.webhook.UrlGuard;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard url check`: checks whether the URL guard allows a URL.
@Command(
    name = "check",
    description = {
      "Say of each URL whether a webhook may have it, and why not.",
      "",
      "A name is judged as a name, and looked up only with --resolve. Exits with 1 if any is"
          + " blocked."
    },
    footer = {
      "  switchboard url check https://api.example.com/x http://0x7f.1/",
      "  switchboard url check --allow 127.0.0.1:9001 http://127.0.0.1:9001/x",
      "  switchboard url check --resolve --json https://example.com"
    })
final class UrlCheckCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final UrlGuard.Resolver resolver;

  @Parameters(arity = "1..*", paramLabel = "URL", description = "The URLs.")
  private List<String> urls = List.of();

  @Option(
      names = "--allow",
      paramLabel = "HOST:PORT",
      description = "An inner service that is trusted; may be repeated.")
  private List<String> allow = List.of();

  @Option(
      names = "--agent",
      paramLabel = "FILE",
      description = "Trust what the file of this agent allows.")
  private @Nullable Path agent;

  @Option(names = "--resolve", description = "Look names up and judge their addresses.")
  private boolean resolve;

  @Option(
      names = "--json",
      description = "Print each verdict as {url, allowed, reason, host, addresses}.")
  private boolean json;

  UrlCheckCommand(Terminal terminal) {
    this(terminal, UrlGuard.Resolver.SYSTEM);
  }

  UrlCheckCommand(Terminal terminal, UrlGuard.Resolver resolver) {
    this.terminal = terminal;
    this.resolver = resolver;
  }

  @Override
  public Integer call() {
    UrlGuard guard = guard();
    boolean blocked = false;
    for (String url : urls) {
      UrlGuard.Verdict verdict = verdict(guard, url);
      terminal.out().println(json ? Json.of(json(url, verdict)) : line(url, verdict));
      blocked |= verdict instanceof UrlGuard.Verdict.Blocked;
    }
    return blocked ? 1 : 0;
  }

  private UrlGuard guard() {
    List<String> trusted = new ArrayList<>(allow);
    if (agent != null) {
      trusted.addAll(AgentArgument.read(agent, terminal).allow());
    }
    try {
      return UrlGuard.of(trusted);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage() + ".", e);
    }
  }

  private UrlGuard.Verdict verdict(UrlGuard guard, String url) {
    try {
      return resolve ? guard.resolve(url, resolver) : guard.check(url);
    } catch (UnknownHostException e) {
      String host =
          guard.check(url) instanceof UrlGuard.Verdict.Allowed known ? known.host() : null;
      return new UrlGuard.Verdict.Blocked(host, host + " was not found");
    }
  }

  /// `{url, allowed, reason, host, addresses}` without missing members.
  private static ObjectNode json(String url, UrlGuard.Verdict verdict) {
    ObjectNode out = Codec.object().put("url", url);
    return switch (verdict) {
      case UrlGuard.Verdict.Allowed(String host, int port, List<InetAddress> addresses) -> {
        ObjectNode found = out.put("allowed", true).put("host", host);
        texts(addresses).forEach(found.putArray("addresses")::add);
        yield found;
      }
      case UrlGuard.Verdict.Blocked(String host, String reason) -> {
        ObjectNode why = out.put("allowed", false).put("reason", reason);
        if (host != null) {
          why.put("host", host);
        }
        why.putArray("addresses");
        yield why;
      }
    };
  }

  /// A line such as `blocked http://127.0.0.1/: 127.0.0.1 is loopback (127.0.0.0/8)`.
  private static String line(String url, UrlGuard.Verdict verdict) {
    return switch (verdict) {
      case UrlGuard.Verdict.Allowed(String host, int port, List<InetAddress> addresses) ->
          "allowed  "
              + url
              + (addresses.isEmpty() ? "" : " -> " + String.join(", ", texts(addresses)));
      case UrlGuard.Verdict.Blocked(String host, String reason) ->
          "blocked  " + url + ": " + reason;
    };
  }

  private static List<String> texts(List<InetAddress> addresses) {
    return addresses.stream().map(InetAddress::getHostAddress).toList();
  }
}
