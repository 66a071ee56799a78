package dev.switchboard.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/// Code that a page of the documentation shows.
public final class ShownCode {
  private ShownCode() {}

  /// The first block of that language on the page, behind the marker where that is not empty.
  public static String block(String page, String marker, String language) throws IOException {
    String text = Files.readString(Repository.file(page));
    String fence = (marker.isEmpty() ? "" : "<!-- " + marker + " -->\n") + "```" + language + "\n";
    int begin = text.indexOf(fence) + fence.length();
    return text.substring(begin, text.indexOf("```\n", begin));
  }

  /// How many faults the compiler finds in the code, a file of that name, with what is on this
  /// test's class path; 0 where it is compiled into the folder.
  public static int faults(Path folder, String name, String code) throws IOException {
    Path source = Files.writeString(folder.resolve(name + ".java"), code);
    int faults =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    return faults == 0 && !Files.exists(folder.resolve(name + ".class")) ? 1 : faults;
  }
}
