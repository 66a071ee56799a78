package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ApprovalsCommandTest {
  private static final String PAY =
      "{\"id\":\"c1\",\"name\":\"pay\",\"arguments\":{\"amount\": 7,\"to\":\"Zoë\"}}";
  private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");
  private static final String SEARCH = "{\"id\":\"c0\",\"name\":\"search\",\"arguments\":{}}";

  @TempDir private Path folder;
  private StubWebhook webhook;
  private String agent;

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    webhook.answer(200, "{\"paid\": true}");
    agent = StoredToml.of(folder, webhook, "");
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  private void created(String conversation) {
    try (Storage storage = Storage.open("sqlite:agent.db", folder)) {
      assertThat(
              storage
                  .conversations("agent")
                  .directory()
                  .create(conversation, ConversationDirectory.Header.of("local")))
          .isTrue();
    }
  }

  private Cli exec(String conversation, String lines) {
    return Cli.runWith(lines, "exec", "--conversation", conversation, agent);
  }

  private Cli approvals(String... words) {
    String[] args = new String[words.length + 2];
    args[0] = "approvals";
    System.arraycopy(words, 0, args, 1, words.length);
    args[words.length + 1] = agent;
    return Cli.run(args);
  }

  private static String payload(Cli cli, String type) {
    return cli.json().stream()
        .filter(event -> event.path("type").stringValue().equals(type))
        .map(event -> event.path("payload").toString())
        .toList()
        .toString();
  }

  @Test
  void aRequestOutlivesExecAndIsShown() {
    Cli cli = exec("v-1", PAY);

    assertThat(cli.err()).isEmpty();
    assertThat(payload(cli, "done")).isEqualTo("[{\"stopReason\":\"consent_pending\"}]");
    assertThat(webhook.requests()).isEmpty();
    assertThat(approvals("list").out().lines().map(line -> line.split(" {2,}")[0]))
        .containsExactly("ID", "c1");
    assertThat(approvals("list").out()).contains("v-1", "pay", "external", "{\"amount\": 7,");
    JsonNode shown = approvals("list", "--json").json().getFirst();
    assertThat(shown.propertyNames())
        .containsExactly(
            "id", "conversation", "tool", "arguments", "mode", "reason", "scope", "expiresAt");
    assertThat(shown.path("arguments").path("to").stringValue()).isEqualTo("Zoë");
  }

  @Test
  void approvingRunsTheStoredCallOnce() {
    exec("v-1", PAY);

    assertThat(approvals("approve", "c1")).isEqualTo(new Cli(0, "{\"paid\": true}\n", ""));
    assertThat(webhook.requests()).hasSize(1);
    assertThat(webhook.requests().getFirst().body())
        .contains("\"arguments\":{\"amount\": 7,\"to\":\"Zoë\"}");
    assertThat(approvals("approve", "c1").err())
        .startsWith("switchboard: The request 'c1' was approved by '")
        .endsWith(", and its call has run.\n");
    assertThat(approvals("list")).isEqualTo(new Cli(0, "No call waits for consent\n", ""));
    Cli again = exec("v-1", PAY);
    assertThat(payload(again, "tool_result")).contains("\"callId\":\"c1\"", "paid");
    assertThat(payload(again, "done")).contains("end_turn");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void denyingTellsTheModelWhy() {
    exec("v-1", PAY);

    assertThat(approvals("deny", "c1", "--reason", "not this month"))
        .isEqualTo(new Cli(0, "Denied: c1\n", ""));
    assertThat(payload(exec("v-1", PAY), "tool_result"))
        .contains("consent_denied", "not this month");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void lastingConsentsAreListedAndTakenBack() {
    assertThat(approvals("list", "--grants"))
        .isEqualTo(new Cli(0, "No lasting consent is stored.\n", ""));
    exec("v-1", PAY);
    approvals("approve", "c1", "--always");
    exec("v-1", PAY.replace("c1", "c2"));
    assertThat(webhook.requests()).hasSize(2);

    JsonNode grant = approvals("list", "--grants", "--json").json().getFirst();
    assertThat(grant.propertyNames())
        .containsExactly("id", "principal", "tool", "arguments", "conversation", "since");
    assertThat(grant.path("principal").stringValue()).isEqualTo("local");
    String id = grant.path("id").stringValue();
    assertThat(approvals("list", "--grants").out().lines().map(line -> line.split(" {2,}")[1]))
        .containsExactly("PRINCIPAL", "local");
    assertThat(approvals("revoke", id)).isEqualTo(new Cli(0, "Revoked: " + id + "\n", ""));
    assertThat(approvals("revoke", id))
        .isEqualTo(new Cli(1, "", "switchboard: There is no lasting consent '" + id + "'.\n"));
    assertThat(payload(exec("v-1", PAY.replace("c1", "c3")), "done")).contains("consent_pending");
    assertThat(webhook.requests()).hasSize(2);
  }

  @Test
  void aConsentForAllIsListedAsSuch() {
    exec("v-1", PAY);
    assertThat(approvals("approve", "c1", "--for-all").err())
        .isEqualTo("switchboard: --for-all goes with --for or --always.\n");
    approvals("approve", "c1", "--for", "1h", "--for-all");

    JsonNode grant = approvals("list", "--grants", "--json").json().getFirst();
    assertThat(grant.has("principal")).isFalse();
    assertThat(grant.has("until")).isTrue();
    assertThat(approvals("list", "--grants").out()).contains("(all)");
  }

  @Test
  void severalAtOnce() {
    exec("v-1", PAY + "\n" + PAY.replace("c1", "c2"));

    Cli cli = approvals("approve", "c1", "nobody", "c2", "--json");

    assertThat(cli.exit()).isOne();
    assertThat(cli.json())
        .extracting(result -> result.path("callId").stringValue())
        .containsExactly("c1", "c2");
    assertThat(cli.err()).isEqualTo("switchboard: No request 'nobody' is open.\n");
    assertThat(webhook.requests()).hasSize(2);
  }

  @Test
  void anIdOfSeveralConversationsIsNamedInFull() {
    exec("v-1", PAY);
    exec("v-2", PAY);

    assertThat(approvals("approve", "c1"))
        .isEqualTo(
            new Cli(
                2, "", "switchboard: 'c1' is the id of several requests: 'v-1/c1', 'v-2/c1'.\n"));
    assertThat(webhook.requests()).isEmpty();
    assertThat(approvals("approve", "v-2/c1").exit()).isZero();
    assertThat(approvals("approve", "c1", "--conversation", "v-2").exit()).isOne();
    assertThat(approvals("approve", "c1", "--conversation", "v-1").exit()).isZero();
    assertThat(webhook.requests()).hasSize(2);
  }

  @Test
  void editedArgumentsRunInTheirPlace() {
    exec("v-1", PAY);

    assertThat(approvals("approve", "c1", "--arguments", "{\"amount\":\"much\"}").err())
        .startsWith("switchboard: The request stays open: ");
    assertThat(approvals("approve", "c1", "--arguments", "{").err())
        .startsWith("switchboard: The text of --arguments is not JSON");
    assertThat(approvals("approve", "c1", "--arguments", "{\"amount\":3,\"to\":\"Zoë\"}").exit())
        .isZero();
    assertThat(webhook.requests().getFirst().body())
        .contains("\"arguments\":{\"amount\":3,\"to\":\"Zoë\"}");
  }

  @Test
  void aLastingAnswerHoldsForOthersOfItsScope() {
    exec("v-1", PAY);
    approvals("approve", "c1", "--for", "10m");

    assertThat(payload(exec("v-2", PAY), "tool_result")).contains("paid");
    assertThat(payload(exec("v-3", PAY.replace("Zoë", "Max")), "done")).contains("consent_pending");
    approvals("approve", "c1", "--always");
    assertThat(payload(exec("v-4", PAY.replace("Zoë", "Max")), "tool_result")).contains("paid");
  }

  @Test
  void aCallThatFailsIsAFailure() {
    exec("v-1", "{\"id\":\"c0\",\"name\":\"search\",\"arguments\":{}}\n" + PAY);
    webhook.answer(500, "down");

    Cli cli = approvals("approve", "c1");

    assertThat(cli.exit()).isOne();
    assertThat(cli.err()).startsWith("switchboard: Tool failed").contains("HTTP 500");
  }

  @Test
  void anExpiredRequestIsClosedWhenItIsSeen() {
    try (ConversationStore store = Storage.sqlite(folder.resolve("agent.db"), "agent")) {
      Cell<ConversationState> cell = store.state("v-1");
      assertThat(cell.replace(cell.load(), waiting(Instant.EPOCH))).isTrue();
    }

    assertThat(approvals("approve", "c1"))
        .isEqualTo(
            new Cli(
                1, "", "switchboard: The request 'c1' has expired, and its call is refused.\n"));
    assertThat(payload(exec("v-1", PAY), "tool_result")).contains("consent_timeout");
    assertThat(webhook.requests()).isEmpty();
  }

  private void taken(Instant until) {
    created("v-1");
    try (ConversationStore store = Storage.sqlite(folder.resolve("agent.db"), "agent")) {
      Cell<ConversationState> cell = store.state("v-1");
      assertThat(cell.replace(cell.load(), waiting(LATER).taken("c1", until))).isTrue();
    }
  }

  @Test
  void aRequestWhoseProcessDiedAfterTheAnswerIsOpen() {
    taken(Instant.EPOCH);

    assertThat(approvals("list").out().lines().map(line -> line.split(" {2,}")[0]))
        .containsExactly("ID", "c1");
    assertThat(approvals("list", "--json").out()).contains("\"id\":\"c1\"");
    assertThat(approvals("approve", "c1")).isEqualTo(new Cli(0, "{\"paid\": true}\n", ""));
    assertThat(webhook.requests()).hasSize(1);
    assertThat(approvals("list").out()).isEqualTo("No call waits for consent\n");
  }

  @Test
  void requestSaysThatItsCallMayHaveRunBeforeCrash() {
    created("v-1");
    try (ConversationStore store = Storage.sqlite(folder.resolve("agent.db"), "agent")) {
      Cell<ConversationState> cell = store.state("v-1");
      ConversationState left =
          waiting(LATER)
              .taken("c1", Instant.EPOCH)
              .beginning(new ConversationState.Begun("c1", "c1"));
      assertThat(cell.replace(cell.load(), left)).isTrue();
    }

    assertThat(approvals("list").out()).contains("It may have been done already: it began,");
    assertThat(approvals("deny", "c1").exit()).isZero();
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void aRequestWhoseProcessDiedAfterTheAnswerCanBeDenied() {
    taken(Instant.EPOCH);

    assertThat(approvals("deny", "c1")).isEqualTo(new Cli(0, "Denied: c1\n", ""));
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void aRequestWhoseCallMayRunInAnotherProcessIsNotOpen() {
    taken(LATER);

    assertThat(approvals("list").out()).isEqualTo("No call waits for consent\n");
    assertThat(approvals("approve", "c1").exit()).isOne();
    assertThat(webhook.requests()).isEmpty();
  }

  private static ConversationState waiting(Instant expiry) {
    ToolCall call = ToolCall.of("c1", "pay", "{\"amount\": 7,\"to\":\"Zoë\"}");
    List<ConsentRequest.Demand> demands =
        List.of(new ConsentRequest.Demand("Somebody asks.", null, Json.EMPTY_OBJECT, ""));
    ConsentRequest request = new ConsentRequest("v-1", call, ToolMode.EXTERNAL, demands, expiry);
    List<WaitingCall> waiting = List.of(new WaitingCall(request, null));
    return new ConversationState(0, RuleState.NEW, null, waiting, Set.of());
  }

  @Test
  void whoLosesARaceReadsWhatHasHappened() {
    exec("v-1", SEARCH + "\n" + PAY);
    List<Cli> losers = new CopyOnWriteArrayList<>();
    webhook.answer(request -> {
      losers.add(approvals("approve", "v-1/c1"));
      return StubAnswer.of(200, "{\"paid\": true}");
    });

    assertThat(approvals("approve", "c1").exit()).isZero();

    String begin =
        "switchboard: The request 'v-1/c1' was approved by '"
            + System.getProperty("user.name")
            + "' at ";
    assertThat(losers)
        .singleElement()
        .satisfies(loser -> {
          assertThat(loser.exit()).isOne();
          assertThat(loser.err()).startsWith(begin).endsWith(", and its call has not ended yet.\n");
        });
    assertThat(approvals("deny", "v-1/c1").err()).startsWith(begin).endsWith("has run.\n");
    assertThat(approvals("deny", "c1", "--conversation", "v-1").err()).endsWith("has run.\n");
    assertThat(webhook.requests()).hasSize(2);
  }

  @Test
  void whoComesAfterADenialReadsWhoDenied() {
    exec("v-1", PAY);
    approvals("deny", "c1");

    assertThat(approvals("approve", "v-1/c1").err())
        .contains("' was denied by '")
        .endsWith(", and its call is refused.\n");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void namesLatestOfSettledRequestsWithOneId() {
    exec("v-1", PAY);
    approvals("deny", "c1");
    created("v/2"); // by a version that took any id
    exec("v/2", PAY);
    approvals("approve", "c1");
    exec("v-3", PAY.replace("c1", "2/c1"));

    assertThat(approvals("approve", "c1").err())
        .startsWith("switchboard: The request 'v/2/c1' was approved by '")
        .endsWith(", and its call has run. Earlier ones of that id: 'v-1/c1'.\n");
    assertThat(approvals("deny", "v/2/c1").err())
        .startsWith("switchboard: The request 'v/2/c1' was approved by '")
        .endsWith(", and its call has run.\n");
    assertThat(approvals("deny", "c2").err()).isEqualTo("switchboard: No request 'c2' is open.\n");
  }

  @Test
  void whoComesAfterAFailureReadsIt() {
    exec("v-1", SEARCH + "\n" + PAY);
    webhook.answer(500, "down");
    approvals("approve", "c1");

    assertThat(approvals("approve", "v-1/c1").err())
        .contains("' was approved by '", ", and its call has failed: Tool failed after 1 attempt");
  }

  @Test
  void findsTheOnlyFileWithAStorage() throws IOException {
    exec("v-1", PAY);
    Files.writeString(folder.resolve("other.toml"), "[[tools]]");

    assertThat(Cli.runIn(folder, "approvals", "approve", "c1").exit()).isZero();
    Files.writeString(folder.resolve("third.toml"), "[storage]\nurl = \"sqlite:x.db\"");
    assertThat(Cli.runIn(folder, "approvals", "approve", "c1"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Several agents here have a storage: %s, %s; name one of the files.\n"
                    .formatted(agent, folder.resolve("third.toml"))));
    assertThat(Cli.runIn(folder.resolve("none"), "approvals", "list").exit()).isOne();
  }

  @Test
  void listsWhatWaitsOfAllAgentsOfTheFolder() throws IOException {
    exec("v-1", PAY);
    Path third = folder.resolve("third.toml");
    Files.writeString(third, "[storage]\nurl = \"sqlite:x.db\"");

    assertThat(Cli.runIn(folder, "approvals", "list").out().lines())
        .satisfiesExactly(
            file -> assertThat(file).isEqualTo(agent + ":"),
            head -> assertThat(head).startsWith("ID "),
            row -> assertThat(row).startsWith("c1 "),
            file -> assertThat(file).isEqualTo(third + ":"),
            none -> assertThat(none).isEqualTo("No call waits for consent"));
    assertThat(Cli.runIn(folder, "approvals", "list", "--json").json()).hasSize(1);
  }

  @Test
  void callsOfToolsMadeInJavaAreListedAndDeniedButNotRun() throws IOException {
    exec("v-1", PAY);
    String file = Files.readString(Path.of(agent));
    Files.writeString(
        Path.of(agent),
        file.replaceFirst("(?s)\\[\\[tools]]\\s*name = \"pay\".*?(?=\\[\\[tools]])", ""));

    assertThat(approvals("list").out()).contains("c1 ");
    Cli approved = approvals("approve", "c1");
    assertThat(approved.exit()).isEqualTo(2);
    assertThat(approved.err())
        .endsWith(
            "switchboard: The request stays open: 'pay' is made in Java, and this command runs only"
                + " the tools of %s.\n".formatted(agent));
    assertThat(approvals("deny", "c1").exit()).isZero();
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void anAgentWithoutAStorageIsWrongUsage() {
    String bare = AgentToml.of(folder, webhook);

    assertThat(Cli.run("approvals", "list", bare))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: %s keeps nothing: give it a table [storage] with url = \"sqlite:agent.db\".\n"
                    .formatted(bare)));
    assertThat(Cli.runIn(folder, "approvals", "list").err())
        .startsWith("switchboard: No *.toml here has a table [storage]");
  }

  @Test
  void wrongOptionsAreSaid() {
    for (List<String> words :
        List.of(
            List.of("approve", "c1", "--for", "10m", "--always"),
            List.of("approve", "c1", "c2", "--arguments", "{}"),
            List.of("approve", "c1", "--for", "soon"),
            List.of("approve", "c1", "--for", "0"),
            List.of("approve", "c1", "other.toml"),
            List.of("approve"),
            List.of("deny", "c1", "--always"),
            List.of("deny", "c1", "--nothing"))) {
      Cli cli = approvals(words.toArray(String[]::new));
      assertThat(cli.exit()).as(words.toString()).isEqualTo(2);
      assertThat(cli.err().lines()).as(words.toString()).hasSize(1);
    }
  }

  @Test
  void aStoreThatCannotBeOpenedIsOneSentence() throws IOException {
    Files.writeString(folder.resolve("agent.db"), "no store, but long enough to be read".repeat(9));

    for (Cli cli : List.of(exec("v-1", PAY), approvals("list"))) {
      assertThat(cli.exit()).isOne();
      assertThat(cli.err()).startsWith("switchboard: The store ").contains("cannot be opened");
    }
  }
}
