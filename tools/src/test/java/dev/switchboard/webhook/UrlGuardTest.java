package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlGuardTest {
  private static final InetAddress PUBLIC = IpAddress.v4(0x5db8d822).toInetAddress();
  private static final InetAddress INNER = IpAddress.v4(0x0a000001).toInetAddress();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://127.0.0.1/x         | 127.0.0.1 is loopback (127.0.0.0/8)",
        "http://0177.0.0.5/x        | 127.0.0.5 is loopback (127.0.0.0/8)",
        "http://[::1]/x             | ::1 is loopback (::1/128)",
        "http://[64:ff9b::a00:1]/x  | 64:ff9b::a00:1 (NAT64) leads to an address that is refused:"
            + " 10.0.0.1 is private (10.0.0.0/8)",
        "http://LOCALHOST./x        | localhost is a name for inner services",
        "http://a.internal/x        | a.internal is a name for inner services (*.internal)",
        "http://kubernetes.default.svc/ | kubernetes.default.svc is a name for inner services"
            + " (kubernetes.default*)",
        "ftp://example.com/x        | only http and https URLs are opened",
        "http://me@example.com/     | the URL holds user info",
        "http://example.com:0/      | the port is not a number from 1 to 65535",
        "http://1.2.3.4.5/          | the host ends in a number but is not an IPv4 address: it has"
            + " more than 4 parts",
      })
  void saysWhyAUrlIsBlocked(String url, String reason) {
    assertThat(UrlGuard.STRICT.check(url))
        .isInstanceOfSatisfying(
            UrlGuard.Verdict.Blocked.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "example.com",
        "//example.com",
        "http:",
        "http:example.com",
        "http:/example.com",
        "http://",
        "http:///x",
        "http://:80/",
        "http://?x",
        "http://#x",
        "http://.",
        "http://..",
        "http://a..b/",
        "http://.a/",
        "http://example.com../",
        "http://exa mple.com/",
        " http://example.com/",
        "http://example.com/ ",
        "http://example.com/\n",
        "http://exam\tple.com/",
        "http://exam\u0000ple.com/",
        "http://exam\u0085ple.com/",
        "http://exam\u00a0ple.com/",
        "http://exam%70le.com/",
        "http://exam\uff0570le.com/",
        "http://example.com\\@a/",
        "http://example.com\\x",
        "http://@example.com/",
        "http://a:b@example.com/",
        "http://a\uff20example.com/",
        "http://a\uff0fb.com/",
        "http://a\uff1a80/",
        "http://a\u2100b.com/",
        "http://a\u037eb.com/",
        "http://example.com:65536/",
        "http://example.com:-1/",
        "http://example.com:+1/",
        "http://example.com:8o/",
        "http://example.com:\uff18\uff10/",
        "http://example.com:000080/",
        "http://a:80:80/",
        "http://[::1/",
        "http://::1/",
        "http://1::]/",
        "http://[]/",
        "http://[::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[v1.a]/",
        "http://[1:2:3:4:5:6:7]/",
        "http://[1:2:3:4:5:6:7:8:9]/",
        "http://[1::2::3]/",
        "http://[:1:2:3:4:5:6:7]/",
        "http://[1:2:3:4:5:6:7:]/",
        "http://[1:2:3:4:5:6:7::8]/",
        "http://[:::]/",
        "http://[12345::]/",
        "http://[::g]/",
        "http://[::1.2.3]/",
        "http://[::1.2.3.256]/",
        "http://[::01.2.3.4]/",
        "http://[::1.2.3.4:5]/",
        "http://[1.2.3.4::]/",
        "http://[1.2.3.4]/",
        "http://[a.example]/",
        "http://[::1]x/",
        "http://x[::1]/",
        "http://256.1.1.1/",
        "http://1.1.1.256/",
        "http://1.256.1/",
        "http://4294967296/",
        "http://0x100000000/",
        "http://08.1.1.1/",
        "http://1.1.1.09/",
        "http://0xg.1/",
        "http://1..1/",
        "http://a.1/",
        "http://example.0x1/",
        "http://1.1.1.1.1/",
        "http://-1.1/",
        "http://xn--/",
        "http://xn--localhost-/",
        "http://xn--a\u0301/",
        "http://a.xn--zzzzzz99999/",
        "http://\u200b/",
        "http://\u00ad/",
        "http://a<b/",
        "http://a|b/",
        "http://a^b/",
        "http://a,b/",
        "http://a*b/",
        "http://{a}/",
        "javascript:alert(1)",
        "data:,x",
        "gopher://a/",
        "ws://example.com/",
        "jar:http://a/",
        "http\u0000://a/",
        "HTTPX://a/"
      })
  void refusesWhatIsNotAUrlToOpen(String url) {
    assertThat(UrlGuard.STRICT.check(url)).isInstanceOf(UrlGuard.Verdict.Blocked.class);
    assertThat(UrlGuard.of(List.of("example.com:80", "a:80")).check(url))
        .isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  @Test
  void refusesLabelsAndNamesThatAreTooLong() {
    assertThat(host("http://" + "a".repeat(63) + ".com/")).startsWith("aaa");
    assertThat(host("http://" + "a".repeat(64) + ".com/")).isEqualTo("blocked");
    assertThat(host("http://" + "a.".repeat(126) + "b/")).startsWith("a.a");
    assertThat(host("http://" + "a.".repeat(126) + "bb/")).isEqualTo("blocked");
  }

  @ParameterizedTest
  @CsvSource({
    "http://EXAMPLE.com,                example.com",
    "hTTp://example.com.,               example.com",
    "http://example.com?x=//a@b:1,      example.com",
    "http://example.com#@127.0.0.1,     example.com",
    "http://example.com/@127.0.0.1:1/,  example.com",
    "http://a_b.example-x.com/,         a_b.example-x.com",
    "http://1.1.1.1.example/,           1.1.1.1.example",
    "http://0x7f.example/,              0x7f.example",
    "http://bücher.example/,            xn--bcher-kva.example",
    "http://BÜCHER.example/,            xn--bcher-kva.example",
    "http://xn--bcher-kva.example/,     xn--bcher-kva.example",
    "http://straße.example/,            xn--strae-oqa.example",
    "http://ｅｘａｍｐｌｅ.com/,           example.com",
    "http://example。com/,              example.com",
    "http://exam\u00adple.com/,         example.com",
    "http://16843009/,                  1.1.1.1",
    "http://0x01.1/,                    1.0.0.1",
    "http://[2606:4700::0:1]/,          2606:4700::1",
    "http://[::FFFF:8.8.8.8]/,          8.8.8.8",
  })
  void canonicalisesTheHost(String url, String host) {
    assertThat(host(url)).isEqualTo(host);
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com, 80",
    "https://example.com, 443",
    "http://example.com:/, 80",
    "http://example.com:443/, 443",
    "https://example.com:1/, 1",
    "https://example.com:65535, 65535"
  })
  void readsThePort(String url, int port) {
    assertThat(UrlGuard.STRICT.check(url))
        .isInstanceOfSatisfying(
            UrlGuard.Verdict.Allowed.class, it -> assertThat(it.port()).isEqualTo(port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "ⓛocalhost",
        "ｌｏｃａｌｈｏｓｔ",
        "loc\u00adalhost",
        "x.localhost",
        "a.b.local",
        "metadata",
        "METADATA.",
        "metadata.google.internal",
        "metadata.azure.com",
        "metadata.goog",
        "instance-data",
        "instance-data.ec2.internal",
        "localhost.localdomain",
        "db.localdomain",
        "host.docker.internal",
        "kubernetes.default",
        "kubernetes.default.svc.cluster.local",
        "db.internal"
      })
  void refusesNamesOfInnerServices(String name) {
    assertThat(UrlGuard.STRICT.check("https://" + name + "/x"))
        .isInstanceOfSatisfying(
            UrlGuard.Verdict.Blocked.class, it -> assertThat(it.host()).isNotNull());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost.example",
        "notlocalhost",
        "internal.example",
        "metadata.example",
        "x.metadata.goog",
        "instance-data.example",
        "localdomain.example",
        "a.kubernetes.default"
      })
  void letsNamesPassThatOnlyLookAlike(String name) {
    assertThat(host("https://" + name + "/x")).isEqualTo(name);
  }

  @Test
  void takesALiteralsAddressFromItsOwnReading() throws UnknownHostException {
    UrlGuard.Verdict verdict =
        UrlGuard.of(List.of("127.0.0.5:80"))
            .resolve("http://0177.0.0.5/", UrlGuardTest::nobodyAsks);

    assertThat(verdict)
        .isEqualTo(
            new UrlGuard.Verdict.Allowed(
                "127.0.0.5", 80, List.of(IpAddress.v4(0x7f000005).toInetAddress())));
  }

  @Test
  void letsEveryAnswerPassOrNone() throws UnknownHostException {
    assertThat(UrlGuard.STRICT.resolve("http://a.example/", host -> List.of(PUBLIC, PUBLIC)))
        .isEqualTo(new UrlGuard.Verdict.Allowed("a.example", 80, List.of(PUBLIC, PUBLIC)));
    assertThat(UrlGuard.STRICT.resolve("http://a.example/", host -> List.of(PUBLIC, INNER)))
        .isEqualTo(
            new UrlGuard.Verdict.Blocked(
                "a.example",
                "a.example resolves to an address that is refused: 10.0.0.1 is private"
                    + " (10.0.0.0/8)"));
  }

  @Test
  void looksUpTheCanonicalNameAndNoBlockedOne() throws UnknownHostException {
    UrlGuard.STRICT.resolve(
        "http://BÜCHER.example./",
        host -> {
          assertThat(host).isEqualTo("xn--bcher-kva.example");
          return List.of(PUBLIC);
        });
    assertThat(UrlGuard.STRICT.resolve("http://localhost/", UrlGuardTest::nobodyAsks))
        .isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  @Test
  void saysWhenANameHasNoAddress() {
    assertThatThrownBy(() -> UrlGuard.STRICT.resolve("http://a.example/", host -> List.of()))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void judgesAUriByItsText() {
    assertThat(UrlGuard.STRICT.check(URI.create("http://0x7f.1/")))
        .isInstanceOf(UrlGuard.Verdict.Blocked.class);
  }

  private static String host(String url) {
    return UrlGuard.STRICT.check(url) instanceof UrlGuard.Verdict.Allowed allowed
        ? allowed.host()
        : "blocked";
  }

  private static List<InetAddress> nobodyAsks(String host) {
    throw new AssertionError("looked up " + host);
  }
}
