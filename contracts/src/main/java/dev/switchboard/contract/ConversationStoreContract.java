package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.state.ConversationState.Lease;
import dev.switchboard.state.Grant;
import dev.switchboard.state.Grants;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Restarts;
import dev.switchboard.state.Selection;
import dev.switchboard.state.Spending;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What every store does.
public interface ConversationStoreContract extends ConversationWritesContract, PagesContract {
  @Test
  default void beginsWithNothing() {
    ConversationStore store = open();

    assertThat(store.state("c").load()).isEqualTo(new Cell.Version<>(0, ConversationState.NEW));
    assertThat(store.agent().load()).isEqualTo(new Cell.Version<>(0, AgentState.NEW));
    assertThat(store.settledCall("c", "1")).isNull();
    assertThat(store.settledCalls("c", 0)).isEmpty();
    assertThat(store.directory().waiting()).isEmpty();
  }

  @Test
  default void keepsLinesInOrderAndEachKeyOnce() {
    ConversationStore store = open();
    assertThat(store.append("c", 0, ConversationWritesContract.line("turn1/input", "a"))).isTrue();
    assertThat(store.append("d", 0, ConversationWritesContract.line("turn1/input", "other")))
        .isTrue();
    assertThat(store.append("c", 0, ConversationWritesContract.line("turn1/end", "b"))).isTrue();
    assertThat(open().append("c", 0, ConversationWritesContract.line("turn1/end", "c"))).isFalse();
    assertThat(store.append("c", 0, ConversationWritesContract.line("turn2/input", "d"))).isTrue();

    assertThat(open().lines("c", 10))
        .extracting(line -> line.entry().text())
        .containsExactly("\"a\"", "\"b\"", "\"d\"");
    assertThat(store.lines("c", 2))
        .extracting(ConversationStore.Line::key)
        .containsExactly("turn1/end", "turn2/input");
    assertThat(store.lines("nobody", 2)).isEmpty();
  }

  @Test
  default void aKeyOfAPrincipalStandsForOneConversationForAWhile() {
    ConversationStore store = open();
    Instant now = Instant.now();
    assertThat(store.directory().keyed("ada", "k", "c1", now.minusSeconds(60))).isEqualTo("c1");
    assertThat(open().directory().keyed("ada", "k", "c2", now.minusSeconds(60))).isEqualTo("c1");
    assertThat(store.directory().keyed("ada", "other", "c3", now.minusSeconds(60))).isEqualTo("c3");
    assertThat(store.directory().keyed("bob", "k", "c4", now.minusSeconds(60))).isEqualTo("c4");

    assertThat(store.directory().keyed("ada", "k", "c5", now.plusSeconds(3_600))).isEqualTo("c5");
  }

  @Test
  default void aKeyGoesWithItsConversation() {
    ConversationStore store = open();
    Instant since = Instant.now().minusSeconds(60);
    assertThat(store.directory().keyed("ada", "k", "c1", since)).isEqualTo("c1");
    assertThat(store.directory().keyed("ada", "other", "c2", since)).isEqualTo("c2");
    assertThat(store.directory().create("c1", Header.of("ada"))).isTrue();

    assertThat(store.directory().delete("c1")).isTrue();

    assertThat(store.directory().keyed("ada", "k", "c3", since)).isEqualTo("c3");
    assertThat(store.directory().keyed("ada", "other", "c4", since)).isEqualTo("c2");
  }

  @Test
  default void onlyWhoHasSeenTheLatestReplacesIt() {
    Cell<ConversationState> one = open().state("c");
    Cell<ConversationState> other = open().state("c");
    Cell.Version<ConversationState> seen = one.load();

    assertThat(one.replace(seen, turn(1))).isTrue();
    assertThat(other.replace(seen, turn(2))).isFalse();
    assertThat(other.load()).isEqualTo(new Cell.Version<>(1, turn(1)));
    assertThat(other.replace(other.load(), turn(3))).isTrue();
    assertThat(one.replace(new Cell.Version<>(1, turn(1)), turn(4))).isFalse();
    assertThat(one.load()).isEqualTo(new Cell.Version<>(2, turn(3)));
  }

