package dev.switchboard.wasm;

import dev.switchboard.handler.ToolException;
import dev.switchboard.tool.ResultCode;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import run.endive.compiler.InterpreterFallback;
import run.endive.compiler.MachineFactoryCompiler;
import run.endive.runtime.ByteArrayMemory;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.runtime.MStack;
import run.endive.runtime.Machine;
import run.endive.runtime.TableInstance;
import run.endive.runtime.WasmRuntimeException;
import run.endive.wasm.Parser;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.WasmModule;
import run.endive.wasm.types.AnnotatedInstruction;
import run.endive.wasm.types.FunctionBody;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.Instruction;
import run.endive.wasm.types.MemoryLimits;
import run.endive.wasm.types.Table;
import run.endive.wasm.types.TableLimits;
import run.endive.wasm.types.ValType;

/// A module compiled to Java bytecode, once for all calls. Calls share no mutable state.
///
/// Immutable and thread-safe.
final class Program {
  private static final Pattern TOO_LARGE = Pattern.compile("WASM function index: ([0-9]+)");
  private static final int MOST_INTERPRETED = 100;
  private static final int MOST_LOCALS = 2_000; // of an interpreted function
  private static final int MOST_DEPTH = 2_000; // of its blocks
  private static final int MOST_OPERANDS = 1 << 20; // of all interpreted functions that run

  /// A module with a memory and a table. Its function `run` copies and fills the memory, divides,
  /// converts and branches.
  private static final byte[] REHEARSAL =
      HexFormat.of()
          .parseHex(
              "0061736d01000000010401600000030201000404017000010503010001071002066d656d"
                  + "6f727902000372756e00000a36013400410041084108fc0a0000410041084108fc0b0041"
                  + "0441016d1a420442017f1a440000000000000000fc021a024041010d000b0b");

  /// The entry function.
  ///
  /// @param initializes whether the module must be initialized before
  record Entry(String function, boolean initializes) {
    static final String INITIALIZE = "_initialize";
  }

  private final WasmModule module;
  private final Function<Instance, Machine> machine;
  private final MemoryLimits limits;
  private final List<Outline.Import> imports;
  private final Entry entry;
  private final boolean interprets;

  /// The program of that module.
  ///
  /// @param limits of its memory
  /// @throws WasmEngineException when it is invalid
  /// @throws IllegalArgumentException when it cannot be run
  Program(Outline outline, MemoryLimits limits, Entry entry) {
    if (outline.cost() > Runtime.getRuntime().maxMemory() / 2) {
      throw new IllegalArgumentException(
          "file needs more memory to be compiled than this process has");
    }
    this.limits = limits;
    this.entry = entry;
    imports = outline.imports();
    module = Parser.parse(outline.plain());
    rehearse();
    Set<Integer> interpreted = new HashSet<>(outline.large());
    machine = compiled(module, interpreted);
    for (int index : interpreted) {
      checkInterpreted(module.codeSection().getFunctionBody(index - imports.size()));
    }
    interprets = !interpreted.isEmpty();
  }

  /// Compiles all functions except those that are too large for a Java method, which are found one
  /// by one.
  private static Function<Instance, Machine> compiled(WasmModule module, Set<Integer> interpreted) {
    while (!Thread.currentThread().isInterrupted()) {
      if (interpreted.size() > MOST_INTERPRETED) {
        throw new IllegalArgumentException(
            "file has more than %d functions that are too large to be compiled"
                .formatted(MOST_INTERPRETED));
      }
      try {
        return MachineFactoryCompiler.builder(module)
            .withInterpreterFallback(InterpreterFallback.FAIL)
            .withInterpretedFunctions(Set.copyOf(interpreted))
            .compile();
      } catch (WasmEngineException e) {
        Matcher tooLarge = TOO_LARGE.matcher(String.valueOf(e.getMessage()));
        if (!tooLarge.find() || !interpreted.add(Integer.valueOf(tooLarge.group(1)))) {
          throw e;
        }
      }
    }
    throw new IllegalArgumentException("file was not compiled: interrupted");
  }

