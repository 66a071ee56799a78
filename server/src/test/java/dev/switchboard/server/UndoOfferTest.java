package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which results let a person take back what a call did who may not call tools otherwise.
class UndoOfferTest {
  private static final String OFF = "{'name':'set_light','arguments':{'on':false}}";
  private static final String ON = "{'name':'set_light','arguments':{'on':true}}";

  private final List<Event.Logged> events = new ArrayList<>();

  private UndoOfferTest tell(String json) {
    Json event = Json.text(json.replace('\'', '"'));
    events.add(new Event.Logged(events.size() + 1, null, null, Instant.EPOCH, event));
    return this;
  }

  private UndoOfferTest call(String id, String mode, String arguments) {
    return tell(
        "{'type':'tool_call','mode':'%s','payload':{'id':'%s','name':'set_light','arguments':%s}}"
            .formatted(mode, id, arguments));
  }

  private UndoOfferTest result(String id, boolean success, String undo) {
    return tell(
        "{'type':'tool_result','payload':{'callId':'%s','success':%s,'data':{'undo':%s}}}"
            .formatted(id, success, undo));
  }

  private @Nullable Long offer() {
    Event.Logged offer = new TurnIndex(events).undoOffer("set_light", Json.text("{\"on\":false}"));
    return offer == null ? null : offer.number();
  }

  @Test
  void isASuccessfulResultOfAChange() {
    call("c1", "safe_write", "{'on':true}").result("c1", true, OFF);
    assertThat(offer()).isEqualTo(2);
    call("c2", "destructive", "{'on':1}").result("c2", true, OFF);
    assertThat(offer()).isEqualTo(4);
  }

  @Test
  void isNotAFailedResult() {
    call("c1", "safe_write", "{'on':true}").result("c1", false, OFF);
    assertThat(offer()).isNull();
  }

  @Test
  void isNotWhatAToolOutsideSaysOrOneThatOnlyReads() {
    for (String mode : List.of("external", "read", "local", "other")) {
      call(mode, mode, "{}").result(mode, true, OFF);
    }
    assertThat(offer()).isNull();
  }

  @Test
  void isNotAnotherEvent() {
    tell("{'type':'agent','event':'note','payload':{'success':true,'data':{'undo':" + OFF + "}}}");
    result("unknown", true, OFF);
    assertThat(offer()).isNull();
  }

  @Test
  void isNotWhatAToolRepeatsOfItsArguments() {
    call("c1", "safe_write", "{'note':[{'undo':" + OFF + "}]}").result("c1", true, OFF);
    assertThat(offer()).isNull();
  }

  @Test
  void isNotTheResultOfTheCallItself() {
    call("c1", "safe_write", "{'on':false}").result("c1", true, OFF);
    assertThat(offer()).isNull();
  }

  @Test
  void isUsedUpByACallByHand() {
    call("c1", "safe_write", "{'on':true}").result("c1", true, OFF);
    call("c2", "safe_write", "{'on':true}").result("c2", true, OFF);
    call("c3", "safe_write", "{'on':false}").result("c3", true, ON);
    assertThat(offer()).isEqualTo(4);
    call("hand_1", "safe_write", "{'on':true}").result("hand_1", true, "{}");
    assertThat(offer()).isEqualTo(4);
    call("hand_2", "safe_write", "{'on':false}").result("hand_2", true, ON);
    assertThat(offer()).isEqualTo(2);
    call("hand_3", "safe_write", "{'on':false}").result("hand_3", false, OFF);
    assertThat(offer()).isNull();
    call("c4", "safe_write", "{'on':true}").result("c4", true, OFF);
    assertThat(offer()).isEqualTo(14);
  }
}
