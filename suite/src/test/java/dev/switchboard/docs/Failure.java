package dev.switchboard.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Ports;
import dev.switchboard.json.Json;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Every way in which the runtime refuses or fails a call, made to happen.
enum Failure {
  CLOSE_NAME("the name is close to another") {
    @Override
    ToolResult call(Door door) {
      return door.of(checkTable().handler(arguments -> 1)).call("check_tables", "{}");
    }
  },
  OTHER_NAME("the name is close to none") {
    @Override
    ToolResult call(Door door) {
      return door.of(checkTable().handler(arguments -> 1)).call("pay", "{}");
    }
  },
  NO_TOOLS("there are no tools") {
    @Override
    ToolResult call(Door door) {
      return door.of().call("pay", "{}");
    }
  },
  BAD_ARGUMENTS("the arguments do not fit") {
    @Override
    ToolResult call(Door door) {
      return door.of(sized()).call(NAME, "{\"party_size\":\"four\"}");
    }
  },
  NO_OBJECT("the arguments are not an object") {
    @Override
    ToolResult call(Door door) {
      return door.of(sized()).call(NAME, "[]");
    }
  },
  MALFORMED("the call lacks a member") {
    @Override
    ToolResult call(Door door) {
      ToolCall call = new ToolCall("c1", NAME, Json.EMPTY_OBJECT);
      String why = "a tool call needs 'arguments', a JSON object";
      return door.of(sized()).executor().refuse(call, why, ToolSession.of("c"));
    }
  },
  RULE("a rule denies it") {
    @Override
    ToolResult call(Door door) {
      door.builder.registry(new ToolRegistry()).rules(ToolRule.after(NAME, "validate"));
      return door.of(checkTable().handler(arguments -> 1)).call(NAME, "{}");
    }
  },
  TOO_DEEP("a tool calls a tool, five deep") {
    @Override
    ToolResult call(Door door) {
      return door.of(
              checkTable().handler((arguments, context) -> context.tools().call(NAME, arguments)))
          .call(NAME, "{}");
    }
  },
  GUARDED("a guardrail blocks its arguments") {
    @Override
    ToolResult call(Door door) {
      Guardrail noCards = Guardrail.known(Guardrail.Known.CARD_NUMBER).on(Guardrail.Place.CALL);
      door.builder.guardrails(List.of(noCards.block("No.")), List.of());
      return door.of(Tool.dynamic(NAME).handler(arguments -> 1))
          .call(NAME, "{\"note\":\"4111 1111 1111 1111\"}");
    }
  },
  DENIED("an approver says no") {
    @Override
    ToolResult call(Door door) {
      door.builder.approver(request -> Answer.deny(""));
      return door.of(Tool.dynamic("shell_run").handler(arguments -> 1)).call("shell_run", "{}");
    }
  },
  DENIED_WITH_REASON("an approver says why not") {
    @Override
    ToolResult call(Door door) {
      door.builder.approver(request -> Answer.deny("not on a Sunday"));
      return door.of(Tool.dynamic("shell_run").handler(arguments -> 1)).call("shell_run", "{}");
    }
  },
  NOBODY("there is no one to ask") {
    @Override
    ToolResult call(Door door) {
      return door.of(Tool.dynamic("shell_run").handler(arguments -> 1)).call("shell_run", "{}");
    }
  },
  CONSENT_LATE("no one answers a request for consent in time") {
    @Override
    ToolResult call(Door door) {
      door.builder.approver(request -> {
        door.time.awaitSleepers(1);
        door.time.advance(Duration.ofMinutes(5));
        door.never.await();
        return Answer.approveOnce();
      });
      return door.of(Tool.dynamic("shell_run").handler(arguments -> 1)).call("shell_run", "{}");
    }
  },
  CONSENT_ASKED("a person is asked for consent while the conversation continues, as on the phone") {
    @Override
    ToolResult call(Door door) {
      ToolExecutor executor = ToolExecutor.of(Tool.dynamic("shell_run").handler(arguments -> 1));
      door.of(Tool.dynamic("shell_run").handler(arguments -> 1));
      CallStep step =
          executor
              .submitAll(List.of(ToolCall.of("shell_run", Json.EMPTY_OBJECT)), ToolSession.of("c"))
              .getFirst();
      return ToolExecutor.pending(((CallStep.Pending) step).request().call());
    }
  },
  REPEATED("the same call has succeeded three times in the turn") {
    @Override
    ToolResult call(Door door) {
      ToolExecutor executor = door.of(checkTable().handler(arguments -> 1)).executor();
      ToolSession session = ToolSession.of("c");
      for (int i = 0; i < 3; i++) {
        executor.execute(ToolCall.of(NAME, "{}"), session);
      }
      return executor.execute(ToolCall.of(NAME, "{}"), session);
    }
  },
  SAME_ID("the id is taken") {
    @Override
    ToolResult call(Door door) {
      ToolSession session = ToolSession.of("c");
      ToolExecutor executor = door.of(sized()).executor();
      executor.execute(new ToolCall("c1", NAME, Json.text("{\"party_size\":4}")), session);
      return executor.execute(new ToolCall("c1", NAME, Json.EMPTY_OBJECT), session);
    }
  },
  FORGOTTEN_ID("the id was used more than 1,000 calls ago") {
    @Override
    ToolResult call(Door door) {
      ToolSession session = ToolSession.of("c");
      ToolExecutor executor = door.of(sized()).executor();
      for (int i = 0; i <= 1001; i++) {
        executor.execute(new ToolCall("c" + i, "none", Json.EMPTY_OBJECT), session);
      }
      return executor.execute(new ToolCall("c1", NAME, Json.EMPTY_OBJECT), session);
    }
  },
  AFTER_EXIT("a terminal result came before") {
    @Override
    ToolResult call(Door door) {
      ToolSession session = ToolSession.of("c");
      ToolExecutor executor =
          door.of(checkTable().handler(arguments -> ToolResult.error("over"))).executor();
      executor.execute(ToolCall.of(NAME, "{}"), session);
      return executor.execute(ToolCall.of(NAME, "{}"), session);
    }
  },
  CANCELLED("the conversation was cancelled") {
    @Override
    ToolResult call(Door door) {
      ToolSession session = ToolSession.of("c");
      session.cancel();
      return door.of(sized()).executor().execute(ToolCall.of(NAME, "{}"), session);
    }
  },
  OPEN("the breaker is open") {
    @Override
    ToolResult call(Door door) {
      door.of(checkTable().handler(arguments -> ToolResult.class.getField("none")));
      for (int i = 0; i < 5; i++) {
        door.call(NAME, "{}");
      }
      door.forget();
      return door.call(NAME, "{}");
    }
  },
  THROWN("the handler throws") {
    @Override
    ToolResult call(Door door) {
      return door.throwing(new SQLException("secret"));
    }
  },
  MEANT("it throws a `ToolException`") {
    @Override
    ToolResult call(Door door) {
      return door.throwing(new ToolException("The book is locked."));
    }
  },
  WITHOUT_TEXT("it throws a `ToolException` without a text") {
    @Override
    ToolResult call(Door door) {
      return door.throwing(new ToolException(null));
    }
  },
  PERMANENT("it throws `ToolException.permanent`") {
    @Override
    ToolResult call(Door door) {
      return door.throwing(ToolException.permanent("There is no table T9."));
    }
  },
  INVALID("it throws `ToolException.invalid`, before it does anything") {
    @Override
    ToolResult call(Door door) {
      return door.throwing(ToolException.invalid("/table", "There is no table T9."));
    }
  },
  UNWRITABLE("the answer cannot be written as JSON") {
    @Override
    ToolResult call(Door door) {
      return door.of(checkTable().handler(arguments -> Json.text("{\"open\":"))).call(NAME, "{}");
    }
  },
  SLOW("the handler is too slow") {
    @Override
    ToolResult call(Door door) throws Exception {
      CountDownLatch never = new CountDownLatch(1);
      return door.of(
              checkTable()
                  .handler(arguments -> {
                    never.await();
                    return 1;
                  }))
          .slowly(Duration.ofSeconds(10));
    }
  },
  BROKEN("the check itself breaks") {
    @Override
    ToolResult call(Door door) {
      door.builder.time(new BreakingClock());
      return door.of(checkTable().handler(arguments -> 1)).call(NAME, "{}");
    }
  },
  STORE_AWAY("too many results wait to be stored") {
    @Override
    ToolResult call(Door door) {
      ConversationStore away = refusing(writing -> !writing.calls().isEmpty());
      ToolSession session = ToolSession.builder("c").store(away).build();
      door.of(checkTable().repeatLimit(0).handler(arguments -> 1));
      ToolResult result = ToolResult.ok("");
      for (int i = 0; i < 1_000 && result.success(); i++) {
        result = door.executor().execute(ToolCall.of("c" + i, NAME, "{}"), session);
      }
      assertThatThrownBy(session::close).hasMessageStartingWith("100 results");
      return result;
    }
  },
  NOT_STORED("it cannot be stored that it begins, and no turn repeats it") {
    @Override
    ToolResult call(Door door) {
      ToolSession session = ToolSession.builder("c").store(refusing(writing -> true)).build();
      door.of(checkTable().atMostOnce().handler(arguments -> 1));
      return door.executor().execute(ToolCall.of("c1", NAME, "{}"), session);
    }
  },
  BEGUN("a process died in it, and it may run once only") {
    @Override
    ToolResult call(Door door) {
      InProcessConversations store = new InProcessConversations();
      Cell<ConversationState> state = store.state("c");
      ConversationState begun = ConversationState.NEW.beginning(new Begun("c1", "c1"));
      assertThat(state.replace(state.load(), begun)).isTrue();
      return door.of(checkTable().atMostOnce().handler(arguments -> 1))
          .executor()
          .execute(
              new ToolCall("c1", NAME, Json.EMPTY_OBJECT),
              ToolSession.builder("c").store(store).build());
    }
  },
  SLOW_ONCE("the handler is too slow, and it may run once only") {
    @Override
    ToolResult call(Door door) {
      CountDownLatch never = new CountDownLatch(1);
      return door.of(
              checkTable()
                  .atMostOnce()
                  .handler(arguments -> {
                    door.time.advance(Duration.ofSeconds(10));
                    never.await();
                    return 1;
                  }))
          .call(NAME, "{}");
    }
  },
  STATUS("the webhook answers 503") {
    @Override
    ToolResult call(Door door) {
      return door.answering(StubAnswer.of(503, "{\"error\":\"busy\"}"));
    }
  },
  BARE_STATUS("it answers 404 without a body") {
    @Override
    ToolResult call(Door door) {
      return door.answering(StubAnswer.status(404));
    }
  },
  NO_JSON("it answers 200 without JSON") {
    @Override
    ToolResult call(Door door) {
      return door.answering(StubAnswer.of(200, "ok"));
    }
  },
  NO_RESULT("it answers in lines and ends with progress") {
    @Override
    ToolResult call(Door door) {
      return door.answering(
          StubAnswer.of(200, "{\"progress\":\"Looking...\"}\n")
              .contentType("application/x-ndjson"));
    }
  },
  REFUSED("it refuses the connection") {
    @Override
    ToolResult call(Door door) throws IOException {
      String host = "127.0.0.1:" + Ports.CLOSED;
      return door.asking("http://" + host, GuardedHttp.allowing(host));
    }
  },
  UNKNOWN_HOST("its name is unknown") {
    @Override
    ToolResult call(Door door) {
      return door.asking(
          "https://orders.example.com",
          resolving(host -> {
            throw new UnknownHostException(host);
          }));
    }
  },
  NO_TLS("it does not speak TLS") {
    @Override
    ToolResult call(Door door) throws IOException {
      try (ServerSocket server = new ServerSocket(0)) {
        Thread.startVirtualThread(() -> speakPlainly(server));
        String host = "127.0.0.1:" + server.getLocalPort();
        return door.asking("https://" + host, GuardedHttp.allowing(host));
      }
    }
  },
  RESET("it resets the connection") {
    @Override
    ToolResult call(Door door) {
      return door.answering(StubAnswer.reset());
    }
  },
  SLOW_WEBHOOK("it is too slow") {
    @Override
    ToolResult call(Door door) throws Exception {
      try (StubWebhook webhook = StubWebhook.start()) {
        webhook.answer(StubAnswer.hang());
        return door.of(webhook(webhook.url(), GuardedHttp.allowing(webhook.hostAndPort())))
            .slowly(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));
      }
    }
  },
  TOO_LONG("its answer is too long") {
    @Override
    ToolResult call(Door door) {
      return door.answering(StubAnswer.endless());
    }
  },
  INSIDE("its name leads inside") {
    @Override
    ToolResult call(Door door) {
      return door.asking(
          "https://orders.example.com",
          resolving(host -> List.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 7}))));
    }
  };

  static final String NAME = "check_table";

  private final String when;

  Failure(String when) {
    this.when = when;
  }

  /// What came of a call.
  ///
  /// @param again whether another attempt was made
  /// @param counted whether the breaker counted a failure
  record Seen(String code, String error, boolean again, boolean counted) {}

  static Failure of(String when) {
    return Arrays.stream(values())
        .filter(failure -> failure.when.equals(when))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing makes it happen that " + when));
  }

  /// As the page says it.
  String when() {
    return when;
  }

  /// A store that does not take such writings.
  private static ConversationStore refusing(Predicate<Writing> refused) {
    InProcessConversations store = new InProcessConversations();
    return (ConversationStore)
        Proxy.newProxyInstance(
            Failure.class.getClassLoader(),
            new Class<?>[] {ConversationStore.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if (name.equals("write") && refused.test((Writing) arguments[2])) {
                throw new StoreException("It is locked.", StoreException.Kind.PASSING, null);
              }
              return name.equals("within")
                  ? ((Supplier<?>) arguments[1]).get()
                  : method.invoke(store, arguments);
            });
  }

  abstract ToolResult call(Door door) throws Exception;

  Seen see() throws Exception {
    Door door = new Door();
    ToolResult result = call(door);
    ResultCode code = result.code();
    int failures = door.executor().breaker(NAME).consecutiveFailures() - door.failuresBefore;
    return new Seen(
        code == null ? "none" : code.word(),
        String.valueOf(result.error()),
        door.heard.retries().size() > door.retriesBefore,
        failures > 0);
  }

  static Tool.DynamicBuilder checkTable() {
    return Tool.dynamic(NAME).mode(ToolMode.READ);
  }

  private static Tool sized() {
    return Tool.dynamic(
            NAME, "{\"type\":\"object\",\"properties\":{\"party_size\":{\"type\":\"integer\"}}}")
        .handler(arguments -> 1);
  }

  static Tool webhook(String url, GuardedHttp network) {
    return checkTable().network(network).webhook(URI.create(url));
  }

  private static GuardedHttp resolving(UrlGuard.Resolver resolver) {
    return GuardedHttp.of(UrlGuard.STRICT, resolver);
  }

  private static void speakPlainly(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The client has hung up, or the server was closed.
      }
    }
  }
}