  @Test
  default void knowsThatACallHasBegunBeforeItsHandlerBegins() {
    ConversationStore store = open();
    List<ToolResult> elsewhere = new ArrayList<>();
    Tool pay =
        Tool.dynamic("pay")
            .atMostOnce()
            .handler(arguments -> {
              ConversationStore other = open();
              ToolSession session = ToolSession.builder("c").store(other).build();
              try (ToolExecutor executor =
                  ToolExecutor.of(Tool.dynamic("pay").atMostOnce().handler(none -> "twice"))) {
                elsewhere.add(executor.execute(ToolCall.of("c1", "pay", "{}"), session));
              }
              return "paid";
            });
    try (ToolExecutor executor = ToolExecutor.of(pay)) {
      ToolSession session = ToolSession.builder("c").store(store).build();
      assertThat(executor.execute(ToolCall.of("c1", "pay", "{}"), session).text())
          .isEqualTo("paid");
      session.close();
    }
    assertThat(elsewhere)
        .singleElement()
        .satisfies(result -> assertThat(result.code()).isEqualTo(ResultCode.OUTCOME_UNKNOWN));
    assertThat(open().state("c").load().value().begun()).isEmpty();
  }

  @Test
  default void keepsTheAgentsStateForAllOpenings() {
    AgentState state =
        new AgentState(
            Tallies.NONE.started("a", NOON).ended("a", true),
            new Grants(
                List.of(
                    new Grant("a", Json.of(Map.of("to", 7)), NOON, "digest", "c", "zoe", NOON))),
            new Spending.Day(
                LocalDate.of(2026, 11, 28),
                Spending.Sum.of("m", new Spending.Used(new Usage(10, 2), new BigDecimal("10")))
                    .approved("c/spend_1_1_1")));
    Cell<AgentState> one = open().agent();
    Cell.Version<AgentState> seen = one.load();

    assertThat(one.replace(seen, state)).isTrue();
    assertThat(one.replace(seen, AgentState.NEW)).isFalse();
    assertThat(open().agent().load()).isEqualTo(new Cell.Version<>(1, state));
    assertThat(one.replace(new Cell.Version<>(1, state), AgentState.NEW)).isTrue();
  }

  @Test
  default void keepsAConversationWhole() {
    ConversationState state =
        new ConversationState(
            3,
            new LoopState(
                2,
                4,
                false,
                List.of("i1", "i2"),
                new LoopState.Last(StopReason.MODEL_ERROR, "No.", List.of("save"), Kind.REFUSED)),
            new Lease(7, NOON),
            RuleState.NEW
                .started("a", NOON)
                .ended("a", false)
                .startRefused()
                .holding(new RoundEnd.Exit(StopReason.TERMINAL_RESULT, "Bye.")),
            StopReason.TERMINAL_RESULT,
            List.of(
                new WaitingCall(request("c", "1", NOON), null),
                new WaitingCall(
                    request("c", "6", NOON).with(new ConsentRequest.Begun(NOON, true)), null),
                new WaitingCall(request("c", "2", NOON), NOON),
                new WaitingCall(
                    request("c", "4", NOON),
                    null,
                    Answer.approveFor(Duration.ofMinutes(10)).with(Json.text("{\"a\":1}"))),
                new WaitingCall(request("c", "5", NOON), NOON, Answer.deny("no").by("zoe"))),
            Set.of("c3"),
            List.of(
                ConsentAnswer.of(
                    "0", Answer.approveAlways().with(Json.text("{\"a\":1}")), "zoe", NOON),
                ConsentAnswer.of("9", Answer.deny("Not now."), "zoe", NOON)),
            List.of(new Begun("c4", "c4"), new Begun("c5.1.1", "c5")),
            new Restarts(
                List.of(
                    new Restarts.Started("1", 2, 1, NOON),
                    new Restarts.Started("turn2/round1/model", 1, 0, null)),
                List.of("c7")),
            "operator",
            Spending.NONE
                .plus(
                    Spending.Sum.of(
                        "m",
                        new Spending.Used(new Usage(10, 2, 3, 4, 1), new BigDecimal("0.0105"))))
                .nextTurn()
                .plus(Spending.Sum.of("n", new Spending.Used(new Usage(5, 1), null))));
    Cell<ConversationState> cell = open().state("c");

    assertThat(cell.replace(cell.load(), state)).isTrue();
    assertThat(open().state("c").load().value()).isEqualTo(state);
    assertThat(open().state("d").load().value()).isEqualTo(ConversationState.NEW);
  }

