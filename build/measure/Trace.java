import module java.base;
import module jdk.jdi;

import com.sun.jdi.Method;

/// Which methods of a checkout the trips of [TripDriver] enter, in order, recorded by the JVM's
/// debugger.
final class Trace {
  private static final String DRIVER = "TripDriver";

  private final Map<String, List<List<String>>> rounds = new LinkedHashMap<>();
  private final VirtualMachine machine;
  private final MethodEntryRequest entries;
  private List<String> round = new ArrayList<>();

  private Trace(VirtualMachine machine) {
    this.machine = machine;
    entries = machine.eventRequestManager().createMethodEntryRequest();
    entries.addClassFilter("dev.switchboard.*");
    entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
  }

  /// By name of the trip, of each of its rounds the methods that were entered, as [Classes#methods]
  /// names them.
  static Map<String, List<List<String>>> of(Path root) throws IOException, InterruptedException {
    ListeningConnector connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(one -> one.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("timeout").setValue("60000");
    try {
      Process process = start(connector.startListening(arguments), root);
      Trace trace = new Trace(connector.accept(arguments));
      trace.record();
      if (process.waitFor() != 0) {
        throw new IOException("the trips failed in " + root);
      }
      return trace.rounds;
    } catch (IllegalConnectorArgumentsException | IncompatibleThreadStateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Process start(String address, Path root) throws IOException {
    Path own = root.resolve("build/measure/" + DRIVER + ".java");
    Path ours =
        Path.of(System.getProperty("jdk.launcher.sourcefile")).resolveSibling(DRIVER + ".java");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address,
            "-cp",
            root.resolve("cli/target/quick/dist/lib/*").toString(),
            (Files.exists(own) ? own : ours).toString())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void record() throws InterruptedException, IncompatibleThreadStateException {
    ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(DRIVER);
    prepared.enable();
    while (true) {
      EventSet events = machine.eventQueue().remove();
      for (Event event : events) {
        switch (event) {
          case ClassPrepareEvent driver -> watch(driver.referenceType());
          case BreakpointEvent flag -> flagged(flag);
          case MethodEntryEvent entry -> round.add(name(entry.method()));
          case VMDisconnectEvent _ -> {
            return;
          }
          default -> {}
        }
      }
      events.resume();
    }
  }

  private void watch(ReferenceType driver) {
    for (String flag : List.of("begin", "end")) {
      Method method = driver.methodsByName(flag).getFirst();
      machine.eventRequestManager().createBreakpointRequest(method.location()).enable();
    }
  }

  private void flagged(BreakpointEvent flag) throws IncompatibleThreadStateException {
    if (flag.location().method().name().equals("end")) {
      entries.disable();
      return;
    }
    StringReference trip = (StringReference) flag.thread().frame(0).getArgumentValues().getFirst();
    round = new ArrayList<>();
    rounds.computeIfAbsent(trip.value(), _ -> new ArrayList<>()).add(round);
    entries.enable();
  }

  private static String name(Method method) {
    return method.declaringType().name() + "." + method.name() + method.signature();
  }
}
