package dev.switchboard.cli;

import dev.switchboard.webhook.UrlGuard;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard url check`: whether the guard lets a URL pass, and why not.
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
      UrlVerdict verdict = UrlVerdict.of(url, verdict(guard, url));
      terminal.out().println(json ? verdict.json() : verdict);
      blocked |= !verdict.allowed();
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
}
