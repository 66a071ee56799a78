package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.ModelHook;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.call.CallRow;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.process.CallRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // it asserts what the whole process logs
final class CallsTest {
  private static final Carrier.Arrival ARRIVAL =
      new Carrier.Arrival("CA1", "+14155550100", "+15550001234", "inbound", Map.of());

  private final InProcessConversations store = new InProcessConversations();
  private Carrier.Switch calls;

  /// A process that answers the number.
  private Calls process() {
    return process(Agent.builder("Shop").prompt("You sell.").store(store));
  }

  private Calls process(AgentBuilder agent) {
    return Phone.builder()
        .carrier(new QuietCarrier())
        .number("+15550001234")
        .publicUrl("https://phone.example.com")
        .engine(OpenAiRealtime.of("sk"))
        .build()
        .answeredBy(agent.build());
  }

  @Test
  void aCallThatAnotherProcessHadIsNotAnsweredAgain() {
    Calls first = process();
    assertThat(calls.arrived(ARRIVAL)).isEqualTo(new Admission.Taken(new Medium.Audio()));
    assertThat(calls.arrived(ARRIVAL)).isEqualTo(new Admission.Taken(new Medium.Audio()));
    Awaitility.await().until(() -> CallRow.find(store, "CA1") != null);
    assertThat(first.count()).isOne();

    Calls next = process();
    assertThat(calls.arrived(ARRIVAL)).isInstanceOf(Admission.Busy.class);
    assertThat(next.count()).isZero();
  }

  @Test
  void aCallerHasNoMoreThanHalfOfTheLines() {
    Calls shop = process();
    for (int i = 0; i < Bound.CALLS.each(); i++) {
      assertThat(calls.arrived(from("+14155550100", i)))
          .isEqualTo(new Admission.Taken(new Medium.Audio()));
    }
    assertThat(calls.arrived(from("+14155550100", 100))).isInstanceOf(Admission.Busy.class);
    // Callers who withhold their number count as one.
    for (int i = 0; i < Bound.CALLS.each(); i++) {
      assertThat(calls.arrived(from("", 200 + i)))
          .isEqualTo(new Admission.Taken(new Medium.Audio()));
    }
    assertThat(calls.arrived(from("+14155550199", 300))).isInstanceOf(Admission.Busy.class);
    assertThat(shop.count()).isEqualTo(Bound.CALLS.all());
  }

  private static Carrier.Arrival from(String caller, int call) {
    return new Carrier.Arrival("CA" + call, caller, "+15550001234", "inbound", Map.of());
  }

  @Test
  void deletesCallRecordWithItsConversation(@TempDir Path log) throws IOException {
    Agent agent = Agent.builder("Shop").prompt("You sell.").store(store).build();
    Calls unused =
        Phone.builder()
            .carrier(new QuietCarrier())
            .number("+15550001234")
            .publicUrl("https://phone.example.com")
            .engine(OpenAiRealtime.of("sk"))
            .log(log)
            .build()
            .answeredBy(agent);
    for (String principal : List.of("tel:+14155550100", "zoe")) {
      String id = "CA" + principal.length();
      store.create(id, Header.of(principal));
      Path record = Files.createDirectories(new CallRecords(log).folder(id, Instant.now()));
      Files.writeString(record.resolve("transcript.md"), "**caller**: Hello");
      assertThat(agent.storedConversations().delete(id, false)).isTrue();

      // A conversation that is no call has none, whatever its id.
      assertThat(Files.exists(record)).isEqualTo(principal.equals("zoe"));
    }
  }

  @Test
  void modelHooksThatAreNotCalledAreWarnedOf() {
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            warnings.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger(Calls.class.getName());
    log.addHandler(handler);
    try {
      Calls unused = process(Agent.builder("Shop").hook(new ModelHook() {}));
      assertThat(warnings).singleElement().asString().contains("model hooks of agent 'Shop'");
    } finally {
      log.removeHandler(handler);
    }
  }

  private final class QuietCarrier implements Carrier {
    @Override
    public String name() {
      return "quiet";
    }

    @Override
    public List<Mount> routes(String publicUrl, Switch exchange) {
      calls = exchange;
      return List.of();
    }

    @Override
    public Answer transfer(String call, String number, String from) {
      return Answer.TAKEN;
    }

    @Override
    public Answer hangUp(String call) {
      calls.post(call, new CarrierEvent.Status("completed"));
      return Answer.TAKEN;
    }

    @Override
    public Answer sayAndHangUp(String call, String words) {
      return Answer.TAKEN;
    }
  }
}
