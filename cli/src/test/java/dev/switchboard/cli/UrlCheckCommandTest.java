package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UrlCheckCommandTest {
  @TempDir private Path folder;

  @Test
  void saysOfEachUrlWhetherItPassesAndWhyNot() {
    assertThat(Cli.run("url", "check", "https://example.com/x", "http://0x7f.1/"))
        .isEqualTo(
            new Cli(
                1,
                """
                allowed  https://example.com/x
                blocked  http://0x7f.1/: 127.0.0.1 is loopback (127.0.0.0/8)
                """,
                ""));
    assertThat(Cli.run("url", "check", "https://example.com/x").exit()).isZero();
  }

  @Test
  void printsVerdictsForPrograms() {
    assertThat(Cli.run("url", "check", "--json", "https://EXAMPLE.com", "http://[::1]/", "x").out())
        .startsWith(
            """
            {"url":"https://EXAMPLE.com","allowed":true,"host":"example.com","addresses":[]}
            {"url":"http://[::1]/","allowed":false,"reason":"::1 is loopback (::1/128)","host":"::1","addresses":[]}
            {"url":"x","allowed":false,"reason":\
            """);
  }

  @Test
  void trustsWhatItIsTold() {
    String agent = AgentToml.write(folder, "[network]\nallow = [\"127.0.0.1:9002\"]");

    assertThat(
            Cli.run(
                "url",
                "check",
                "--allow",
                "127.0.0.1:9001",
                "--agent",
                agent,
                "http://127.0.0.1:9001/",
                "http://127.0.0.1:9002/"))
        .isEqualTo(
            new Cli(
                0,
                """
                allowed  http://127.0.0.1:9001/ -> 127.0.0.1
                allowed  http://127.0.0.1:9002/ -> 127.0.0.1
                """,
                ""));
    assertThat(Cli.run("url", "check", "--allow", "127.0.0.1", "http://x.com"))
        .isEqualTo(
            new Cli(2, "", "switchboard: allow entries must be host:port, not '127.0.0.1'.\n"));
  }

  @Test
  void looksNamesUpWhenAsked() {
    assertThat(resolving("--resolve", "https://inner.example"))
        .startsWith("blocked  https://inner.example: inner.example resolves to")
        .contains("10.0.0.7");
    assertThat(resolving("--resolve", "https://public.example"))
        .isEqualTo("allowed  https://public.example -> 93.184.216.34\n");
    assertThat(resolving("https://inner.example")).isEqualTo("allowed  https://inner.example\n");
    assertThat(resolving("--resolve", "https://gone.example"))
        .isEqualTo("blocked  https://gone.example: gone.example was not found\n");
  }

  private static String resolving(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    Terminal terminal = new Terminal(InputStream.nullInputStream(), printed, printed, false);
    new CommandLine(
            new UrlCheckCommand(
                terminal,
                host ->
                    switch (host) {
                      case "inner.example" -> List.of(address(10, 0, 0, 7));
                      case "public.example" -> List.of(address(93, 184, 216, 34));
                      default -> throw new UnknownHostException(host);
                    }))
        .execute(args);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static InetAddress address(int a, int b, int c, int d) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
  }
}
