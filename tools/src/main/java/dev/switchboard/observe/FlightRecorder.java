package dev.switchboard.observe;

import dev.switchboard.execution.ExecutionListener;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// Records every settled call as the JDK Flight Recorder event `dev.switchboard.ToolCall`, without
/// arguments and texts.
public final class FlightRecorder implements ExecutionListener {
  /// A listener that costs almost nothing while no recording runs.
  public FlightRecorder() {}

  @Override
  public void settled(ExecutionListener.CallRecord call) {
    Settled event = new Settled();
    if (!event.isEnabled()) {
      return;
    }
    event.tool = call.call().name();
    event.callId = call.call().id();
    event.conversation = call.conversationId();
    event.mode = call.mode().word();
    event.success = call.result().success();
    event.code = call.result().code() == null ? "" : call.result().code().word();
    event.attempts = call.attempts();
    event.took = call.took().toNanos();
    event.commit();
  }

  @Name("dev.switchboard.ToolCall")
  @Label("Tool Call")
  @Description("A settled tool call")
  @Category("Switchboard")
  @StackTrace(false)
  static final class Settled extends Event {
    @Label("Tool")
    String tool = "";

    @Label("Call Id")
    String callId = "";

    @Label("Conversation")
    String conversation = "";

    @Label("Mode")
    String mode = "";

    @Label("Success")
    boolean success;

    @Label("Code")
    String code = "";

    @Label("Attempts")
    int attempts;

    @Label("Took")
    @Timespan
    long took;
  }
}
