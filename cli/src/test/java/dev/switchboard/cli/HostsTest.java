package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.cli.chat.Chat;
import dev.switchboard.cli.chat.ChatOptions;
import dev.switchboard.cli.chat.View;
import dev.switchboard.config.AgentFile;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Every host that there is.
class HostsTest {
  @Nested
  class AProgramThatCallsTheExecutor extends HostContract.WithIds {
    private static String run(ToolExecutor executor, ToolSession session, ToolCall call) {
      return executor.execute(call, session).json().text();
    }

    @Override
    String call(String agent, String tool, String arguments) {
      return run(
          Switchboard.load(Path.of(agent)), ToolSession.of("c"), ToolCall.of(tool, arguments));
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      ToolExecutor executor =
          Switchboard.executor(AgentFile.read(Path.of(agent)))
              .approver(request -> Answer.approveOnce())
              .build();
      return run(executor, ToolSession.of("c"), ToolCall.of(tool, arguments));
    }

    @Override
    String twice(String agent, String tool, String arguments) {
      ToolExecutor executor = Switchboard.load(Path.of(agent));
      ToolSession session = ToolSession.of("c");
      ToolCall call = ToolCall.of("c1", tool, arguments);
      return run(executor, session, call) + run(executor, session, call);
    }

    @Override
    String cancelled(String agent, String tool, String arguments) {
      ToolSession session = ToolSession.of("c");
      session.cancel();
      return run(Switchboard.load(Path.of(agent)), session, ToolCall.of(tool, arguments));
    }
  }

  @Nested
  class AConversation extends HostContract.WithIds {
    private static String talk(
        String agent, boolean cancels, BiConsumer<Conversation, Consumer<Event>> work) {
      StringBuilder results = new StringBuilder();
      try (Agent host = Switchboard.agent(Path.of(agent));
          Conversation talk = host.conversation("c")) {
        work.accept(
            talk,
            event -> {
              if (event instanceof Event.ToolSettled) {
                results.append(event.json());
              }
              if (event instanceof Event.ToolCalled && cancels) {
                talk.cancel();
              }
            });
      }
      return results.toString();
    }

    @Override
    String call(String agent, String tool, String arguments) {
      return talk(
          agent,
          false,
          (talk, sink) -> {
            Turn unused = talk.say("Go", sink);
          });
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      return talk(
          agent,
          false,
          (talk, sink) -> {
            if (talk.say("Go", sink) instanceof Turn.Pending(var requests)) {
              Turn unused = talk.answer(requests.getFirst().id(), Answer.approveOnce(), sink);
            }
          });
    }

    @Override
    String twice(String agent, String tool, String arguments) {
      return talk(
          agent,
          false,
          (talk, sink) -> {
            Turn unused = talk.sayOnce("message-1", "Go", sink);
            Turn unusedToo = talk.sayOnce("message-1", "Go", sink);
          });
    }

    @Override
    String cancelled(String agent, String tool, String arguments) {
      return talk(
          agent,
          true,
          (talk, sink) -> {
            Turn unused = talk.say("Go", sink);
          });
    }
  }

  @Nested
  class Exec extends HostContract.WithIds {
    @Override
    String call(String agent, String tool, String arguments) {
      return Cli.runWith(line(tool, arguments), "exec", agent).out();
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      String answer = "{\"consent\":\"c1\",\"decision\":\"approve\"}\n";
      return Cli.runWith(line(tool, arguments) + answer, "exec", agent).out();
    }

    @Override
    String twice(String agent, String tool, String arguments) {
      return Cli.runWith(line(tool, arguments).repeat(2), "exec", agent).out();
    }

    @Override
    String cancelled(String agent, String tool, String arguments) throws IOException {
      AtomicReference<Runnable> signal = new AtomicReference<>();
      Shown shown = new Shown(() -> signal.get().run());
      EventLines events = new EventLines(shown.stream());
      ToolSession session = ToolSession.builder("c").events(events::show).build();
      ExecRun run =
          new ExecRun(
              Switchboard.load(Path.of(agent)), new ExecRun.Options(false, false), session, events);
      signal.set(() -> {
        Thread unused = Thread.startVirtualThread(run::cancel);
        Awaitility.await().until(session::cancelled);
      });
      byte[] line = line(tool, arguments).getBytes(StandardCharsets.UTF_8);
      run.takeAll(new LineReader(new ByteArrayInputStream(line)));
      return shown.text();
    }
  }

  @Nested
  class ToolCallCommand extends HostContract {
    @Override
    String call(String agent, String tool, String arguments) {
      Cli cli = Cli.run("tool", "call", agent, tool, arguments);
      return cli.out() + cli.err();
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      return Cli.runWith("y\n", "tool", "call", agent, tool, arguments).out();
    }
  }

  @Nested
  class AChat extends HostContract.Cancellable {
    @Override
    String call(String agent, String tool, String arguments) {
      return Cli.run("chat", agent, "--json", "-m", "Go").out();
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      return Cli.runWith("Go\n/approve\n", "chat", agent, "--json").out();
    }

    @Override
    String cancelled(String agent, String tool, String arguments) {
      AtomicReference<Runnable> ctrlC = new AtomicReference<>();
      Shown shown = new Shown(() -> ctrlC.get().run());
      View view =
          new JsonView(
              new Terminal(InputStream.nullInputStream(), shown.stream(), shown.stream(), false));
      try (Agent host = Switchboard.agent(Path.of(agent));
          Chat chat =
              new Chat(host, () -> host.conversation("c"), view, new ChatOptions(false, ""))) {
        ctrlC.set(chat::cancelTurn);
        assertThat(chat.message("Go")).isFalse();
      }
      return shown.text();
    }
  }

