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

/// A call of a [TwilioSimulator]: the caller's side, and the carrier's state.
///
/// Waiting methods wait in real time. Thread-safe.
public final class SimulatedCall {
  private final TwilioSimulator twilio;
  private final String id = "CA" + MediaStream.randomHex();
  private final String from;
  private final String to;
  private final CallFlow flow;
  private final LineRecorder recorder;
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final List<HeardWords> heard = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger gap = new AtomicInteger(); // frames of media still to lose
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

  /// The socket is open. The other side may act on its first messages at once, which then finds it
  /// here.
  void connected(CarrierSocket socket) {
    lock.lock();
    try {
      socket.protocol().greet(socket);
      recorder.resume();
      flow.sockets.add(socket);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void heard(HeardWords words) {
    heard.add(words);
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

  /// The caller's next 20 ms, null if they are lost.
  byte @Nullable [] nextFrame() {
    byte[] frame = recorder.nextFrame();
    signal();
    return gap.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? null : frame;
  }

  String account() {
    return twilio.accountSid();
  }

  private CarrierSocket socket() {
    lock.lock();
    try {
      if (flow.sockets.isEmpty()) {
        throw new IllegalStateException("the call has no socket");
      }
      return flow.sockets.getLast();
    } finally {
      lock.unlock();
    }
  }

  private MediaStream media() {
    if (socket().protocol() instanceof MediaStream stream) {
      return stream;
    }
    throw new IllegalStateException("the call has no media stream");
  }

  private RelaySession relay() {
    if (socket().protocol() instanceof RelaySession session) {
      return session;
    }
    throw new IllegalStateException("the call has no relay session");
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

  /// The caller's number.
  public String from() {
    return from;
  }

  /// The called number.
  public String to() {
    return to;
  }

  /// Says that audio, after earlier audio.
  public void say(byte[] audio) {
    recorder.say(audio);
  }

  /// Says these words in a relay session, after earlier ones. They interrupt the agent if the
  /// session allows that. Empty words are a noise, which may interrupt and is not understood.
  public void says(String words) {
    relay().say(words);
  }

  /// Says these words in a relay session as soon as the agent has spoken those, at exactly that
  /// point.
  public void interrupts(String after, String words) {
    relay().sayAfter(after, words);
  }

  /// Ends the relay session with an error of the carrier.
  ///
  /// @param code of Twilio, such as 64105
  public void failRelay(int code) {
    relay().breakOff(code);
  }

  /// Presses keys: digits, `*` and `#`.
  public void press(String keys) {
    keys.chars().forEach(key -> socket().protocol().press((char) key));
  }

  /// Hangs up, as the caller.
  public void hangUp() {
    boolean unused = flow.end();
  }

  /// Stops returning marks, or starts again.
  public void loseMarks(boolean lost) {
    losesMarks = lost;
  }

  /// Swaps every two frames of media, or stops it.
  public void reorderMedia(boolean reordered) {
    reordersMedia = reordered;
  }

  /// Loses that much of the caller's audio from now on.
  public void loseMedia(Duration length) {
    gap.set(MuLaw.samples(length) / MediaStream.FRAME);
  }

  /// Sends that many frames of silence at once.
  public void flood(int frames) {
    media().flood(frames);
  }

  /// Sends a text that the carrier would never send.
  public void sendRaw(String message) {
    socket().send(message);
  }

  /// Stops reading from the socket.
  public void stopReading() {
    socket().stopReading();
  }

  /// Stops reading and sending; the socket's connection stays open.
  public void freeze() {
    socket().freeze();
  }

  /// The state at the carrier: `ringing`, `in-progress`, `completed`, `busy`, `no-answer`,
  /// `failed`.
  public String status() {
    return flow.statuses.getLast();
  }

  /// All states of the call so far, in order.
  public List<String> statuses() {
    return List.copyOf(flow.statuses);
  }

  /// The words of the agent that the caller heard in relay sessions, in order, once they are over.
  public List<HeardWords> heard() {
    return List.copyOf(heard);
  }

  /// Words that the carrier itself spoke.
  public List<String> spoken() {
    return List.copyOf(flow.spoken);
  }

  /// The numbers called for transfers.
  public List<String> dialed() {
    return List.copyOf(flow.dialed);
  }

  /// The carrier's errors, each with its code.
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /// The number of media streams and relay sessions of the call so far.
  public int streams() {
    return flow.sockets.size();
  }

  /// The length of unheard audio or words, in milliseconds.
  public long waiting() {
    return flow.sockets.isEmpty() ? 0 : socket().protocol().waiting();
  }

  /// The recording so far.
  ///
  /// @throws IllegalStateException when the simulator does not record
  public LineRecording recording() {
    return recorder.recording();
  }

  /// Waits until the caller has said everything.
  public void awaitSaid(Duration atMost) {
    await("the caller still speaks", this::allSaid, atMost);
  }

  private boolean allSaid() {
    boolean silent =
        flow.sockets.isEmpty()
            || !(socket().protocol() instanceof RelaySession session)
            || session.allSaid();
    return silent && recorder.allSaid();
  }

  /// Waits until that many media streams and relay sessions were opened in total.
  public void awaitStreams(int count, Duration atMost) {
    await("no socket was opened", () -> flow.sockets.size() >= count, atMost);
  }

  /// Waits until the call has ended and the callback was sent.
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
