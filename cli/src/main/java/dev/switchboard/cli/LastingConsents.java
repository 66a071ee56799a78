package dev.switchboard.cli;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Grant;
import dev.switchboard.text.Durations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The lasting consents in an agent's storage.
record LastingConsents(ConversationStore store) {
  /// Prints those that hold now.
  void show(Terminal terminal, boolean json) {
    Instant now = store.time().now();
    List<Grant> holding =
        store.agent().load().value().grants().all().stream()
            .filter(grant -> grant.holds(now))
            .toList();
    if (json) {
      holding.forEach(grant -> terminal.out().println(object(grant, now)));
    } else if (holding.isEmpty()) {
      terminal.out().println("No lasting consent is stored.");
    } else {
      Table.of(rows(holding, now)).forEach(terminal.out()::println);
    }
  }

  /// Takes back the consent of that id; false if there is none.
  boolean revoke(String id) {
    return AgentState.changeGrants(store.agent(), grants -> grants.withoutId(id));
  }

  private static Json object(Grant grant, Instant now) {
    ObjectNode out = Codec.object().put("id", grant.id());
    if (grant.principal() != null) {
      out.put("principal", grant.principal());
    }
    out.put("tool", grant.tool()).set("arguments", grant.bound().tree());
    if (grant.conversation() != null) {
      out.put("conversation", grant.conversation());
    }
    if (grant.since() != null) {
      out.put("since", grant.since().toString());
    }
    if (!isForEver(grant, now)) {
      out.put("until", grant.until().toString());
    }
    return Json.of(out);
  }

  private static List<List<String>> rows(List<Grant> grants, Instant now) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "PRINCIPAL", "TOOL", "SINCE", "UNTIL", "ARGUMENTS"));
    for (Grant grant : grants) {
      rows.add(
          List.of(
              grant.id(),
              Plain.line(grant.principal() == null ? "(all)" : grant.principal()),
              Plain.line(grant.tool()),
              moment(grant.since()),
              isForEver(grant, now) ? "-" : Moments.text(grant.until()),
              grant.bound().tree().isEmpty() ? "(any)" : Plain.line(grant.bound().text())));
    }
    return rows;
  }

  private static String moment(@Nullable Instant moment) {
    return moment == null ? "-" : Moments.text(moment);
  }

  private static boolean isForEver(Grant grant, Instant now) {
    return grant.until().isAfter(now.plus(Durations.LONGEST.dividedBy(2)));
  }
}