  @Nested
  class AServer extends HostContract {
    private String served(String agent, Said said) throws IOException {
      try (Serving server = Serving.of(folder, agent)) {
        JsonNode unused = server.post("/v1/agents/Host/conversations", "{\"id\":\"c\"}");
        return said.to(server);
      }
    }

    @Override
    String call(String agent, String tool, String arguments) throws IOException {
      return served(agent, server -> server.say("c", "Go", "k"));
    }

    @Override
    String approved(String agent, String tool, String arguments) throws IOException {
      return served(
          agent,
          server -> {
            String asked = server.say("c", "Go", "k");
            String id = server.get("/v1/approvals").at("/items/0/id").asString("");
            String decision = "{\"decision\":\"approve\"}";
            JsonNode unused = server.post("/v1/approvals/" + id, decision);
            Awaitility.await()
                .until(() ->
                    server.get("/v1/conversations/c").path("status").asString("").equals("idle"));
            return asked + server.get("/v1/conversations/c/events");
          });
    }

    @Test
    void whatIsHandedInTwiceRunsOnce() throws IOException {
      webhook.answer(200, "{\"tables\":[\"T4\"]}");
      String first =
          served(
              agent("get_table", "{\"party\":4}"),
              server -> {
                String told = server.say("c", "Go", "k");
                String again = server.say("c", "Go", "k");
                assertThat(told).endsWith(again.substring(again.indexOf("id: ")));
                return told;
              });
      assertThat(first).contains("T4");
      assertThat(webhook.requests()).hasSize(1);
    }
  }

  @Nested
  class APhone extends HostContract {
    private String called(String agent, String tool, String arguments, Line line) {
      try (Agent host = Switchboard.agent(Path.of(agent));
          PlayedPhone phone = new PlayedPhone(host)) {
        phone.rings("CA1");
        phone.calls(RequestedCall.of("p", tool, arguments));
        phone.says("Go");
        line.on(host, phone);
        phone.hangsUp();
        return String.join("\n", phone.handed);
      }
    }

    /// Waits until the model is handed something with these words.
    private void handed(PlayedPhone phone, String words) {
      Awaitility.await().until(() -> phone.handed.toString().contains(words));
    }

    @Override
    String call(String agent, String tool, String arguments) {
      return called(
          agent,
          tool,
          arguments,
          (host, phone) -> Awaitility.await().until(() -> !phone.handed.isEmpty()));
    }

    @Override
    String approved(String agent, String tool, String arguments) {
      return called(
          agent,
          tool,
          arguments,
          (host, phone) -> {
            handed(phone, "consent_pending");
            Conversation talk =
                host.conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"));
            talk.decide(talk.waiting().getFirst().id(), Answer.approveOnce());
            Turn unusedOfTheCall = talk.resume();
            handed(phone, "Result of ");
          });
    }

    @Test
    void whatTheEngineTellsTwiceRunsOnce() throws Exception {
      webhook.answer(200, "{\"tables\":[\"T4\"]}");
      String arguments = "{\"party\":4}";
      assertThat(call(agent("get_table", arguments), "get_table", arguments)).contains("T4");
      assertThat(webhook.requests()).hasSize(1);
    }
  }

  @Nested
  class APhoneWhoseCarrierHearsAndSpeaks extends HostContract {
    private final ScriptedModel model = ScriptedModel.answering(this::reply);
    private String tool = "";
    private String arguments = "";

    /// It asks for the tool once, and then says what it has read.
    private ModelReply reply(ModelRequest request) {
      boolean asked = request.messages().stream().anyMatch(Message.Result.class::isInstance);
      return asked
          ? ModelReply.text("Done.")
          : ModelReply.calls(RequestedCall.of("p", tool, arguments));
    }

    private String called(String agent, Line line) {
      try (Agent host = Switchboard.agent(AgentFile.read(Path.of(agent))).model(model).build();
          PlayedPhone phone = PlayedPhone.relayed(host)) {
        phone.rings("CA1");
        phone.prompts("Go");
        line.on(host, phone);
        phone.hangsUp();
        return read();
      }
    }

    private String read() {
      return model.requests().isEmpty() ? "" : model.lastRequest().messages().toString();
    }

    private void awaitRead(String words) {
      Awaitility.await().until(() -> read().contains(words));
    }

    @Override
    String call(String agent, String name, String stated) {
      tool = name;
      arguments = stated;
      return called(agent, (host, phone) -> model.awaitRequests(2));
    }

    @Override
    String approved(String agent, String name, String stated) {
      tool = name;
      arguments = stated;
      return called(
          agent,
          (host, phone) -> {
            awaitRead("consent_pending");
            Conversation talk =
                host.conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"));
            talk.decide(talk.waiting().getFirst().id(), Answer.approveOnce());
            Turn unusedOfTheCall = talk.resume();
            awaitRead("Result of ");
          });
    }
  }

  /// What happens on a call once the model has asked for a tool.
  private interface Line {
    void on(Agent host, PlayedPhone phone);
  }

  /// What a client does with a server.
  private interface Said {
    String to(Serving server) throws IOException;
  }

  /// What a host has printed; when it shows a call, something is done before the call runs.
  private static final class Shown extends OutputStream {
    private static final String CALL = "\"tool_call\"";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Runnable atCall;
    private boolean done;

    Shown(Runnable atCall) {
      this.atCall = atCall;
    }

    PrintStream stream() {
      return new PrintStream(this, true, StandardCharsets.UTF_8);
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void write(int one) {
      bytes.write(one);
    }

    @Override
    public void write(byte[] some, int start, int length) {
      bytes.write(some, start, length);
      if (!done && text().contains(CALL)) {
        done = true;
        atCall.run();
      }
    }
  }
}