  /// The frames of an interpreted function are on the heap: their size is limited here, and their
  /// number by the stack.
  private static void checkInterpreted(FunctionBody body) {
    int depth = 0;
    for (AnnotatedInstruction instruction : body.instructions()) {
      depth = Math.max(depth, instruction.depth());
    }
    if (body.localTypes().size() > MOST_LOCALS || depth > MOST_DEPTH) {
      throw new IllegalArgumentException(
          "file has a function that is too large to be compiled, with more than %,d locals or nested blocks"
              .formatted(MOST_LOCALS));
    }
  }

  /// Runs a built-in module through the interpreter. Otherwise a class could run out of stack
  /// during its initialization, deep in a recursion, and be unusable from then on.
  private static void rehearse() {
    Instance instance =
        Instance.builder(Parser.parse(REHEARSAL))
            .withMemoryFactory(ByteArrayMemory::new)
            .withUnsafeExecutionListener(Program::checkOperands)
            .build();
    long[] unused = instance.export("run").apply();
  }

  private static void checkOperands(Instruction instruction, MStack operands) {
    if (operands.size() > MOST_OPERANDS) {
      throw new WasmRuntimeException("call stack exhausted");
    }
  }

  /// Runs a call in that world; returns the exit code.
  int run(WasiEnvironment world) {
    try {
      Instance instance = start(world);
      if (entry.initializes) {
        initialize(instance, world);
      }
      long @Nullable [] results = instance.export(entry.function).apply();
      return results == null || results.length == 0 ? 0 : (int) results[0];
    } catch (Exit exit) {
      return exit.code();
    }
  }

  private void initialize(Instance instance, WasiEnvironment world) {
    try {
      long @Nullable [] unused = instance.export(Entry.INITIALIZE).apply();
    } catch (Exit exit) {
      if (world.tooMuch()) {
        throw exit;
      }
      throw ToolException.last(
          ResultCode.FAILED,
          "exit code %d before '%s' was called".formatted(exit.code(), entry.function));
    }
  }

  /// The module with its own memory and tables, for one call, after its start function.
  private Instance start(WasiEnvironment world) {
    Instance.Builder instance =
        Instance.builder(module)
            .withMachineFactory(machine)
            .withMemoryFactory(ByteArrayMemory::new)
            .withMemoryLimits(limits)
            .withTableFactory(Program::table)
            .withImportValues(
                ImportValues.builder()
                    .addFunction(
                        imports.stream()
                            .distinct()
                            .map(wanted -> function(wanted, world))
                            .toArray(ImportFunction[]::new))
                    .build())
            .withStart(false);
    return (interprets ? instance.withUnsafeExecutionListener(Program::checkOperands) : instance)
        .build();
  }

  /// A table with limited growth. It is not shared: the library would keep it in the module.
  private static TableInstance table(Table stated, int first) {
    long least = stated.limits().min();
    long most = Math.max(least, Math.min(stated.limits().max(), Outline.MOST_ENTRIES));
    return new TableInstance(
        new Table(stated.elementType(), new TableLimits(least, most), stated.initialize()), first);
  }

  private static ImportFunction function(Outline.Import wanted, WasiEnvironment world) {
    SystemCall call = SystemCall.of(wanted);
    Outline.Signature signature = wanted.signature();
    if (call == null || signature == null) {
      throw new IllegalStateException("imports were checked when the module was built");
    }
    SystemCall.Answer answer = call.answer();
    boolean answers = !signature.results().isEmpty();
    return new HostFunction(
        wanted.module(),
        wanted.name(),
        FunctionType.of(types(signature.parameters()), types(signature.results())),
        (instance, arguments) -> {
          int number = answer.to(world, instance.memory(), arguments);
          return answers ? new long[] {number} : null;
        });
  }

  private static final Map<Character, ValType> TYPES = Map.of('i', ValType.I32, 'I', ValType.I64);

  private static List<ValType> types(String kinds) {
    return kinds.chars().mapToObj(kind -> TYPES.get((char) kind)).toList();
  }
}