  @Test
  default void keepsSettledCallsByTurnInTheirOrder() {
    ConversationStore store = open();
    store.settled("c", 0, 0, settled("z"));
    store.settled("c", 0, 1, settled("y"));
    store.settled("d", 0, 0, settled("x"));
    store.settled("c", 0, 0, settled("a"));

    ConversationStore again = open();
    assertThat(again.settledCalls("c", 0)).containsExactly(settled("z"), settled("a"));
    assertThat(again.settledCalls("c", 1)).containsExactly(settled("y"));
    assertThat(again.settledCalls("c", 2)).isEmpty();
    assertThat(again.settledCall("c", "y")).isEqualTo(settled("y"));
    assertThat(again.settledCall("c", "x")).isNull();
  }

  @Test
  default void theFirstResultOfAnIdStays() {
    ConversationStore store = open();
    store.settled("c", 0, 0, settled("1"));
    store.settled("c", 0, 1, new SettledCall(settled("1").call(), ToolResult.ok("later")));

    assertThat(store.settledCall("c", "1")).isEqualTo(settled("1"));
    assertThat(store.settledCalls("c", 1)).isEmpty();
  }

  @Test
  default void listsWhatWaitsInTheOrderItExpires() {
    ConsentRequest late = request("c", "1", NOON.plusSeconds(9));
    ConsentRequest soon = request("d", "1", NOON.minusSeconds(9));
    ConsentRequest between = request("c", "2", NOON);
    put("c", new WaitingCall(late, null), new WaitingCall(between, null));
    put("d", new WaitingCall(request("d", "2", NOON), NOON), new WaitingCall(soon, null));
    put("e", new WaitingCall(request("e", "1", NOON), NOON));

    assertThat(open().directory().waiting()).containsExactly(soon, between, late);
    put("d");
    assertThat(open().directory().waiting()).containsExactly(between, late);
  }

  @Test
  default void listsItsConversations() {
    ConversationStore store = open();
    assertThat(store.directory().conversations()).isEmpty();
    Instant before = Instant.now().minusMillis(1);
    store.append("lines", 0, ConversationWritesContract.line("turn1/input", "a"));
    store.append("lines", 0, ConversationWritesContract.line("turn1/end", "b"));
    Cell<ConversationState> cell = store.state("lines");
    assertThat(cell.replace(cell.load(), turn(4))).isTrue();
    store.settled("calls", 0, 0, settled("1"));
    store.settled("calls", 0, 1, settled("2"));
    put("asks", new WaitingCall(request("asks", "1", NOON), null));

    List<ConversationDirectory.Summary> all = open().directory().conversations();
    assertThat(all)
        .extracting(one -> one.id() + " " + one.turns() + " " + one.calls() + " " + one.waiting())
        .containsExactlyInAnyOrder("lines 4 0 0", "calls 0 2 0", "asks 0 0 1");
    assertThat(all)
        .filteredOn(one -> !one.id().equals("asks"))
        .allSatisfy(one -> assertThat(one.started()).isAfter(before))
        .allSatisfy(one -> assertThat(one.last()).isAfterOrEqualTo(one.started()));
    assertThat(all)
        .filteredOn(one -> one.id().equals("asks"))
        .allSatisfy(one -> assertThat(one.last()).isNull());
  }

