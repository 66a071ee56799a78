package dev.switchboard;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Finds public types, constructors and methods without a sentence of documentation.
///
/// Overrides take the sentence of what they override; compact constructors, record accessors and
/// enum constants are told by their type.
final class PublicWords extends TreePathScanner<Void, Void> {
  private static final Set<Tree.Kind> IMPLICITLY_PUBLIC =
      EnumSet.of(Tree.Kind.INTERFACE, Tree.Kind.ANNOTATION_TYPE);

  private final DocTrees docs;
  private final Path root;
  private final List<String> missing = new ArrayList<>();

  private PublicWords(DocTrees docs, Path root) {
    this.docs = docs;
    this.root = root;
  }

  /// The places below these sources where one is missing, with what is.
  static List<String> missing(Path root, List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      PublicWords words = new PublicWords(DocTrees.instance(task), root);
      for (CompilationUnitTree file : task.parse()) {
        words.scan(new TreePath(file), null);
      }
      return List.copyOf(words.missing);
    }
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, Void unused) {
    if (!open(type.getModifiers())) {
      return null;
    }
    require("type " + type.getSimpleName());
    return super.visitClass(type, null);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, Void unused) {
    if (open(method.getModifiers()) && !overrides(method) && !compact(method)) {
      boolean constructor = method.getReturnType() == null;
      require(constructor ? "constructor of " + typeName() : "method " + method.getName());
    }
    return null;
  }

  /// Whether it is public, also where an interface makes it so.
  private boolean open(ModifiersTree modifiers) {
    Tree around = getCurrentPath().getParentPath().getLeaf();
    return modifiers.getFlags().contains(Modifier.PUBLIC)
        || IMPLICITLY_PUBLIC.contains(around.getKind())
            && !modifiers.getFlags().contains(Modifier.PRIVATE);
  }

  private static boolean overrides(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
  }

  /// Whether it is a record's constructor without a list of parameters, as its text shows.
  private boolean compact(MethodTree method) {
    if (method.getReturnType() != null || method.getBody() == null) {
      return false;
    }
    CompilationUnitTree file = getCurrentPath().getCompilationUnit();
    int start = (int) docs.getSourcePositions().getStartPosition(file, method);
    int body = (int) docs.getSourcePositions().getStartPosition(file, method.getBody());
    return text(file).substring(start, body).indexOf('(') < 0;
  }

  private static String text(CompilationUnitTree file) {
    try {
      return file.getSourceFile().getCharContent(true).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String typeName() {
    ClassTree type = (ClassTree) getCurrentPath().getParentPath().getLeaf();
    return type.getSimpleName().toString();
  }

  private void require(String what) {
    String comment = docs.getDocComment(getCurrentPath());
    if (comment == null || comment.isBlank()) {
      CompilationUnitTree file = getCurrentPath().getCompilationUnit();
      long start = docs.getSourcePositions().getStartPosition(file, getCurrentPath().getLeaf());
      missing.add(
          "%s:%d: %s has no sentence: say with /// what it is or returns."
              .formatted(
                  root.relativize(Path.of(file.getSourceFile().toUri())),
                  file.getLineMap().getLineNumber(start),
                  what));
    }
  }
}
