package dev.switchboard.phone.testing;

import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.audio.MuLaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A call that a [TwilioSimulator] has brought in: the caller's side of it, and what the carrier
/// knows.
///
/// Waiting methods wait in real time. Safe for use by several threads.
public final class SimulatedCall {
  private final TwilioSimulator twilio;
  private final String id = "CA" + MediaStream.randomHex();
  private final String from;
  private final String to;
  private final CallFlow flow;
  private final LineRecorder recorder;
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger gap =
      new AtomicInteger(); // frames of media that are still to be lost
  private volatile boolean losesMarks;
  private volatile boolean reordersMedia;

  SimulatedCall(TwilioSimulator twilio, PublicUrl url, String from, String to) {
    this.twilio = twilio;
    this.from = from;
    this.to = to;
    flow = new CallFlow(twilio, this, url);
    recorder = new LineRecorder(twilio.records(), twilio.speed());
  }

  void start() {
    Thread.ofVirtual().name("simulated-call").start(flow::run);
  }

  CallFlow flow() {
    return flow;
  }

  LineRecorder recorder() {
    return recorder;
  }

  void streaming(MediaStream stream) {
    recorder.resume();
    flow.streams.add(stream);
    signal();
  }

  void fault(String fault) {
    faults.add(fault);
    signal();
  }

  void watched(String event, int length) {
    twilio.watched(this, event, length);
  }

  boolean losesMarks() {
    return losesMarks;
  }

  boolean reordersMedia() {
    return reordersMedia;
  }

  /// What the caller says in the next 20 ms, null where it is lost on the way.
  byte @Nullable [] nextFrame() {
    byte[] frame = recorder.nextFrame();
    signal();
    return gap.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? null : frame;
  }

  String account() {
    return twilio.accountSid();
  }

  private MediaStream stream() {
    if (flow.streams.isEmpty()) {
      throw new IllegalStateException("the call has no media stream");
    }
    return flow.streams.getLast();
  }

  void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The id.
  public String id() {
    return id;
  }

  /// Who calls.
  public String from() {
    return from;
  }

  /// The number that was called.
  public String to() {
    return to;
  }

  /// Says that audio, after what is being said.
  public void say(byte[] audio) {
    recorder.say(audio);
  }

  /// Presses keys: digits, `*` and `#`.
  public void press(String keys) {
    keys.chars().forEach(key -> stream().press((char) key));
  }

  /// Hangs up, as the caller.
  public void hangUp() {
    boolean unused = flow.end();
  }

  /// Does not return marks from now on, or does again.
  public void loseMarks(boolean lost) {
    losesMarks = lost;
  }

  /// Sends every second frame of media before the one it follows, or no longer does.
  public void reorderMedia(boolean reordered) {
    reordersMedia = reordered;
  }

  /// Loses so much of what the caller says from now on.
  public void loseMedia(Duration length) {
    gap.set(MuLaw.samples(length) / MediaStream.FRAME);
  }

  /// Sends so many frames of silence at once.
  public void flood(int frames) {
    stream().flood(frames);
  }

  /// Sends a text that the carrier never would.
  public void sendRaw(String message) {
    stream().send(message);
  }

  /// Does not read what comes from the stream any more.
  public void stopReading() {
    stream().stopReading();
  }

  /// Neither reads nor sends any more, while the stream's connection stays.
  public void freeze() {
    stream().freeze();
  }

  /// The state at the carrier: `ringing`, `in-progress`, `completed`, `busy`, `no-answer`,
  /// `failed`.
  public String status() {
    return flow.statuses.getLast();
  }

  /// The states that the call has been in, in their order.
  public List<String> statuses() {
    return List.copyOf(flow.statuses);
  }

  /// Words that the carrier itself spoke.
  public List<String> spoken() {
    return List.copyOf(flow.spoken);
  }

  /// Numbers that were called for a transfer.
  public List<String> dialed() {
    return List.copyOf(flow.dialed);
  }

  /// What the carrier complains of, each with its code.
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /// How many media streams the call has had.
  public int streams() {
    return flow.streams.size();
  }

  /// How much audio waits to be heard, in milliseconds.
  public long waiting() {
    return flow.streams.isEmpty() ? 0 : stream().waiting();
  }

  /// What was said and heard so far.
  ///
  /// @throws IllegalStateException when the simulator records nothing
  public LineRecording recording() {
    return recorder.recording();
  }

  /// Waits until the caller has said everything.
  public void awaitSaid(Duration atMost) {
    await("the caller still speaks", recorder::allSaid, atMost);
  }

  /// Waits until so many media streams were opened in all.
  public void awaitStreams(int count, Duration atMost) {
    await("no media stream was opened", () -> flow.streams.size() >= count, atMost);
  }

  /// Waits until the call is over and that was called back.
  public void awaitOver(Duration atMost) {
    await("the call is not over", flow::isFinished, atMost);
  }

  private void await(String fault, BooleanSupplier done, Duration atMost) {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError(fault + "; " + flow.statuses + ", " + faults);
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      lock.unlock();
    }
  }
}