  @Test
  default void createsAConversationOnceForSomeone() {
    ConversationStore store = open();
    Header zoe = new Header("zoe", "acme", "v7", Json.of(Map.of("case", 4)));
    store.append("other", 0, ConversationWritesContract.line("turn1/input", "a"));

    assertThat(store.directory().create("c", zoe)).isTrue();
    assertThat(open().directory().create("c", Header.NONE)).isFalse();
    assertThat(open().directory().create("other", zoe)).isFalse();
    store.appendEvents(
        "c",
        0,
        List.of(
            ConversationWritesContract.event("a", null),
            ConversationWritesContract.event("b", null)));
    Cell<ConversationState> cell = open().state("c");
    assertThat(cell.load().number()).isZero();
    assertThat(cell.replace(cell.load(), turn(2))).isTrue();

    ConversationDirectory.Summary known = open().directory().conversation("c");
    assertThat(known.header()).isEqualTo(zoe);
    assertThat(known.turns()).isEqualTo(2);
    assertThat(known.events()).isEqualTo(2);
    assertThat(known.started()).isNotNull();
    assertThat(known.last()).isNotNull();
    assertThat(open().directory().conversation("other").header()).isEqualTo(Header.NONE);
    assertThat(open().directory().conversation("nobody")).isNull();
  }

  @Test
  default void belongsForEverToThePrincipalThatWritesFirst() {
    ConversationStore store = open();
    ConversationStore.Line line = ConversationWritesContract.line("turn1/input", "a");
    List<Event.Logged> event = List.of(ConversationWritesContract.event("a", null));
    store.write("line", 0, ConversationStore.Writing.of(line).by("zoe"));
    store.write("event", 0, ConversationStore.Writing.of(event).by("zoe"));
    store.write("state", 0, begun(store, "state").by("zoe"));
    store.write("anyone", 0, ConversationStore.Writing.of(line));

    for (String id : List.of("line", "event", "state")) {
      assertThat(open().load(id).principal()).isEqualTo("zoe");
    }
    assertThat(open().load("anyone").principal()).isEqualTo("local");
    assertThat(open().load("none").principal()).isNull();
  }

  /// It was read as new before another principal began it.
  @Test
  default void writesNothingToAnotherPrincipalsConversation() {
    ConversationStore store = open();
    ConversationStore.Line line = ConversationWritesContract.line("turn1/input", "a");
    List<Event.Logged> event = List.of(ConversationWritesContract.event("a", null));
    ConversationStore.Writing state = begun(store, "c");
    assertThat(store.directory().create("c", Header.of("zoe"))).isTrue();

    for (ConversationStore.Writing writing :
        List.of(ConversationStore.Writing.of(line), ConversationStore.Writing.of(event))) {
      assertThatThrownBy(() -> store.write("c", 0, writing.by("yan")))
          .isInstanceOf(ConversationNotFoundException.class);
    }
    assertThat(isWritten(store, "c", state.by("yan"))).isFalse();
    assertThat(open().lines("c", 10)).isEmpty();
    assertThat(open().events("c", 0, 10)).isEmpty();
    assertThat(open().load("c").state().value().turn()).isZero();
    assertThat(isWritten(store, "c", state.by("zoe"))).isTrue();
  }

  private static ConversationStore.Writing begun(ConversationStore store, String id) {
    return ConversationStore.Writing.of(store.load(id).state(), turn(1));
  }

  private static boolean isWritten(
      ConversationStore store, String id, ConversationStore.Writing writing) {
    try {
      return store.write(id, 0, writing).outcome() == ConversationStore.Outcome.DONE;
    } catch (ConversationNotFoundException e) {
      return false;
    }
  }

  @Test
  default void selectsConversationsByTheirPrincipalInPages() {
    for (String id : List.of("a", "b", "c", "d", "e")) {
      String principal = id.equals("c") ? "yan" : "zoe";
      assertThat(
              open().directory().create(id, new Header(principal, null, null, Json.EMPTY_OBJECT)))
          .isTrue();
    }
    List<String> all = pages(null);
    assertThat(all).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    assertThat(pages("zoe")).isEqualTo(all.stream().filter(id -> !id.equals("c")).toList());
    assertThat(open().directory().principals(Set.of("a", "c", "f")))
        .isEqualTo(Map.of("a", "zoe", "c", "yan"));
  }

  /// A cursor states a moment in milliseconds.
  @Test
  default void losesNoneBetweenPagesThatWereCreatedAtTheSameTime() {
    ConversationStore store = open();
    for (int i = 0; i < 60; i++) {
      assertThat(store.directory().create("c" + i, Header.NONE)).isTrue();
    }
    assertThat(pages(null)).hasSize(60).doesNotHaveDuplicates();
  }

