package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The steps from a server's challenge to tokens; their requests share a time limit.
final class Flow {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Settings settings;
  private final Consumer<Runnable> onCancel;
  private final Requests requests;

  Flow(Settings settings, Consumer<Runnable> onCancel) {
    this.settings = settings;
    this.onCancel = onCancel;
    this.requests = new Requests(settings.http(), settings.time(), onCancel);
  }

  /// The server's challenge to requests without credentials.
  Challenge challenge() throws IOException {
    return Challenge.read(requests.challenge(settings.server()));
  }

  /// The authorization server of the MCP server.
  Discovery.Found find(Challenge challenge, @Nullable Login login) throws IOException {
    return new Discovery(settings, requests)
        .find(challenge.resourceMetadata(), login == null ? null : login.issuer());
  }

  /// The login of the configured client itself.
  ///
  /// @param all the existing logins
  Login granted(Discovery.Found found, List<Login> all, List<String> scopes) throws IOException {
    AuthorizationServer server = found.server();
    try {
      OAuthClient client = new Registration(settings, requests).configured(server, all);
      if (client == null) {
        throw new IllegalStateException("a machine without a client");
      }
      return granted(login(found, client, scopes));
    } catch (IllegalArgumentException e) {
      throw settings.unfit(server, e);
    }
  }

  /// That login of the configured client, with new tokens.
  Login granted(Login login) throws IOException {
    return new TokenEndpoint(settings, requests).granted(login);
  }

  /// That login, with new tokens for its refresh token.
  Login refreshed(Login login, String refresh) throws IOException {
    return new TokenEndpoint(settings, requests).refreshed(login, refresh);
  }

  /// That login, with the server's current endpoints.
  Login moved(Login login, Discovery.Found found) {
    return login(found, login.client(), login.asked()).with(login.tokens());
  }

  private static Login login(Discovery.Found found, OAuthClient client, List<String> scopes) {
    AuthorizationServer server = found.server();
    return new Login(
        server.issuer(),
        found.resource(),
        server.token().text(),
        server.algorithms(),
        client,
        scopes,
        null);
  }

  /// The login of a person.
  ///
  /// @param all the existing logins, whose clients are reused
  Login ofPerson(Person person, Discovery.Found found, List<Login> all, List<String> scopes)
      throws IOException, InterruptedException {
    AuthorizationServer server = found.server();
    String state = TokenEndpoint.random(settings.random());
    OAuthClient registered = registered(server, all, scopes);
    try (Redirect redirect = redirect(registered, state)) {
      WebAddress unused = AuthorizationRequest.endpoint(server);
      OAuthClient client =
          new Registration(settings, requests)
              .of(server, all, at(registered, redirect), redirect.url(), scopes);
      AuthorizationRequest request =
          new AuthorizationRequest(
              server,
              client,
              found.resource(),
              redirect.url(),
              scopes,
              state,
              TokenEndpoint.random(settings.random()));
      String code = code(person, request, request.page(), redirect);
      // The person took some time, so these requests have their own limits.
      Requests more = new Requests(settings.http(), settings.time(), onCancel);
      return new TokenEndpoint(settings, more)
          .exchanged(login(found, client, scopes), code, request.verifier(), redirect.url());
    } catch (IllegalArgumentException e) {
      throw settings.unfit(server, e);
    }
  }

  private String code(Person person, AuthorizationRequest request, URI page, Redirect redirect)
      throws IOException, InterruptedException {
    person.show(settings.name(), page, redirect::paste);
    Map<String, String> answer = redirect.await(settings.time(), PATIENCE, onCancel);
    if (answer == null) {
      throw settings.fault("no one logged in within %d minutes".formatted(PATIENCE.toMinutes()));
    }
    return request.code(answer, settings);
  }

  /// The client that was registered at that server with at least these scopes; null for none.
  private @Nullable OAuthClient registered(
      AuthorizationServer server, List<Login> all, List<String> scopes) {
    for (Login login : all) {
      OAuthClient client = login.client();
      if (login.issuer().equals(server.issuer())
          && client.origin() == OAuthClient.Origin.REGISTERED
          && client.scopes().containsAll(scopes)
          && (client.expires() == null || client.expires().isAfter(settings.time().now()))) {
        return client;
      }
    }
    return null;
  }

  private static @Nullable OAuthClient at(@Nullable OAuthClient registered, Redirect redirect) {
    return registered != null && redirect.url().equals(registered.redirect()) ? registered : null;
  }

  /// Opens the page that receives the answer, at the registered client's redirect if that is free.
  private Redirect redirect(@Nullable OAuthClient registered, String state) throws IOException {
    URI wanted = Redirect.place(settings.redirect());
    String before = registered == null ? null : registered.redirect();
    if (before != null && Redirect.serves(Redirect.place(before), wanted)) {
      try {
        return Redirect.open(Redirect.place(before), state);
      } catch (IOException e) {
        // In use by another program: a client is registered for another one.
      }
    }
    try {
      return Redirect.open(wanted, state);
    } catch (IOException e) {
      throw settings.fault(
          "the address of the redirect, %s, cannot be listened on: %s"
              .formatted(settings.redirect(), e.getMessage()));
    }
  }
}
