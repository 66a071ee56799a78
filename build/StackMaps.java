import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Gives the classes of libraries that were compiled for a Java before 6 the stack maps of later
/// class files, in the jars of the distribution. A JVM checks classes without them by a slow way of
/// its own, and keeps none of them in an AOT cache.
///
/// Started from its source by the build of the command line: `StackMaps.java FOLDER`.
final class StackMaps {
  private static final int WITH_STACK_MAPS = ClassFile.JAVA_8_VERSION;

  private StackMaps() {}

  public static void main(String[] args) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      folder.forEach(jars::add);
    }
    for (Path jar : jars) {
      if (isOld(jar)) {
        Files.write(jar, renewed(jar, jars));
      }
    }
  }

  private static boolean isOld(Path jar) throws IOException {
    try (ZipFile in = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        if (isClass(entry) && version(in.getInputStream(entry).readNBytes(8)) < 50) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isClass(ZipEntry entry) {
    return entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/");
  }

  private static int version(byte[] head) {
    return (head[6] & 0xff) << 8 | head[7] & 0xff;
  }

  /// @param jars where the classes are that those of the jar know
  private static byte[] renewed(Path jar, List<Path> jars) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    URL[] known = new URL[jars.size()];
    for (int i = 0; i < known.length; i++) {
      known[i] = jars.get(i).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(known);
        ZipFile in = new ZipFile(jar.toFile());
        ZipOutputStream zip = new ZipOutputStream(out)) {
      ClassFile classes =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      for (ZipEntry entry : Collections.list(in.entries())) {
        byte[] bytes = in.getInputStream(entry).readAllBytes();
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        zip.putNextEntry(copy);
        zip.write(isClass(entry) && version(bytes) < 50 ? renewed(classes, bytes) : bytes);
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }

  /// The same code, written anew, so that its stack maps are made.
  private static byte[] renewed(ClassFile classes, byte[] bytes) {
    ClassModel old = classes.parse(bytes);
    return classes.transformClass(
        old,
        (out, part) -> {
          switch (part) {
            case ClassFileVersion version -> out.withVersion(WITH_STACK_MAPS, 0);
            case MethodModel method ->
                out.transformMethod(
                    method, MethodTransform.transformingCode((code, step) -> code.with(step)));
            default -> out.with(part);
          }
        });
  }
}