  private List<String> pages(@Nullable String principal) {
    List<String> ids = new ArrayList<>();
    Position before = null;
    List<ConversationDirectory.Summary> page;
    do {
      page = open().directory().conversations(new Selection(principal, before, 2));
      page.forEach(one -> ids.add(one.id()));
      before = page.isEmpty() ? null : carried(page.getLast().position());
    } while (page.size() == 2);
    return ids;
  }

  private static Position carried(Position last) {
    return new Position(Instant.ofEpochMilli(last.at().toEpochMilli()), last.id());
  }

  @Test
  default void tellsWhatIsDue() {
    put("late", new WaitingCall(request("late", "1", NOON.plusSeconds(9)), null));
    put("soon", new WaitingCall(request("soon", "1", NOON.minusSeconds(9)), null));
    put("between", new WaitingCall(request("between", "1", NOON), null));
    put("never");

    assertThat(open().directory().due(NOON.plusSeconds(1), 9)).containsExactly("soon", "between");
    assertThat(open().directory().due(NOON.plusSeconds(10), 2)).containsExactly("soon", "between");
    assertThat(open().directory().due(NOON.minusSeconds(10), 9)).isEmpty();
  }

  @Test
  default void deletesAllOfAConversationAndNothingElse() {
    for (String id : List.of("c", "d")) {
      ConversationStore store = open();
      store.append(id, 0, ConversationWritesContract.line("turn1/input", "a"));
      store.settled(id, 0, 0, settled("1"));
      put(id, new WaitingCall(request(id, "1", NOON), null));
    }
    Cell<ConversationState> known = open().state("c");
    Cell.Version<ConversationState> seen = known.load();

    assertThat(open().directory().delete("c")).isTrue();
    assertThat(open().directory().delete("c")).isFalse();
    assertThat(open().directory().conversations())
        .extracting(ConversationDirectory.Summary::id)
        .containsExactly("d");
    assertThat(open().lines("c", 9)).isEmpty();
    assertThat(open().settledCall("c", "1")).isNull();
    assertThat(open().state("c").load()).isEqualTo(new Cell.Version<>(0, ConversationState.NEW));
    assertThat(open().directory().waiting())
        .extracting(ConsentRequest::conversation)
        .containsExactly("d");
    assertThat(known.replace(seen, turn(9))).isFalse();
    assertThat(open().append("c", 0, ConversationWritesContract.line("turn1/input", "again")))
        .isTrue();
    assertThat(open().settledCalls("d", 0)).hasSize(1);
  }

  private void put(String conversation, WaitingCall... waiting) {
    Cell<ConversationState> cell = open().state(conversation);
    ConversationState next =
        new ConversationState(0, RuleState.NEW, null, Arrays.asList(waiting), Set.of());
    assertThat(cell.replace(cell.load(), next)).isTrue();
  }

  /// A state that differs from others.
  static ConversationState turn(int number) {
    return new ConversationState(number, RuleState.NEW, null, List.of(), Set.of());
  }

  /// A request for consent to a call whose arguments are oddly written.
  static ConsentRequest request(String conversation, String id, Instant expiry) {
    ToolCall call = ToolCall.of(id, "pay", "{ \"amount\": 1.50, \"to\":\"Zoë \uD83C\uDF55\" }");
    List<ConsentRequest.Demand> demands =
        List.of(
            new ConsentRequest.Demand(
                "A rule asks.", "payments", Json.of(Map.of("to", "Zoë")), "digest"),
            new ConsentRequest.Demand("It is local.", null, Json.EMPTY_OBJECT, ""));
    return new ConsentRequest(conversation, call, ToolMode.DESTRUCTIVE, demands, expiry);
  }

  /// A settled call of that id.
  static SettledCall settled(String id) {
    return new SettledCall(
        ToolCall.of(id, "pay", "no JSON \u0000 at all"),
        ToolResult.builder(true)
            .callId(id)
            .text("paid\n \uD83C\uDF55 ")
            .data(Json.of(Map.of("receipt", 7)))
            .more(Map.of("trace", Json.of(List.of(1, 2))))
            .build());
  }
}
