package dev.switchboard.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.handler.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JacksonTest {
  /// Everything of ours and of Jackson's once more, without what has that name.
  private static final class Without extends ClassLoader {
    private final String missing;

    Without(String missing) {
      super(JacksonTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(missing)) {
        throw new ClassNotFoundException(name);
      }
      boolean mine = name.matches("(dev\\.switchboard|tools\\.jackson|com\\.fasterxml)\\..*");
      if (!mine) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? copy(name) : loaded;
    }

    private Class<?> copy(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void saysEveryTimeThatAnOldJarOfAnnotationsStandsInTheWay() throws Exception {
    ClassLoader boot = new Without("com.fasterxml.jackson.annotation.JsonSerializeAs");

    for (int time = 1; time <= 3; time++) {
      assertThatThrownBy(() -> makesATool(boot))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("older com.fasterxml.jackson.core:jackson-annotations")
          .hasMessageContaining("<jackson-bom.version>2.21.0</jackson-bom.version>");
      assertThatThrownBy(() -> writesAMap(boot))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("<jackson-bom.version>2.21.0</jackson-bom.version>");
    }
  }

  @Test
  void saysEveryTimeThatJacksonIsMissing() throws Exception {
    ClassLoader bare = new Without("tools.jackson.");

    for (int time = 1; time <= 3; time++) {
      assertThatThrownBy(() -> makesATool(bare))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("add tools.jackson.core:jackson-databind");
      assertThatThrownBy(() -> readsAFile(bare))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("add tools.jackson.core:jackson-databind");
    }
  }

  @Test
  void hasNothingToSayWhereAllIsWell() {
    assertThatCode(Jackson::check).doesNotThrowAnyException();
    assertThatCode(() -> makesATool(new Without("acme."))).doesNotThrowAnyException();
    assertThat(Json.of(Map.of("a", 1)).text()).isEqualTo("{\"a\":1}");
  }

  private static void makesATool(ClassLoader loader) throws Throwable {
    calls(loader, Tool.class, "dynamic", String.class, "greet");
  }

  private static void writesAMap(ClassLoader loader) throws Throwable {
    calls(loader, Json.class, "of", Object.class, Map.of("a", 1));
  }

  private static void readsAFile(ClassLoader loader) throws Throwable {
    calls(loader, dev.switchboard.config.AgentFile.class, "read", Path.class, Path.of("no.toml"));
  }

  private static void calls(
      ClassLoader loader, Class<?> owner, String method, Class<?> parameter, Object argument)
      throws Throwable {
    try {
      loader.loadClass(owner.getName()).getMethod(method, parameter).invoke(null, argument);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
